/**
 * The wire: frames, messages as sealed records, and the push decoder that turns bytes into them.
 */
@NullMarked
package org.murmur.p2p.internal.wire;

import org.jspecify.annotations.NullMarked;
