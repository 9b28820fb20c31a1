/**
 * The covering problem of a sync: the watched elements, which views held them, which blocks were
 * served under them, and which are still to be requested. Pure values and books, without
 * connections, clocks or randomness.
 *
 * <ul>
 *   <li>{@code Element}, {@code WatchedLog}: the log; {@code View}, {@code Content}: what was
 *       searched for; {@code ScanRow}, {@code ScanBook}: where
 *   <li>{@code Coverage}: what is missing; {@code Passes}: which elements the next views hold when
 *       not all fit
 *   <li>{@code Recognition}: the wallet's transactions in a block
 * </ul>
 */
@NullMarked
package org.murmur.p2p.internal.cover;

import org.jspecify.annotations.NullMarked;
