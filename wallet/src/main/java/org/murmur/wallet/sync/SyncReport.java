package org.murmur.wallet.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.OtherWallet;

/**
 * The result of a sync, and the wallet's state after it.
 *
 * @param network the wallet's network
 * @param complete whether everything up to the tip of the peers is known
 * @param ending why it ended
 * @param chain how much of the chain the wallet knows
 * @param verify how many peers were to serve every block
 * @param checkedByFilters whether filters of blocks confirmed all that peers served (BIP-0157)
 * @param blocksScanned blocks scanned in this session; counted twice if requested twice, or if
 *     their filters check the scan
 * @param transactions of the wallet, confirmed or pending
 * @param balance of the wallet
 * @param mempool how much of the mempool was seen
 * @param heardSince if everything announced was heard: since when
 * @param falsePositives transactions that matched a filter in this session by chance: neither ours
 *     nor conflicts of a pending payment, whose inputs are in the filter too
 * @param spotChecked whole blocks that were compared with the filtered ones
 * @param bytesReceived in this session, and in a search for peers that gave up before it
 * @param bytesSent the same
 * @param elapsed how long both took
 * @param peers of the session
 * @param warnings for the user, as far as they still hold at the end: the listener heard the others
 * @param announced payments of earlier sessions that this one announced
 * @param lost payments of the wallet that counted before this session and no longer do, because of
 *     what peers sent: each was replaced, or a block holds another spend of its coins
 * @param tryAlso if a complete wallet that may be older than its file has no payment: other wallets
 *     of the same words or keys, which may have some
 */
public record SyncReport(
    ChainParams network,
    boolean complete,
    Ending ending,
    ChainState chain,
    int verify,
    boolean checkedByFilters,
    int blocksScanned,
    int transactions,
    Balance balance,
    MempoolAnswered.Answer mempool,
    Optional<Instant> heardSince,
    int falsePositives,
    int spotChecked,
    long bytesReceived,
    long bytesSent,
    Duration elapsed,
    List<Participant> peers,
    List<SyncEvent.Warning> warnings,
    List<Announced> announced,
    List<HistoryEntry> lost,
    List<OtherWallet> tryAlso) {

  /** Copies the lists. */
  public SyncReport {
    peers = List.copyOf(peers);
    warnings = List.copyOf(warnings);
    announced = List.copyOf(announced);
    lost = List.copyOf(lost);
    tryAlso = List.copyOf(tryAlso);
  }

  /** {@return the height of the best header, the tip's height} */
  public int height() {
    return chain.height();
  }

  /** {@return the best header, the tip's hash} */
  public Hash256 tip() {
    return chain.tip();
  }

  /**
   * {@return how many different peers served everything up to the tip, that of the block with the
   * fewest; 0 if something is not known yet}
   */
  public int seenBy() {
    return chain.scannedTo().orElse(-1) == chain.height() ? chain.seenBy() : 0;
  }

  /**
   * A payment of an earlier session that this one announced.
   *
   * @param txid which
   * @param to peers that it was announced to
   * @param fetchedBy peers that fetched it
   * @param relayedBy peers that have it: they returned or announced it
   */
  public record Announced(
      Hash256 txid,
      List<NodeAddress> to,
      List<NodeAddress> fetchedBy,
      List<NodeAddress> relayedBy) {

    /** Copies the lists. */
    public Announced {
      to = List.copyOf(to);
      fetchedBy = List.copyOf(fetchedBy);
      relayedBy = List.copyOf(relayedBy);
    }
  }

  /** Why a session ended. */
  public enum Ending {
    /** Everything is done. */
    DONE,
    /**
     * Everything is done with the present peers, but fewer peers than requested served some block.
     */
    TOO_FEW_PEERS,
    /**
     * Everything is done with the present peers, but the newest block that they have is weeks old.
     */
    ENDS_LONG_AGO,
    /**
     * Everything is done, but this machine's clock seems to be behind, so the newest blocks were
     * refused as blocks from the future.
     */
    CLOCK_BEHIND,
    /** The application called stop. */
    STOPPED,
    /** The time limit was reached. */
    TIMEOUT,
    /** The limit of received bytes was reached. */
    MAX_BYTES,
    /** No usable peer was left. */
    NO_USABLE_PEER,
    /** Peers contradict each other, and no peer serves the block that would settle it. */
    PEERS_DISAGREE
  }

  /**
   * A peer's part in the session.
   *
   * @param address of the peer
   * @param userAgent as it announced
   * @param encrypted whether the last connection to it was encrypted (BIP-0324)
   * @param blocks how many blocks it served
   * @param headers how many new headers it served; with a single peer all are counted for it,
   *     otherwise those of the first peer to complete the version handshake
   * @param misbehaviour its misbehaviour, if any
   * @param problem why it was of no use or is gone; empty if it stayed to the end
   */
  public record Participant(
      NodeAddress address,
      String userAgent,
      boolean encrypted,
      int blocks,
      int headers,
      Optional<String> misbehaviour,
      Optional<String> problem) {}
}
