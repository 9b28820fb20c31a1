/**
 * The covering problem that a sync is: what is watched, which filters held it, which blocks were
 * served under them, and what is still to be asked for. Pure values and books, without peers'
 * connections, clocks or dice.
 */
@NullMarked
package org.murmur.p2p.cover;

import org.jspecify.annotations.NullMarked;
