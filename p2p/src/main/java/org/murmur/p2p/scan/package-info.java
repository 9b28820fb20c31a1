/**
 * Blocks: the filters that peers get, the blocks that they serve under them, and how the answers
 * are handled.
 */
@NullMarked
package org.murmur.p2p.scan;

import org.jspecify.annotations.NullMarked;
