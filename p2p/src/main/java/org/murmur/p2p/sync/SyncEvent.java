package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.murmur.bip37.Notice;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * Events of a session, as data, for those who listen to it. The wallet adds its own. The machine
 * also emits each {@link SyncFact}.
 */
public interface SyncEvent {

  /**
   * The progress so far. Emitted at most a few times a second.
   *
   * @param headers height of the best header chain
   * @param target the highest height any peer claims, at least {@code headers}
   * @param scanned blocks scanned and committed in this session
   * @param toScan blocks still to be scanned, as far as headers are known
   * @param bytesReceived in this session, from all peers
   * @param elapsed since the session began, without the time in which this computer slept
   * @param search the peers that it is looking for; empty once it had enough, and if peers are
   *     named
   */
  record Progress(
      int headers,
      int target,
      int scanned,
      int toScan,
      long bytesReceived,
      Duration elapsed,
      Optional<Search> search)
      implements SyncEvent {}

  /**
   * A search for peers that a session cannot do without.
   *
   * @param service the service that they need, by its name in Core
   * @param found such peers that are connected
   * @param wanted how many are needed
   * @param reached nodes of any kind that answered
   * @param compact how many of these serve filters of blocks
   */
  record Search(String service, int found, int wanted, int reached, int compact) {}

  /**
   * A peer completed the version handshake.
   *
   * @param address the peer
   * @param userAgent as it announced
   * @param services its service bits
   * @param height its height as it announced
   * @param encrypted whether the connection is encrypted (BIP-0324)
   */
  record PeerReady(
      NodeAddress address, String userAgent, long services, int height, boolean encrypted)
      implements SyncEvent {}

  /**
   * A peer is gone.
   *
   * @param address the peer
   * @param reason why the machine dropped it; {@link DisconnectReason#DONE} if it left
   * @param detail for people
   */
  record PeerLost(NodeAddress address, DisconnectReason reason, String detail)
      implements SyncEvent {

    /** {@return its misbehaviour, for people; empty if there was none} */
    public Optional<String> misbehaviour() {
      return reason.isMisbehaviour() ? Optional.of(reason + ": " + detail) : Optional.empty();
    }
  }

  /**
   * A peer does not answer {@code mempool} at once. The machine waits for a fixed time, since the
   * answer has no end mark.
   *
   * @param peer the peer
   * @param limit the longest wait from now on
   */
  record MempoolAwaited(NodeAddress peer, Duration limit) implements SyncEvent {}

  /**
   * The query for the peers' unconfirmed transactions ended.
   *
   * @param answer how much was seen
   * @param since if everything announced was heard: since when
   */
  record MempoolAnswered(Answer answer, Optional<Instant> since) implements SyncEvent {

    /**
     * Of any answer but {@link Answer#HEARD}.
     *
     * @param answer how much was seen
     */
    public MempoolAnswered(Answer answer) {
      this(answer, Optional.empty());
    }

    /** {@return whether the waiting time ran out} */
    public boolean isPartial() {
      return answer == Answer.PARTIAL;
    }

    /** How much of the mempool was seen. */
    public enum Answer {
      /** The peer answered at once, and all matches came. */
      COMPLETE,
      /** The waiting time ran out; everything received by then is kept. */
      PARTIAL,
      /** Not requested. */
      SKIPPED,
      /** The preset sees blocks only: nobody was asked. */
      BLOCKS_ONLY,
      /** Nobody was asked. All that peers announced since some time was tested here. */
      HEARD
    }
  }

  /**
   * A transaction of ours got one step further at a peer.
   *
   * @param txid the transaction
   * @param peer the peer
   * @param kind which step
   * @param reason why the peer refused it, in its words; empty for the other steps
   */
  record PeerReaction(Hash256 txid, NodeAddress peer, Kind kind, String reason)
      implements SyncEvent {

    /** The steps. */
    public enum Kind {
      /** A payment of an earlier session was announced to the peer. */
      OFFERED,
      /** The peer requested it, and we sent it. */
      FETCHED,
      /** The peer served it: it has accepted it. */
      ACCEPTED,
      /** The peer announced it, and did not learn of it from us: it has spread. */
      ANNOUNCED,
      /** The peer refused it. */
      REFUSED
    }

    /**
     * Any step but a refusal.
     *
     * @param txid the transaction
     * @param peer the peer
     * @param kind which step
     */
    public PeerReaction(Hash256 txid, NodeAddress peer, Kind kind) {
      this(txid, peer, kind, "");
    }
  }

  /**
   * A step worth a log line. It contains no script, no filter's bytes and no transaction of the
   * wallet.
   *
   * @param topic what it is about
   * @param peer the peer
   * @param text for people
   */
  record Note(Topic topic, NodeAddress peer, String text) implements SyncEvent {
    /** The topics of notes. */
    public enum Topic {
      /** A filter was sent, or grew. */
      FILTER,
      /** Unconfirmed transactions were requested, or are gone. */
      UNCONFIRMED,
      /** The peer does not have a block yet; the machine waits for it. */
      BLOCKS,
      /** The clock was set, or this computer was asleep. */
      TIME,
      /** The peer rejected something (BIP-0061). */
      REJECT,
      /** The peer's fee filter (BIP-0133). */
      FEE
    }
  }

  /** A warning to the user. Reports repeat those that still hold. */
  interface Warning extends SyncEvent, Notice {}
}
