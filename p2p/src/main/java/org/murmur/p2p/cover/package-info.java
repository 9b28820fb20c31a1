/**
 * The covering problem of a sync: the watched elements, which filters held them, which blocks were
 * served under them, and which are still to be requested. Pure values and books, without
 * connections, clocks or randomness.
 */
@NullMarked
package org.murmur.p2p.cover;

import org.jspecify.annotations.NullMarked;
