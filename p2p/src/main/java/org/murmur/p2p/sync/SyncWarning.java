package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;

/** Warnings about a session, one record for each kind. */
public sealed interface SyncWarning extends SyncEvent.Warning {

  /**
   * A session that follows has no peer. It retries at least once a minute.
   *
   * @param reason the obstacle at each peer, or why no peer is known; for people
   * @param proxied whether peers are called through a proxy
   */
  record NobodyReachable(String reason, boolean proxied) implements SyncWarning {
    @Override
    public String text() {
      return "no peer can be reached ("
          + reason
          + "); trying again at least once a minute. Is this machine online?"
          + (proxied ? " Is the proxy running?" : "");
    }
  }

  /**
   * A session that follows has seen no new block for hours: the network or its peers have stopped.
   * It keeps requesting headers from all of them, and calls one more peer.
   *
   * @param height height of the last block
   * @param time the time in its header
   * @param age the age of that block
   */
  record NoNewBlock(int height, Instant time, Duration age) implements SyncWarning {
    @Override
    public String text() {
      return "no new block for "
          + age.toHours()
          + " hours: the last one is at height "
          + height
          + ", of "
          + time.truncatedTo(ChronoUnit.SECONDS)
          + ". The network or these peers may have stopped; they are asked again, and other"
          + " peers are tried";
    }
  }

  /**
   * A peer is called during its back-off, because no other peer is left.
   *
   * @param peer the peer
   * @param reason its misbehaviour
   * @param until the end of its back-off
   */
  record MisbehavedPeerCalled(NodeAddress peer, DisconnectReason reason, Instant until)
      implements SyncWarning {
    @Override
    public String text() {
      return peer
          + " misbehaved ("
          + reason
          + ") and is banned until "
          + until.truncatedTo(ChronoUnit.SECONDS)
          + "; it is contacted anyway, because there is no other peer";
    }
  }

  /**
   * No peer announced some pending payments, and none could deny them: no filter of a peer matches
   * them, or an answer was incomplete. Perhaps they were replaced or dropped.
   *
   * @param payments how many
   * @param expiry the age at which such a payment no longer counts
   */
  record PaymentsUnchecked(int payments, Duration expiry) implements SyncWarning {
    @Override
    public String text() {
      return (payments == 1 ? "1 pending payment" : payments + " pending payments")
          + " could not be checked: no peer announced it, and none could deny it (no filter of a"
          + " peer matches it, or an answer was incomplete). It may have been replaced or"
          + " dropped; it counts until it is "
          + expiry.toHours()
          + " hours old";
    }
  }

  /**
   * A peer claims a longer chain. No headers are requested from it, since its answer could exceed
   * the byte limit.
   *
   * @param peer the peer
   * @param height the claimed height
   */
  record ClaimUnchecked(NodeAddress peer, int height) implements SyncWarning {
    @Override
    public String text() {
      return peer
          + " says that its chain ends at height "
          + height
          + "; its headers are not requested, because they could exceed the byte limit";
    }
  }

  /**
   * The session waits for a slow peer, and no other one does its work meanwhile. Said once for each
   * peer; a still slower one is disconnected.
   *
   * @param peer the peer
   * @param bytes of whole messages with what was requested
   * @param time in which they came
   * @param guard whether only this peer may serve the blocks, under the private preset
   */
  record SlowPeer(NodeAddress peer, long bytes, Duration time, boolean guard)
      implements SyncWarning {
    @Override
    public String text() {
      return peer
          + " is slow: "
          + bytes
          + " bytes of requested data in "
          + time.toMillis() / 1000
          + " seconds, and "
          + (guard ? "only this guard may serve them" : "there is no other peer")
          + ". The sync waits for it";
    }
  }

  /**
   * A peer claims a longer chain than its headers show. Its headers count, but that it has no more
   * headers is not believed. It may still be syncing.
   *
   * @param peer the peer
   * @param claimed the height in its version message
   * @param shown the height that its headers lead to
   */
  record ClaimNotKept(NodeAddress peer, int claimed, int shown) implements SyncWarning {
    @Override
    public String text() {
      return peer
          + " says that its chain ends at height "
          + claimed
          + ", but its headers end at height "
          + shown
          + "; nothing counts as complete because of it. Is it still syncing?";
    }
  }

  /**
   * A block below a known one breaks a rule; perhaps the clock is wrong. From now on, header
   * requests do not use the known blocks.
   *
   * @param block its hash
   * @param known hash of the known block that it leads to
   * @param height height of the known block
   * @param rule the rule that it breaks
   */
  record KnownChainRefused(Hash256 block, Hash256 known, int height, HeaderFault rule)
      implements SyncWarning {
    @Override
    public String text() {
      return "block "
          + block
          + " leads to the known block "
          + known
          + " at height "
          + height
          + ", but is refused ("
          + rule.name().toLowerCase(Locale.ROOT).replace('_', ' ')
          + "). Is the clock right?";
    }
  }

  /**
   * A block is dated over two hours ahead of this computer's clock and is ignored.
   *
   * @param peer the peer that sent its header
   * @param block its hash
   */
  record BlockFromTheFuture(NodeAddress peer, Hash256 block) implements SyncWarning {
    @Override
    public String text() {
      return peer
          + " sends block "
          + block
          + " dated more than two hours ahead of this machine's clock; it is ignored. Is the"
          + " clock right?";
    }
  }

  /**
   * All peers belong to one network group. One person could run them all, and no other peer would
   * contradict them.
   *
   * @param peers their number
   * @param group the group
   */
  record OneNetworkGroup(int peers, NetGroup group) implements SyncWarning {
    @Override
    public String text() {
      return (peers == 1
              ? "the only peer is in the network group "
              : "all " + peers + " peers are in one network group, ")
          + group
          + ": its operator could show a chain that is not the best, or omit transactions,"
          + " unnoticed";
    }
  }

  /**
   * The stored headers do not lead through a known block, so headers are requested one batch at a
   * time.
   *
   * @param known hash of the known block
   * @param height its height
   */
  record StoredChainElsewhere(Hash256 known, int height) implements SyncWarning, Minor {
    @Override
    public String text() {
      return "the headers stored do not lead through the known block "
          + known
          + " at height "
          + height
          + "; headers are requested one batch after the other";
    }
  }

  /**
   * No peer serves a whole block for a spot check.
   *
   * @param block its hash
   * @param height its height
   */
  record NotSpotChecked(Hash256 block, int height) implements SyncWarning {
    @Override
    public String text() {
      return "no peer sends block " + block + " at height " + height + ": it was not spot-checked";
    }
  }

  /**
   * Enough peers agree on the filters of blocks, and nobody serves a block that a filter points to,
   * or the filter itself. What lies from there on is not complete.
   *
   * @param height the block's
   */
  record BlockNotServed(int height) implements SyncWarning {
    @Override
    public String text() {
      return "no connected peer serves block "
          + height
          + " whole, or its filter: pruned nodes lack old blocks. Another peer is needed, once";
    }
  }

  /**
   * A fault of ours in handling a peer's message. The peer is dropped, and its results are
   * requested again.
   *
   * @param peer the peer
   * @param detail what failed, for people
   */
  record InternalFault(NodeAddress peer, String detail) implements SyncWarning, Minor {
    @Override
    public String text() {
      return "internal error while handling a message from "
          + peer
          + ", which was dropped; its blocks are requested again: "
          + detail;
    }
  }

  /**
   * The byte limit leaves no room for a whole block of up to 1,000,000 bytes. Nothing else shows
   * whether its Merkle proof is right.
   *
   * @param block its hash
   * @param height its height
   */
  record NoBytesForWholeBlock(Hash256 block, int height) implements SyncWarning {
    @Override
    public String text() {
      return "the byte limit is too low to download the whole block "
          + block
          + " at height "
          + height
          + " (up to 1,000,000 bytes), which is needed to check its Merkle proof";
    }
  }

  /** The private preset cannot go on: a role has no guard. */
  sealed interface MissingGuard extends SyncWarning {
    /** {@return the role without a guard, the role whose filter the guard would get} */
    FilterRole role();
  }

  /**
   * No usable peer can become a guard. The user has to name one more. {@link
   * Preset.Private#onePeer} is the alternative: one peer gets both filters, and learns from the
   * pair which transactions are the wallet's.
   *
   * @param role the role whose filter it would get
   * @param discovering whether peers are discovered: then it must be of another network group than
   *     the other guard
   */
  record NobodyToGuard(FilterRole role, boolean discovering) implements MissingGuard {
    @Override
    public String text() {
      return "the private preset sends filters of scripts to one peer and of outpoints to another,"
          + " and there is no usable peer for the "
          + role.title()
          + (discovering ? " in another network group than the first" : "")
          + ". Name one more, or let one peer get both: it can find the wallet's transactions by"
          + " the pair";
    }
  }

  /**
   * A guard is unreachable, and no other peer gets its filter by default. Either it comes back, or
   * the user dismisses it ({@link Preset.Private#dismissed}): then one more peer learns the filter.
   *
   * @param role the role whose filter it got
   * @param guard the guard
   * @param named whether it can be called: it was named, or peers are discovered
   */
  record GuardAbsent(FilterRole role, NodeAddress guard, boolean named) implements MissingGuard {
    @Override
    public String text() {
      return "the guard that holds the wallet's "
          + role.title()
          + ", "
          + guard
          + ", "
          + (named ? "cannot be reached" : "was not named")
          + ", and no other peer gets that filter without your consent. "
          + (named ? "Try again later" : "Name it")
          + ", or dismiss it: then one more peer learns the filter";
    }
  }

  /**
   * This machine's clock seems to be behind: blocks of the peers are refused as blocks from the
   * future.
   *
   * @param height height of the last accepted block
   * @param tip its hash
   * @param by how far the clock is behind, according to these peers
   */
  record ClockBehind(int height, Hash256 tip, Duration by) implements SyncWarning {
    @Override
    public String text() {
      return "this machine's clock seems to be "
          + roughly(by)
          + " behind: the peers have blocks above height "
          + height
          + " that are dated too far in the future, so they are ignored. Set the clock and sync"
          + " again";
    }
  }

  /** Peers contradict each other, and nothing decides who is right. */
  sealed interface Disagreement extends SyncWarning, Serious {}

  /**
   * Two peers give different filters of a block (BIP-0157), at least one of them named. Either the
   * whole block proves neither false: nobody but a full node knows all scripts that it spends from.
   * Or a named one does not send what could show its lie. Nothing above is complete with both.
   *
   * @param height the block's height, or one above, if a silent peer left it unknown
   * @param block the hash of the block at this height
   * @param peers the two
   * @param silent the one that stopped answering
   */
  record FiltersDisagree(
      int height, Hash256 block, List<NodeAddress> peers, Optional<NodeAddress> silent)
      implements Disagreement {
    /** Copies the list. */
    public FiltersDisagree {
      peers = List.copyOf(peers);
    }

    @Override
    public String text() {
      return peers.stream().map(NodeAddress::toString).collect(Collectors.joining(" and "))
          + (silent.isPresent()
              ? " claim different filters up to block "
              : " give different filters of block ")
          + block
          + " at height "
          + height
          + silent
              .map(peer -> ", and " + peer + " does not send what would show which is false")
              .orElse(", and the whole block proves neither false");
    }
  }

  /**
   * The filters of blocks that were read so far are denied by the peers that are here, and nobody
   * supports them (BIP-0157). The blocks are tested again, with the filters of these peers.
   *
   * @param above the last height that they do not deny, 0 if they deny all
   * @param peers those that deny them
   */
  record FiltersDenied(int above, List<NodeAddress> peers) implements SyncWarning {
    /** Copies the list. */
    public FiltersDenied {
      peers = List.copyOf(peers);
    }

    @Override
    public String text() {
      return "the filters of blocks above height "
          + above
          + " that were read so far may have been false: "
          + peers.stream().map(NodeAddress::toString).collect(Collectors.joining(" and "))
          + (peers.size() == 1 ? " gives others" : " give others")
          + ". These blocks are tested again";
    }
  }

  /**
   * Peers contradict each other about a block, and no peer serves it to settle that.
   *
   * @param height the block's height
   * @param txid a transaction that some reported and one omitted
   * @param omitter the peer that omitted it
   * @param tellers the peers that reported it
   */
  record PeersDisagree(int height, Hash256 txid, NodeAddress omitter, List<NodeAddress> tellers)
      implements Disagreement {
    /** Copies the list. */
    public PeersDisagree {
      tellers = List.copyOf(tellers);
    }

    @Override
    public String text() {
      return "peers disagree about transaction "
          + txid
          + " of the block at height "
          + height
          + ": "
          + omitter
          + " omitted it, "
          + (tellers.isEmpty()
              ? "nobody"
              : tellers.stream().map(NodeAddress::toString).collect(Collectors.joining(", ")))
          + " sent it, and no peer sends the whole block that would decide";
    }
  }

  /**
   * A peer is not called before the end of its back-off, unless no other peer is left.
   *
   * @param peer which
   * @param reason its misbehaviour
   * @param until the end of its back-off
   */
  record PeerInBackOff(NodeAddress peer, DisconnectReason reason, Instant until)
      implements SyncWarning, Minor {
    @Override
    public String text() {
      return peer
          + " is not contacted before "
          + until.truncatedTo(ChronoUnit.SECONDS)
          + ", unless there is no other peer: it misbehaved ("
          + reason
          + ")";
    }
  }

  private static String roughly(Duration time) {
    long hours = time.toHours();
    if (hours >= 48) {
      return hours / 24 + " days";
    }
    return hours >= 2 ? hours + " hours" : time.toMinutes() + " minutes";
  }
}
