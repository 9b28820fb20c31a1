/**
 * What is said with the machine: inputs, outputs, events, warnings, settings, and the batches that
 * are written.
 */
@NullMarked
package org.murmur.p2p.sync;

import org.jspecify.annotations.NullMarked;
