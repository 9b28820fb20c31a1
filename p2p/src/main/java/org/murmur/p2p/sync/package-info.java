/**
 * The machine's interface: inputs, outputs, events, warnings, settings, and the batches to write.
 */
@NullMarked
package org.murmur.p2p.sync;

import org.jspecify.annotations.NullMarked;
