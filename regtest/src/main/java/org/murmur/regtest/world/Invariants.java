package org.murmur.regtest.world;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.Footprint;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.Block;
import org.murmur.regtest.Coin;
import org.murmur.regtest.WalletTruth;

/** What has to hold after every step, whatever happens. Broken ones are {@link AssertionError}s. */
final class Invariants {

  /** For those who wait for no tick: all keys, and coins too. */
  static final int EVERYTHING = Integer.MAX_VALUE;

  /** Blocks in flight at one peer: what is in one window, and then some. */
  private static final int MOST_IN_FLIGHT = 10_000;

  /** Transactions kept of one peer. */
  private static final int MOST_RELAYED = 2_000;

  private static final long MOST_RELAYED_BYTES = 16L << 20;

  /** Transactions wanted of one peer. */
  private static final int MOST_WANTED = 11_000;

  /** A getdata each, and some. */
  private static final int MOST_PINGS = 1_000;

  private static final long MOST_JOURNAL_BYTES = 64L << 20;

  /** Of what is not the wallet's but may become so. */
  private static final int MOST_STRANGE = 100_000;

  private static final long MOST_STRANGE_BYTES = 8L << 20;

  private final WorldPlan plan;
  // As many calls as can fail while a line seems to stand, and those that were named.
  private static final int MOST_CALLS = 5_000;

  private final Economy economy;
  private final Served served;
  // The filters on disk, and who is told of which transaction by txid.
  private final Map<Long, Load> loads = new HashMap<>();
  private final Map<PeerAddress, Set<Hash256>> mentioned = new HashMap<>();

  // Under the private preset; null under the other.
  private final @Nullable GuardRules rules;

  Invariants(WorldPlan plan, Economy economy, Served served, @Nullable GuardRules rules) {
    this.rules = rules;
    this.plan = plan;
    this.economy = economy;
    this.served = served;
  }

  static void require(boolean holds, String complaint, Object... details) {
    if (!holds) {
      throw new AssertionError(String.format(java.util.Locale.ROOT, complaint, details));
    }
  }

  /** Memory stays bounded, whatever is thrown at the client. */
  void bounded(Footprint footprint) {
    int peers = Math.max(1, footprint.peers());
    require(
        footprint.peers() <= plan.peers().size()
            && footprint.blocksInFlight() <= peers * MOST_IN_FLIGHT
            && footprint.relayedTransactions() <= peers * MOST_RELAYED
            && footprint.relayedBytes() <= peers * MOST_RELAYED_BYTES
            && footprint.wantedTransactions() <= peers * MOST_WANTED
            && footprint.pings() <= peers * MOST_PINGS
            && footprint.journalBytes() <= MOST_JOURNAL_BYTES
            && footprint.strangeElements() <= MOST_STRANGE
            && footprint.strangeBytes() <= MOST_STRANGE_BYTES
            && footprint.addresses() <= AddressTable.MOST_FRESH + AddressTable.MOST_PROVEN
            && footprint.callsRemembered() <= MOST_CALLS,
        "too much is kept in memory: %s",
        footprint);
  }

  /** A batch is on disk. */
  void written(CommitBatch batch) {
    batch.loads().forEach(load -> loads.put(load.id(), load));
    for (CommitBatch.Mention mention : batch.mentions()) {
      mentioned.computeIfAbsent(mention.peer(), peer -> new HashSet<>()).add(mention.txid());
    }
    if (rules != null) {
      rules.written(batch);
    }
  }

  /** No filter leaves before it is on disk that it does, and no word outside every filter. */
  void sent(Line line, Message message) {
    if (rules != null) {
      rules.sent(line, message);
    }
    if (message instanceof Message.TxMessage handedOver) {
      requireMentioned(line, handedOver.tx().txid());
    } else if (message instanceof Message.Inv announced) {
      announced.items().forEach(item -> requireMentioned(line, item.hash()));
    } else if (message instanceof Message.GetData asked) {
      for (InventoryItem item : asked.items()) {
        boolean byName = item.type() == InventoryItem.TX && !line.announced.contains(item.hash());
        if (byName) {
          requireMentioned(line, item.hash());
        }
      }
    }
    if (message instanceof Message.FilterLoad load) {
      BloomFilter filter = load.filter();
      long id = -1;
      for (Load known : loads.values()) {
        if (known.peer().equals(line.node.address) && known.filter().equals(filter)) {
          id = Math.max(id, known.id());
        }
      }
      require(id >= 0, "a filter is sent to %s before it is on disk", line.node);
      line.sentLoad = id;
    } else if (message instanceof Message.FilterAdd add) {
      Load load = loads.get(line.sentLoad);
      require(
          load != null && load.filter().contains(add.element()),
          "an element is added to the filter at %s before that is on disk",
          line.node);
    }
  }

  private void requireMentioned(Line line, Hash256 txid) {
    require(
        mentioned.getOrDefault(line.node.address.canonical(), Set.of()).contains(txid),
        "%s is told of %s before that is on disk",
        line.node,
        txid);
  }

  /**
   * Nothing unproven is reported as confirmed: each stands where it says, on the client's chain.
   */
  void proven(Holdings holdings) {
    List<Block> chain = chainTo(holdings.tip());
    require(
        chain.size() == holdings.height() + 1,
        "tip %s is at height %d, not %d",
        holdings.tip(),
        chain.size() - 1,
        holdings.height());
    for (Holdings.Entry entry : holdings.transactions()) {
      if (entry.height() != WalletTruth.UNCONFIRMED && !isProven(entry, chain)) {
        throw new AssertionError(entry + " is reported as confirmed, and is not in that block");
      }
    }
  }

  private static boolean isProven(Holdings.Entry entry, List<Block> chain) {
    if (entry.height() < 0 || entry.height() >= chain.size()) {
      return false;
    }
    Block block = chain.get(entry.height());
    return Objects.equals(block.hash(), entry.block()) && block.txids().contains(entry.txid());
  }

  private Hash256 lastTip = Hash256.ZERO;
  private List<Block> lastChain = List.of();

  private List<Block> chainTo(Hash256 tip) {
    if (tip.equals(lastTip)) {
      return lastChain;
    }
    List<Block> chain = new ArrayList<>();
    Hash256 next = tip;
    while (true) {
      Block block = economy.block(next);
      if (block == null) {
        throw new AssertionError("the client's chain has block " + next + ", which nobody mined");
      }
      chain.add(block);
      if (block.previous().equals(Hash256.ZERO)) {
        break;
      }
      next = block.previous();
    }
    Collections.reverse(chain);
    lastTip = tip;
    lastChain = chain;
    return chain;
  }

  /**
   * Coverage never claims what no peer served: every script that a wallet with this gap limit looks
   * for, and every coin of its own, was in the filter of enough peers when they served each block
   * of the client's chain up to a height. Under the private preset coins that are spent need not
   * have been looked for, nor, by a client that follows, what waits for its next tick: coins, and
   * keys of the next epoch.
   */
  void covered(Hash256 tip, int height, int birthday, int nodes, int most) {
    require(
        birthday <= Economy.BASE_HEIGHT + plan.birthday(),
        "the birthday is said to be at height %d, but the wallet is paid from %d on",
        birthday,
        Economy.BASE_HEIGHT + plan.birthday());
    List<Block> chain = chainTo(tip);
    int last = Math.min(height, chain.size() - 1);
    List<BitSet> begins = emptySets(last + 2);
    List<BitSet> ends = emptySets(last + 2);
    collect(chain, last, birthday, most, begins, ends);
    BitSet wanted = new BitSet();
    for (int at = Math.max(1, birthday); at <= last; at++) {
      wanted.or(begins.get(at));
      BitSet missing = served.missing(wanted, chain.get(at).hash(), nodes);
      require(
          missing.isEmpty(),
          "complete to %d is claimed, but element %s was looked for by fewer than %d at height %d",
          height,
          missing.isEmpty() ? "" : served.element(missing.nextSetBit(0)),
          nodes,
          at);
      wanted.andNot(ends.get(at));
    }
  }

  private static List<BitSet> emptySets(int count) {
    List<BitSet> sets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sets.add(new BitSet());
    }
    return sets;
  }

  /** Notes at which height each element's duty begins, and behind which it ends. */
  private void collect(
      List<Block> chain, int last, int birthday, int most, List<BitSet> begins, List<BitSet> ends) {
    Map<OutPoint, Integer> coins = new HashMap<>();
    Set<OutPoint> exempt = rules == null ? Set.of() : spent(chain);
    Watched receive = new Watched(economy.receiveScripts());
    Watched change = new Watched(economy.changeScripts());
    boolean grown = true;
    while (grown) {
      // A script derived late may have been paid early: look again until nothing is new.
      int before = receive.last + change.last;
      for (int at = Economy.BASE_HEIGHT; at <= last; at++) {
        for (Economy.Event event : economy.events(chain.get(at))) {
          Bytes script = event.script();
          if (script != null) {
            receive.paid(script);
            change.paid(script);
          }
        }
      }
      grown = receive.last + change.last > before;
    }
    BitSet scripts = begins.get(Math.min(last + 1, Math.max(1, birthday)));
    receive.elements(scripts, most);
    change.elements(scripts, most);
    boolean coinsToo = most == EVERYTHING;
    for (int at = Economy.BASE_HEIGHT; at <= last; at++) {
      for (Economy.Event event : economy.events(chain.get(at))) {
        Bytes script = event.script();
        if (script == null) {
          Integer coin = coins.remove(event.outPoint());
          if (coin != null) {
            ends.get(at).set(coin);
          }
        } else if (coinsToo
            && !exempt.contains(event.outPoint())
            && (receive.knows(script) || change.knows(script))) {
          int coin = served.number(event.outPoint().toBytes());
          coins.put(event.outPoint(), coin);
          begins.get(at).set(coin);
        }
      }
    }
  }

  private Set<OutPoint> spent(List<Block> chain) {
    Set<OutPoint> spent = new HashSet<>();
    for (Block block : chain.subList(Economy.BASE_HEIGHT, chain.size())) {
      for (Economy.Event event : economy.events(block)) {
        if (event.script() == null) {
          spent.add(event.outPoint());
        }
      }
    }
    return spent;
  }

  /** The scripts of one chain that a wallet must watch, given those that were paid. */
  private final class Watched {
    private final List<Bytes> scripts;
    private int count;
    private int last = -1;

    Watched(List<Bytes> scripts) {
      this.scripts = scripts;
      // Where it grows by whole epochs, what is needed beyond the gap limit is not looked for.
      this.count = rules == null ? Math.max(plan.gap(), plan.lookAhead()) : plan.gap();
    }

    void paid(Bytes script) {
      int place = economy.place(scripts, script);
      if (place > last && place < count) {
        last = place;
        int ahead = rules == null ? Math.max(plan.gap(), plan.lookAhead() / 2) : plan.gap();
        count = Math.max(count, last + 1 + ahead);
      }
    }

    boolean knows(Bytes script) {
      int place = economy.place(scripts, script);
      return place >= 0 && place < count;
    }

    void elements(BitSet numbers, int most) {
      for (int i = 0; i < Math.min(most, Math.min(count, scripts.size())); i++) {
        numbers.set(served.number(Economy.element(scripts.get(i))));
      }
    }
  }

  /** Whether a block that a client calls itself complete to is one of the chain with a tip. */
  boolean isBelow(SyncEvent.Complete complete, Hash256 tip) {
    List<Block> chain = chainTo(tip);
    return complete.height() < chain.size()
        && chain.get(complete.height()).hash().equals(complete.tip());
  }

  /** No block was seen by fewer peers than the wallet says. */
  void seenBy(Hash256 tip, Client.Claims claims) {
    List<Block> chain = chainTo(tip);
    int last = Math.min(claims.completeTo(), chain.size() - 1);
    for (int at = Math.max(1, claims.birthday()); at <= last; at++) {
      int seen = served.seen(chain.get(at).hash());
      require(
          seen >= claims.seenBy(),
          "every block is said to be seen by %d, but that at height %d was served by %d",
          claims.seenBy(),
          at,
          seen);
    }
  }

  /** At the end: the wallet's books say what the blocks say. */
  static void equalsTruth(Holdings holdings, WalletTruth truth, Hash256 tip, boolean pendingToo) {
    require(
        holdings.tip().equals(tip),
        "the client ended at height %d, the chain is at %d",
        holdings.height(),
        truth.height());
    Map<Hash256, String> expected = new HashMap<>();
    Map<Hash256, String> actual = new HashMap<>();
    for (WalletTruth.Entry entry : truth.transactions()) {
      if (pendingToo || entry.height() != WalletTruth.UNCONFIRMED) {
        expected.put(entry.txid(), entry.height() + " " + entry.netSat());
      }
    }
    for (Holdings.Entry entry : holdings.transactions()) {
      if (pendingToo || entry.height() != WalletTruth.UNCONFIRMED) {
        actual.put(entry.txid(), entry.height() + " " + entry.netSat());
      }
    }
    Map<Hash256, String> lost = new HashMap<>(expected);
    lost.entrySet().removeAll(actual.entrySet());
    Map<Hash256, String> invented = new HashMap<>(actual);
    invented.entrySet().removeAll(expected.entrySet());
    require(
        lost.isEmpty() && invented.isEmpty(),
        "of %d transactions (txid, height, satoshi) the wallet lacks %s and has instead %s",
        expected.size(),
        lost,
        invented);
    sums(holdings, truth, pendingToo);
  }

  /**
   * At the end, under the private preset: the wallet knows each pending payment that its guards had
   * to announce under the newest filters of some roles. If it had to doubt the others, it counts
   * none that they had to announce and lacked.
   */
  void pending(Holdings holdings, Set<FilterRole> roles, boolean doubted) {
    Set<Hash256> known = new HashSet<>();
    for (Holdings.Entry entry : holdings.transactions()) {
      if (entry.height() == WalletTruth.UNCONFIRMED) {
        known.add(entry.txid());
      }
    }
    Set<Hash256> there = new HashSet<>();
    for (WalletTruth.Entry entry : economy.truth().transactions()) {
      if (entry.height() == WalletTruth.UNCONFIRMED) {
        there.add(entry.txid());
        require(
            known.contains(entry.txid()) || !isTold(entry.txid(), roles),
            "the wallet does not know of the pending payment %s",
            entry.txid());
      }
    }
    for (Hash256 txid : known) {
      require(
          !doubted || there.contains(txid) || !isTold(txid, roles),
          "the wallet counts the pending payment %s, which no guard announced",
          txid);
    }
  }

  private boolean isTold(Hash256 txid, Set<FilterRole> roles) {
    Tx tx = economy.tx(txid);
    return rules != null && tx != null && rules.isTold(tx, roles);
  }

  private static void sums(Holdings holdings, WalletTruth truth, boolean pendingToo) {
    long immature = 0;
    long all = 0;
    Set<OutPoint> coins = new HashSet<>();
    for (Coin coin : truth.coins()) {
      all += coin.value();
      coins.add(coin.outPoint());
      // Like a node's own wallet: one confirmation more than consensus asks for.
      if (coin.coinbase() && truth.height() - coin.height() + 1 <= Coin.MATURITY) {
        immature += coin.value();
      }
    }
    require(
        holdings.confirmedSat() == all - immature && holdings.immatureSat() == immature,
        "balance %d confirmed and %d immature, expected %d and %d",
        holdings.confirmedSat(),
        holdings.immatureSat(),
        all - immature,
        immature);
    if (pendingToo) {
      require(
          holdings.unconfirmedSat() == truth.unconfirmedSat(),
          "balance %d unconfirmed, expected %d",
          holdings.unconfirmedSat(),
          truth.unconfirmedSat());
    }
    boolean nothingPends =
        holdings.transactions().stream()
            .noneMatch(entry -> entry.height() == WalletTruth.UNCONFIRMED);
    if (nothingPends) {
      require(
          holdings.coins().equals(coins),
          "%d coins, expected %d",
          holdings.coins().size(),
          coins.size());
    }
  }

  /**
   * Reads the client's claims and holds them against what was served; those up to a height were
   * looked at already.
   */
  void claimed(Client client, Hash256 tip, int already) throws IOException {
    Client.Claims claims = client.claims();
    if (plan.has(WorldPlan.Kind.OMITTING)) {
      // What one peer says may be a lie: only what the client calls complete after asking enough of
      // them is a claim.
      return;
    }
    if (claims.birthday() >= 0 && claims.completeTo() >= claims.birthday()) {
      if (claims.completeTo() > already) {
        covered(tip, claims.completeTo(), claims.birthday(), 1, EVERYTHING);
      }
      seenBy(tip, claims);
    }
  }
}
