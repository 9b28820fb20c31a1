package org.murmur.wallet.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.wallet.ledger.Balance;

/**
 * What a sync did, and where it left the wallet.
 *
 * @param network the wallet's network
 * @param complete whether everything up to the tip is known; with headers only, whether all headers
 *     are
 * @param ending why it ended
 * @param height the tip's height
 * @param tip the tip's hash
 * @param headers the height of the best header chain
 * @param seenBy how many different peers saw everything up to the tip: of the block seen by the
 *     fewest, how many; 0 where something is not known yet
 * @param verify by how many every block was to be seen
 * @param blocksScanned blocks looked at in this session; twice where they were asked for twice
 * @param transactions of the wallet, confirmed or pending
 * @param balance of the wallet
 * @param mempool how much of the unconfirmed was seen
 * @param falsePositives transactions that matched a filter in this session by chance: neither ours
 *     nor conflicts of a pending payment, whose inputs are in the filter too
 * @param spotChecked whole blocks that were compared with what was reported of them
 * @param bytesReceived in this session
 * @param bytesSent in this session
 * @param elapsed how long it took
 * @param peers who took part
 * @param warnings what to mind
 */
public record SyncReport(
    Network network,
    boolean complete,
    Ending ending,
    int height,
    Hash256 tip,
    int headers,
    int seenBy,
    int verify,
    int blocksScanned,
    int transactions,
    Balance balance,
    MempoolAnswered.Answer mempool,
    int falsePositives,
    int spotChecked,
    long bytesReceived,
    long bytesSent,
    Duration elapsed,
    List<Participant> peers,
    List<WalletWarning> warnings) {

  /** Copies the lists. */
  public SyncReport {
    peers = List.copyOf(peers);
    warnings = List.copyOf(warnings);
  }

  /** Why a session ended. */
  public enum Ending {
    /** There was nothing more to do. */
    DONE,
    /**
     * There was nothing more to do with the peers there are, but not every block was seen by as
     * many as was wanted.
     */
    TOO_FEW_PEERS,
    /**
     * There was nothing more to do with the peers there are, but the newest block that they have is
     * weeks old.
     */
    ENDS_LONG_AGO,
    /**
     * There was nothing more to do, but this machine's clock seems to be behind, so that the newest
     * blocks were left out as blocks of the future.
     */
    CLOCK_BEHIND,
    /** Somebody called stop. */
    STOPPED,
    /** The time was over. */
    TIMEOUT,
    /** As much was received as was allowed. */
    MAX_BYTES,
    /** No usable peer was left. */
    NO_USABLE_PEER,
    /** Peers contradict each other, and nobody hands over the block that would settle it. */
    PEERS_DISAGREE
  }

  /**
   * A peer's part in it.
   *
   * @param address who
   * @param userAgent its words
   * @param blocks how many blocks it served
   * @param headers how many headers it gave that were new; all are counted for one peer if there
   *     was one only, otherwise those of the first peer to complete the version handshake
   * @param misbehaviour what it did wrong, if anything
   * @param problem why it was of no use, or is not there any more; empty if it was there to the end
   */
  public record Participant(
      PeerAddress address,
      String userAgent,
      int blocks,
      int headers,
      Optional<String> misbehaviour,
      Optional<String> problem) {}
}
