package org.murmur.wallet.sync;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.overview.Damage;

/** Warnings for the user of a wallet, one record for each kind. */
public sealed interface WalletWarning extends SyncEvent.Warning {

  /**
   * Part of the wallet's file was damaged and dropped. All of it can be fetched again.
   *
   * @param damage which part
   */
  record FileDamaged(Damage damage) implements WalletWarning, Serious {
    @Override
    public String text() {
      return damage.text();
    }
  }

  /**
   * The wallet had the private or compact preset so far; under fast every peer gets a filter that
   * it can read the whole wallet from.
   */
  record WalletExposed() implements WalletWarning, Serious {
    @Override
    public String text() {
      return "this wallet had the private or compact preset so far; with fast, every"
          + " peer gets a filter from which it can read the whole wallet";
    }
  }

  /**
   * Under the compact preset one peer gets a filter with everything, for its memory pool: a node
   * that is not on this machine or in a private network.
   *
   * @param peer which
   */
  record ShownToPoolNode(NodeAddress peer) implements WalletWarning, Serious {
    /**
     * {@return the warning of a session; empty if it has no such node}
     *
     * @param preset of the session
     */
    public static Optional<WalletWarning> by(Preset preset) {
      return preset.poolNode().filter(node -> !node.isLocal()).map(ShownToPoolNode::new);
    }

    @Override
    public String text() {
      return peer
          + " gets a filter from which it can read the whole wallet, for pending payments; name"
          + " only a node that you trust";
    }
  }

  /**
   * The only node that was to say which payments are pending did not.
   *
   * @param peer which
   * @param problem why, for people
   */
  record PoolNodeSilent(NodeAddress peer, String problem) implements WalletWarning {
    @Override
    public String text() {
      return peer
          + " does not say which payments are pending: "
          + problem
          + ". A node needs peerbloomfilters=1 in its bitcoin.conf for that";
    }
  }

  /** An estimate of a sync that fetches all that peers announce does not count that. */
  record AnnouncementsNotCounted() implements WalletWarning, Minor {
    @Override
    public String text() {
      return "for pending payments all announced transactions are fetched, about 300 MB a day on"
          + " mainnet; that is not in these numbers, and no peer learns an address by it";
    }
  }

  /**
   * The private preset needs two guards, so two peers are connected to, although fewer were
   * requested. With {@code onePeer} one is enough, which learns more.
   *
   * @param wanted how many connections were requested
   */
  record TwoGuardsNeeded(int wanted) implements WalletWarning, Minor {
    @Override
    public String text() {
      return "the private preset needs two guards, so two peers are connected to instead of "
          + wanted;
    }
  }

  /**
   * The cost of a sync could not be written to the file. Only estimates of later syncs suffer.
   *
   * @param detail why, for people
   */
  record CostNotKept(String detail) implements WalletWarning, Minor {
    @Override
    public String text() {
      return "the cost of this sync could not be stored: " + detail;
    }
  }

  /**
   * Peers reacted to a transaction that was broadcast, and that could not be written to the file.
   * The file may still say that no peer has it.
   *
   * @param txid of the transaction
   * @param detail why, for people
   */
  record SentNotKept(Hash256 txid, String detail) implements WalletWarning {
    @Override
    public String text() {
      return "transaction "
          + txid
          + " was sent, and the wallet's file could not be updated: "
          + detail
          + ". The next sync corrects it";
    }
  }

  /**
   * A payment of an earlier session was announced again, and pays less than the lowest rate that a
   * peer of this session relays (BIP-0133). Nothing proves what they say. The person should raise
   * its fee, or wait until they relay less.
   *
   * @param txid of the payment
   * @param paid what it pays
   * @param least the least rate that a peer of this session relays
   */
  record FeeBelowFilter(Hash256 txid, FeeRate paid, FeeRate least) implements WalletWarning {
    @Override
    public String text() {
      return "payment "
          + txid
          + " pays "
          + paid
          + ", and the peers say that they relay nothing below "
          + least
          + ": it does not spread as long as that holds. Raise its fee";
    }
  }

  /**
   * Fewer peers than requested served some block, or agreed on its filter.
   *
   * @param wanted how many peers were to serve every block, or to agree on every filter
   * @param seen how many peers did so, at least
   * @param useless peers that do not count, each with the reason, for people; in the order in which
   *     they were met
   * @param byFilters whether every block was scanned, and not checked by its filter
   */
  record TooFewPeers(int wanted, int seen, Map<NodeAddress, String> useless, boolean byFilters)
      implements WalletWarning {
    /** Copies the map. */
    public TooFewPeers {
      useless = Collections.unmodifiableMap(new LinkedHashMap<>(useless));
    }

    @Override
    public String text() {
      return (byFilters
              ? "not every block was checked by its block filter: "
                  + seen
                  + " of "
                  + wanted
                  + " peers agree on the filters, which nodes with NODE_COMPACT_FILTERS serve. "
              : "not every block was scanned with "
                  + wanted
                  + " peers as requested: some were scanned with "
                  + seen
                  + " only. ")
          + (useless.isEmpty()
              ? "Name a further peer"
              : "These do not count: " + each(useless, ": ", "; "));
    }
  }

  /**
   * The time limit ended the sync.
   *
   * @param limit the time limit
   * @param complete whether only unconfirmed transactions were awaited by then
   */
  record TimeOver(Duration limit, boolean complete) implements WalletWarning {
    @Override
    public String text() {
      return "the time limit of " + seconds(limit) + " s " + ended(complete);
    }

    @Override
    public Severity severity() {
      return complete ? Severity.NOTE : Severity.WARNING;
    }
  }

  /**
   * The limit of bytes ended the sync.
   *
   * @param limit the limit of received bytes
   * @param complete whether only unconfirmed transactions were awaited by then
   */
  record BytesOver(long limit, boolean complete) implements WalletWarning {
    @Override
    public String text() {
      return "the limit of " + limit + " bytes " + ended(complete);
    }

    @Override
    public Severity severity() {
      return complete ? Severity.NOTE : Severity.WARNING;
    }
  }

  /**
   * The limit of bytes ended the sync before a header or a block came: one answer could exceed it.
   * The next sync with this limit gets no further. An answer with headers has up to 162,003 bytes.
   *
   * @param limit the limit of received bytes
   */
  record LimitTooSmall(long limit) implements WalletWarning {
    @Override
    public String text() {
      return "the limit of "
          + limit
          + " bytes is too small for a peer's next answer, so no sync with it gets further: 2000"
          + " headers have 162003 bytes";
    }
  }

  /**
   * No block was scanned, since the newest one lies before the wallet's birthday. If the wallet was
   * used before, a rescan from an earlier birthday finds earlier payments.
   *
   * @param height height of the newest block
   */
  record BirthdayAhead(int height) implements WalletWarning, Serious {
    @Override
    public String text() {
      return "no block was scanned: the newest one, height "
          + height
          + ", is older than the wallet's birthday. If the wallet was used before that, rescan"
          + " from an earlier date or height";
    }
  }

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

    @Override
    public String text() {
      return "this wallet knows blocks up to height "
          + height
          + ", but the peers' chains are shorter: "
          + each(ends, " ends at height ", ", ")
          + ". Newer blocks may be missing: your own node may still be syncing";
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
  record OldTip(int height, Instant time, Duration age) implements WalletWarning {
    @Override
    public String text() {
      long hours = age.toHours();
      return "the newest block, height "
          + height
          + ", is of "
          + time
          + ", "
          + (hours < 48 ? hours + " hours" : hours / 24 + " days")
          + " ago: the peers may not be synced, or this machine's clock may be wrong. Newer"
          + " blocks may be missing";
    }
  }

  /**
   * A peer that did nothing wrong was of no use, or is gone.
   *
   * @param peer which
   * @param problem why, for people
   * @param served whether it served blocks before
   */
  record PeerOfNoUse(NodeAddress peer, String problem, boolean served)
      implements WalletWarning, Minor {
    @Override
    public String text() {
      return peer + (served ? " was lost: " : " could not be used: ") + problem;
    }
  }

  /**
   * A compact sync took the filters of blocks from one peer that is not on this machine or network.
   *
   * @param peer which
   */
  record FiltersOfOne(NodeAddress peer) implements WalletWarning, Minor {
    @Override
    public String text() {
      return "only "
          + peer
          + " gave filters of blocks, and it could hide a payment: those of a second peer would be"
          + " compared";
    }
  }

  /** There were more warnings than a report keeps. */
  record FurtherLeftOut() implements WalletWarning, Minor {
    @Override
    public String text() {
      return "further warnings were omitted";
    }
  }

  /**
   * Too few of the found peers serve Bloom filters, and the user of a first sync chose no preset:
   * it goes on with filters of blocks if that takes few bytes, and otherwise ends.
   *
   * @param bytes about how many the compact preset takes
   * @param begun whether the sync goes on under it
   */
  record BlockFiltersInstead(long bytes, boolean begun) implements WalletWarning, Minor {
    @Override
    public String text() {
      String cost = "about " + Math.max(1, (bytes + 500_000) / 1_000_000) + " MB";
      return begun
          ? "too few peers with Bloom filters were found. Syncing with filters of blocks (compact"
              + " preset): "
              + cost
              + "; pending payments are not seen. Later syncs do the same, until another preset is"
              + " chosen"
          : "too few peers with Bloom filters were found. Enough serve filters of blocks: the"
              + " compact preset takes "
              + cost;
    }
  }

  /**
   * An estimate cannot name the peers, which are still to be discovered.
   *
   * @param standIns names that stand for them in the estimate; empty if none gets a filter
   * @param known how many addresses with this service the wallet knows
   * @param service the service that they need, as Core names it: {@code NODE_BLOOM} or {@code
   *     NODE_COMPACT_FILTERS}
   * @param seedNodes nodes that will be asked for addresses
   * @param dnsSeeds whether DNS seeds will be asked
   * @param builtIn whether built-in nodes will be asked if nothing else helps
   */
  record PeersToBeFound(
      List<String> standIns,
      int known,
      String service,
      List<String> seedNodes,
      boolean dnsSeeds,
      boolean builtIn)
      implements WalletWarning, Minor {
    /** Copies the lists. */
    public PeersToBeFound {
      standIns = List.copyOf(standIns);
      seedNodes = List.copyOf(seedNodes);
    }

    @Override
    public String text() {
      List<String> sources = new ArrayList<>();
      if (known > 0) {
        sources.add("the " + known + " known addresses with " + service);
      }
      seedNodes.forEach(node -> sources.add("seed node " + node));
      if (dnsSeeds) {
        sources.add("DNS seeds");
      }
      sources.add("gossip");
      if (builtIn) {
        sources.add("built-in nodes if nothing else helps");
      }
      return (standIns.isEmpty() ? "peers" : String.join(", ", standIns))
          + ": to be found with "
          + String.join(", ", sources)
          + "; up to two more peers serve headers and get no filter";
    }
  }

  /**
   * An estimate does not know how many new blocks there are: on regtest they are mined on demand.
   */
  record NewBlocksUnknown() implements WalletWarning, Minor {
    @Override
    public String text() {
      return "the number of new blocks is unknown: regtest has no block interval";
    }
  }

  /** An estimate takes the chain's height from the last block's time and the network's pace. */
  record HeightEstimated() implements WalletWarning, Minor {
    @Override
    public String text() {
      return "the chain's height is estimated from the last known block's time and the network's"
          + " pace";
    }
  }

  /**
   * The wallet watches single addresses, and all of them are used or were handed out: this address
   * is one of them.
   */
  record AllAddressesTaken() implements WalletWarning {
    @Override
    public String text() {
      return "this wallet cannot derive new addresses, and all of its addresses were used or shown"
          + " before: this is one of them again";
    }
  }

  /**
   * A wallet restored from its words would not look as far as this address.
   *
   * @param unused how many addresses before it are unused, one after the other
   * @param gap the wallet's gap limit
   */
  record BeyondGap(int unused, int gap) implements WalletWarning {
    @Override
    public String text() {
      return "the "
          + unused
          + " addresses before this one are unused: a wallet restored from its words with"
          + " a gap limit of "
          + gap
          + " would not find it";
    }
  }

  private static String ended(boolean complete) {
    return complete
        ? "ended the sync while it waited for unconfirmed transactions"
        : "ended the sync before it was complete";
  }

  private static String each(Map<NodeAddress, ?> peers, String between, String separator) {
    return peers.entrySet().stream()
        .map(peer -> peer.getKey() + between + peer.getValue())
        .collect(Collectors.joining(separator));
  }

  private static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
  }
}
