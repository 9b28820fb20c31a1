/**
 * Unconfirmed transactions: what peers announce, and what the user sends.
 *
 * <ul>
 *   <li>{@code Relay}, {@code Outgoing}, {@code Receipts}, {@code Rebroadcast}: announcements,
 *       broadcasts, the peers that accepted them, payments announced again
 *   <li>{@code UnconfirmedQuery}: how unconfirmed transactions are requested: {@code MempoolQuery}
 *       (fast, and one node under compact), {@code GuardMempool} (private), {@code WholePool}
 *       (compact, all that is announced)
 *   <li>{@code PoolPeer}: a peer with all that the rooms know of it
 *   <li>{@code RecentBlocks}: the last blocks, whole, for an estimate of fees
 *   <li>{@code Mentions}: a message that reveals a txid waits until the file records it
 * </ul>
 */
@NullMarked
package org.murmur.p2p.internal.pool;

import org.jspecify.annotations.NullMarked;
