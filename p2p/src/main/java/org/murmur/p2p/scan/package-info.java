/**
 * Blocks: which filter a peer is shown, which blocks it is asked for under it, and what is made of
 * the answers.
 */
@NullMarked
package org.murmur.p2p.scan;

import org.jspecify.annotations.NullMarked;
