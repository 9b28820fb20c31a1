package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Connect;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * What a user should know of a session, as data: one record for each kind. The program that uses
 * the library makes sentences of them; what {@code toString} says is enough for a log.
 */
public sealed interface SyncWarning {

  /**
   * A session that follows has no peer. It goes on calling, at least once a minute.
   *
   * @param reason what is in the way at each peer, or why nobody is known; for people
   * @param proxied whether peers are called through a proxy
   */
  record NobodyReachable(String reason, boolean proxied) implements SyncWarning {}

  /**
   * A session that follows has seen no new block for hours: the network stands still, or the peers
   * do. All of them are asked on, and one more is called.
   *
   * @param height height of the last block
   * @param time the time in its header
   * @param age how long ago that is
   */
  record NoNewBlock(int height, Instant time, Duration age) implements SyncWarning {}

  /**
   * A peer is called although its back-off is not over, because nobody else is left.
   *
   * @param peer who
   * @param reason what it did
   * @param until the end of its back-off
   */
  record MisbehavedPeerCalled(PeerAddress peer, DisconnectReason reason, Instant until)
      implements SyncWarning {}

  /**
   * Pending payments were announced by no guard, and none could deny them: its filter is of another
   * epoch, or its answer did not come whole. Perhaps they were replaced or dropped.
   *
   * @param payments how many
   * @param expiry the age at which such a payment stops to count
   */
  record PaymentsUnchecked(int payments, Duration expiry) implements SyncWarning {}

  /**
   * A peer claims a longer chain and is not asked for headers, since its answer could exceed the
   * limit of bytes.
   *
   * @param peer who
   * @param height the height that it claims
   */
  record ClaimUnchecked(PeerAddress peer, int height) implements SyncWarning {}

  /**
   * A block below a known one breaks a rule; perhaps the clock is wrong. From now on headers are
   * asked for without the known blocks.
   *
   * @param block its hash
   * @param known hash of the known block that it leads to
   * @param height height of the known block
   * @param rule the rule that it breaks
   */
  record KnownChainRefused(Hash256 block, Hash256 known, int height, Connect.Reason rule)
      implements SyncWarning {}

  /**
   * A block is dated over two hours ahead of this machine's clock and is left out.
   *
   * @param peer who sent its header
   * @param block its hash
   */
  record BlockFromTheFuture(PeerAddress peer, Hash256 block) implements SyncWarning {}

  /**
   * All peers belong to one network group, so they could be one person, and nobody would contradict
   * them.
   *
   * @param peers how many they are
   * @param group which group
   */
  record OneNetworkGroup(int peers, NetGroup group) implements SyncWarning {}

  /**
   * The stored headers do not lead through a known block, so headers are asked for one batch after
   * the other.
   *
   * @param known hash of the known block
   * @param height its height
   */
  record StoredChainElsewhere(Hash256 known, int height) implements SyncWarning {}

  /**
   * No peer hands over a whole block that was to be spot-checked.
   *
   * @param block its hash
   * @param height its height
   */
  record NotSpotChecked(Hash256 block, int height) implements SyncWarning {}

  /**
   * A fault of ours in handling what a peer sent. The peer is dropped, and what it served is asked
   * for again.
   *
   * @param peer who
   * @param detail what failed, for people
   */
  record InternalFault(PeerAddress peer, String detail) implements SyncWarning {}

  /**
   * The limit of bytes leaves no room for a whole block of up to 1,000,000 bytes, and nothing else
   * shows whether its Merkle proof is right.
   *
   * @param block its hash
   * @param height its height
   */
  record NoBytesForWholeBlock(Hash256 block, int height) implements SyncWarning {}

  /** Why the private preset cannot go on: a role has no guard. */
  sealed interface MissingGuard extends SyncWarning {
    /**
     * Returns what the guard would be shown.
     *
     * @return the role without a guard
     */
    FilterRole role();
  }

  /**
   * No usable peer is there that could become a guard. One more has to be named; or {@link
   * PrivatePreset#onePeer} lets one peer see both filters, and tell by the pair which transactions
   * are the wallet's.
   *
   * @param role what it would be shown
   * @param discovering whether peers are found: then it must be of another network group than the
   *     other guard
   */
  record NobodyToGuard(FilterRole role, boolean discovering) implements MissingGuard {}

  /**
   * A guard is not there, and no other peer is shown its filter unasked. Either it comes back, or
   * it is given up ({@link PrivatePreset#dismissed}): then one more peer learns the filter.
   *
   * @param role what it was shown
   * @param guard who
   * @param named whether it can be called: it was named, or peers are found
   */
  record GuardAbsent(FilterRole role, PeerAddress guard, boolean named) implements MissingGuard {}
}
