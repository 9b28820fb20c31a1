package org.murmur.wallet.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.spend.fee.FeeRate;
import org.murmur.wallet.store.Loss;

/**
 * Warnings for the user of a wallet, as data: one record for each kind. {@link WarningText} has
 * their sentences, and says how serious they are. {@code toString} is enough for a log.
 */
public sealed interface WalletWarning {

  /**
   * A warning of the session with the peers.
   *
   * @param what the kind of warning, with its data
   */
  record OfSession(SyncWarning what) implements WalletWarning {}

  /**
   * Part of the wallet's file was damaged and dropped. All of it can be fetched again.
   *
   * @param loss which part
   */
  record FileDamaged(Loss loss) implements WalletWarning {}

  /**
   * The wallet was synced under the private preset before; under fast every peer gets a filter that
   * it can read the whole wallet from.
   */
  record WalletExposed() implements WalletWarning {}

  /**
   * The private preset needs two guards, so two peers are connected to, although fewer were
   * requested. With {@link GuardOptions#onePeer} one is enough, which learns more.
   *
   * @param wanted how many connections were requested
   */
  record TwoGuardsNeeded(int wanted) implements WalletWarning {}

  /**
   * The cost of a sync could not be written to the file. Only estimates of later syncs suffer.
   *
   * @param detail why, for people
   */
  record CostNotKept(String detail) implements WalletWarning {}

  /**
   * Peers reacted to a transaction that was broadcast, and that could not be written to the file.
   * The file may still say that no peer has it.
   *
   * @param txid of the transaction
   * @param detail why, for people
   */
  record SentNotKept(Hash256 txid, String detail) implements WalletWarning {}

  /**
   * A payment of an earlier session was announced again, and pays less than the lowest rate that a
   * peer of this session relays (BIP-0133). Nothing proves what they say. The person should raise
   * its fee, or wait until they relay less.
   *
   * @param txid of the payment
   * @param paid what it pays
   * @param least the least rate that a peer of this session relays
   */
  record FeeBelowFilter(Hash256 txid, FeeRate paid, FeeRate least) implements WalletWarning {}

  /**
   * This machine's clock seems to be behind: blocks of the peers are refused as blocks from the
   * future.
   *
   * @param height height of the last accepted block
   * @param by how far the clock is behind, according to these peers
   */
  record ClockBehind(int height, Duration by) implements WalletWarning {}

  /**
   * Fewer peers than requested served some block.
   *
   * @param wanted how many peers were to serve every block
   * @param seen how many peers served every block, at least
   * @param useless peers that do not count, each with the reason, for people; in the order in which
   *     they were met
   */
  record TooFewPeers(int wanted, int seen, Map<NodeAddress, String> useless)
      implements WalletWarning {
    /** Copies the map. */
    public TooFewPeers {
      useless = Collections.unmodifiableMap(new LinkedHashMap<>(useless));
    }
  }

  /**
   * The time limit ended the sync.
   *
   * @param limit the time limit
   * @param complete whether only unconfirmed transactions were awaited by then
   */
  record TimeOver(Duration limit, boolean complete) implements WalletWarning {}

  /**
   * The limit of bytes ended the sync.
   *
   * @param limit the limit of received bytes
   * @param complete whether only unconfirmed transactions were awaited by then
   */
  record BytesOver(long limit, boolean complete) implements WalletWarning {}

  /**
   * The limit of bytes ended the sync before a header or a block came: one answer could exceed it.
   * The next sync with this limit gets no further. An answer with headers has up to 162,003 bytes.
   *
   * @param limit the limit of received bytes
   */
  record LimitTooSmall(long limit) implements WalletWarning {}

  /**
   * No block was scanned, since the newest one lies before the wallet's birthday. If the wallet was
   * used before, a rescan from an earlier birthday finds earlier payments.
   *
   * @param height height of the newest block
   */
  record BirthdayAhead(int height) implements WalletWarning {}

  /**
   * No peer's chain is as long as the wallet's, so newer blocks may be missing.
   *
   * @param height where the wallet's chain ends
   * @param ends where the peers' chains end; in the order in which they were met
   */
  record AllChainsShorter(int height, Map<NodeAddress, Integer> ends) implements WalletWarning {
    /** Copies the map. */
    public AllChainsShorter {
      ends = Collections.unmodifiableMap(new LinkedHashMap<>(ends));
    }
  }

  /**
   * The newest block is old: the peers may not be synced themselves or be cut off from the network,
   * or this machine's clock may be wrong.
   *
   * @param height its height
   * @param time the time in its header
   * @param age how long ago that is
   */
  record OldTip(int height, Instant time, Duration age) implements WalletWarning {}

  /**
   * A peer that did nothing wrong was of no use, or is gone.
   *
   * @param peer which
   * @param problem why, for people
   * @param served whether it served blocks before
   */
  record PeerOfNoUse(NodeAddress peer, String problem, boolean served) implements WalletWarning {}

  /**
   * Peers contradict each other about a block, and no peer serves it to settle that.
   *
   * @param height the block's height
   * @param txid a transaction that some reported and one omitted
   * @param omitter the peer that omitted it
   * @param tellers the peers that reported it
   */
  record PeersDisagree(int height, Hash256 txid, NodeAddress omitter, List<NodeAddress> tellers)
      implements WalletWarning {
    /** Copies the list. */
    public PeersDisagree {
      tellers = List.copyOf(tellers);
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
      implements WalletWarning {}

  /** There were more warnings than a report keeps. */
  record FurtherLeftOut() implements WalletWarning {}

  /**
   * An estimate cannot name the peers, which are still to be discovered.
   *
   * @param standIns names that stand for them in the estimate; empty if none gets a filter
   * @param known how many addresses with NODE_BLOOM the wallet knows
   * @param seedNodes nodes that will be asked for addresses
   * @param dnsSeeds whether DNS seeds will be asked
   */
  record PeersToBeFound(List<String> standIns, int known, List<String> seedNodes, boolean dnsSeeds)
      implements WalletWarning {
    /** Copies the lists. */
    public PeersToBeFound {
      standIns = List.copyOf(standIns);
      seedNodes = List.copyOf(seedNodes);
    }
  }

  /**
   * An estimate does not know how many new blocks there are: on regtest they are mined on demand.
   */
  record NewBlocksUnknown() implements WalletWarning {}

  /** An estimate takes the chain's height from the last block's time and the network's pace. */
  record HeightEstimated() implements WalletWarning {}

  /**
   * The wallet watches single addresses, and all of them are used or were handed out: this address
   * is one of them.
   */
  record AllAddressesTaken() implements WalletWarning {}

  /**
   * A wallet restored from its words would not look as far as this address.
   *
   * @param unused how many addresses before it are unused, one after the other
   * @param gap the wallet's gap limit
   */
  record BeyondGap(int unused, int gap) implements WalletWarning {}
}
