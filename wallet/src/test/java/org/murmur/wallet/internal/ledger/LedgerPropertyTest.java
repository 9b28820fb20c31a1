package org.murmur.wallet.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.TxStatus;

/**
 * Random worlds: the ledger against a naive one, against itself rebuilt, and against its changes.
 */
final class LedgerPropertyTest {

  @Property(tries = 400)
  void agreesWithTheNaiveLedgerAtEveryStep(@ForAll long seed) {
    LedgerWorld world = new LedgerWorld(seed);
    Ledger ledger = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
    NaiveLedger naive = new NaiveLedger(LedgerWorld::find);
    for (int step = 0; step < 40; step++) {
      LedgerInput news = world.next();
      ledger.apply(news, OwnScripts.Growth.NONE);
      naive.apply(news);
      assertThat(ledger.balance(world.height())).isEqualTo(naive.balance(world.height()));
      assertThat(ledger.unspent(world.height()).stream().mapToLong(Unspent::value).sum())
          .isEqualTo(ledger.balance(world.height()).total());
      assertThat(statuses(ledger)).containsExactlyInAnyOrderEntriesOf(naive.statuses());
      assertThat(ledger.watches()).isEqualTo(naive.watches());
      for (Fact fact : ledger.transactions()) {
        assertThat(naive.concerns(fact.tx())).isTrue();
        assertThat(ledger.effect(fact.tx().txid()).net()).isEqualTo(naive.net(fact.tx()));
      }
    }
  }

  @Property(tries = 200)
  void isTheSameWhenRestoredAndWhenItsChangesAreReplayed(@ForAll long seed) {
    LedgerWorld world = new LedgerWorld(seed);
    Ledger ledger = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
    Map<Hash256, Fact> facts = new HashMap<>();
    Map<OutPoint, Watch> watches = new HashMap<>();
    Map<Hash256, TxStatus> told = new HashMap<>();
    for (int step = 0; step < 40; step++) {
      LedgerChange change = ledger.apply(world.next(), OwnScripts.Growth.NONE);
      change.facts().forEach(fact -> facts.put(fact.tx().txid(), fact));
      change.watches().forEach(watch -> watches.put(watch.outPoint(), watch));
      change
          .transitions()
          .forEach(
              t -> {
                assertThat(told.get(t.txid())).isEqualTo(t.before());
                told.put(t.txid(), t.after());
              });
      assertThat(Set.copyOf(ledger.facts())).isEqualTo(Set.copyOf(facts.values()));
      assertThat(ledger.watches()).isEqualTo(Set.copyOf(watches.values()));
      Ledger restored =
          Ledger.restore(LedgerWorld::find, LedgerWorld::isSigned, facts.values(), Archive.EMPTY);
      assertThat(statuses(restored)).isEqualTo(statuses(ledger));
      assertThat(restored.balance(world.height())).isEqualTo(ledger.balance(world.height()));
      assertThat(restored.unspent(world.height())).isEqualTo(ledger.unspent(world.height()));
      assertThat(restored.transactions()).isEqualTo(ledger.transactions());
      Map<Hash256, TxStatus> concerning = new HashMap<>();
      for (Fact fact : ledger.transactions()) {
        concerning.put(fact.tx().txid(), ledger.status(fact.tx().txid()));
      }
      assertThat(told).isEqualTo(concerning);
    }
  }

  /**
   * Strangers announce spends of own coins that nobody signed: nothing changes, and none is kept.
   */
  @Property(tries = 200)
  void isTheSameWithInventedSpends(@ForAll long seed) {
    LedgerWorld world = new LedgerWorld(seed);
    Random dice = new Random(~seed);
    Ledger honest = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
    Ledger deceived = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
    for (int step = 0; step < 40; step++) {
      LedgerInput news = world.next();
      List<Tx> invented = new ArrayList<>();
      for (Unspent coin : honest.unspent(world.height())) {
        if (dice.nextInt(3) == 0) {
          invented.add(
              new TxBuilder()
                  .spend(coin.outPoint())
                  .pay(dice.nextInt(2_000), LedgerWorld.script(dice.nextInt(12)))
                  .lockTime(LedgerWorld.FORGED - dice.nextInt(1_000_000))
                  .build());
        }
      }
      List<Tx> pending = new ArrayList<>(news.pending());
      pending.addAll(dice.nextBoolean() ? 0 : pending.size(), invented);
      honest.apply(news, OwnScripts.Growth.NONE);
      LedgerChange change =
          deceived.apply(
              LedgerInput.ofPeers(
                  news.forkHeight(),
                  news.tip(),
                  news.confirmed(),
                  pending,
                  news.missing(),
                  news.time()),
              OwnScripts.Growth.NONE);
      assertThat(txids(deceived)).isEqualTo(txids(honest));
      assertThat(statuses(deceived)).isEqualTo(statuses(honest));
      assertThat(deceived.balance(world.height())).isEqualTo(honest.balance(world.height()));
      assertThat(deceived.unspent(world.height())).isEqualTo(honest.unspent(world.height()));
      assertThat(invented.stream().map(Tx::txid)).containsAll(change.refused());
    }
  }

  /** All data of a transaction, for comparison. */
  private static String words(Ledger ledger, Hash256 txid) {
    return ledger.status(txid)
        + " "
        + ledger.effect(txid).net()
        + " "
        + Objects.requireNonNull(ledger.fact(txid)).confirmation()
        + " "
        + ledger.replacement(txid);
  }

  /** The last reports of all transactions give the wallet, also while scripts grow. */
  @Property(tries = 300)
  void reportsEveryChange(@ForAll long seed) {
    LedgerWorld world = new LedgerWorld(seed);
    int[] derived = {1};
    OwnScripts scripts =
        script -> {
          int number = LedgerWorld.find(script);
          return number < derived[0] ? number : OwnScripts.FOREIGN;
        };
    OwnScripts.Growth growth =
        (used, mined) -> {
          boolean grow = used.length() + 1 > derived[0] && derived[0] < LedgerWorld.OWN;
          derived[0] += grow ? 1 : 0;
          return grow;
        };
    Ledger ledger = new Ledger(scripts, LedgerWorld::isSigned);
    Map<Hash256, String> copy = new HashMap<>();
    for (int step = 0; step < 40; step++) {
      LedgerChange change = ledger.apply(world.next(), growth);
      change.transitions().forEach(t -> copy.put(t.txid(), words(ledger, t.txid())));
      Map<Hash256, String> whole = new HashMap<>();
      for (Fact fact : ledger.transactions()) {
        whole.put(fact.tx().txid(), words(ledger, fact.tx().txid()));
      }
      assertThat(copy).as("step %d", step).isEqualTo(whole);
    }
  }

  /**
   * A ledger that reads blocks' transactions on demand, and forgets them after every batch, answers
   * and changes the same as one that has everything in memory; also while scripts grow, and after a
   * restart.
   */
  @Property(tries = 400)
  void isTheSameOverAnArchive(@ForAll long seed) {
    LedgerWorld world = new LedgerWorld(seed);
    Random dice = new Random(~seed);
    GrowingScripts scripts = new GrowingScripts();
    GrowingScripts others = new GrowingScripts();
    Ledger whole = new Ledger(scripts, LedgerWorld::isSigned);
    MapArchive archive = new MapArchive();
    Ledger lazy = Ledger.restore(others, LedgerWorld::isSigned, List.of(), archive);
    for (int step = 0; step < 40; step++) {
      LedgerInput news = at(step, world.next());
      LedgerChange expected = whole.apply(news, scripts);
      LedgerChange change = lazy.apply(news, others);
      assertThat(Set.copyOf(change.facts())).isEqualTo(Set.copyOf(expected.facts()));
      assertThat(Set.copyOf(change.transitions())).isEqualTo(Set.copyOf(expected.transitions()));
      assertThat(change.relevant()).isEqualTo(expected.relevant());
      assertThat(Set.copyOf(change.forgotten())).isEqualTo(Set.copyOf(expected.forgotten()));
      archive.write(change);
      if (dice.nextBoolean()) {
        lazy.release(dice.nextInt(3));
      }
      if (dice.nextInt(8) == 0) {
        lazy = Ledger.restore(others, LedgerWorld::isSigned, archive.unconfirmed(), archive);
      }
      assertSame(lazy, whole, world.height(), dice);
    }
  }

  /** A batch with a time that no other batch has. */
  private static LedgerInput at(int time, LedgerInput news) {
    return new LedgerInput(
        news.forkHeight(),
        news.tip(),
        news.confirmed(),
        news.pending(),
        news.missing(),
        time,
        news.sent(),
        news.abandoned(),
        news.signed());
  }

  private static void assertSame(Ledger lazy, Ledger whole, int height, Random dice) {
    assertThat(lazy.balance(height)).isEqualTo(whole.balance(height));
    assertThat(lazy.unspent(height)).isEqualTo(whole.unspent(height));
    assertThat(lazy.pending()).isEqualTo(whole.pending());
    assertThat(lazy.usedScripts()).isEqualTo(whole.usedScripts());
    for (Fact fact : whole.facts()) {
      if (dice.nextInt(3) == 0) {
        Hash256 txid = fact.tx().txid();
        assertThat(lazy.fact(txid)).isEqualTo(fact);
        assertThat(words(lazy, txid)).isEqualTo(words(whole, txid));
        assertThat(lazy.heardSpender(txid).isPresent())
            .isEqualTo(whole.heardSpender(txid).isPresent());
      }
    }
    if (dice.nextInt(4) == 0) {
      assertThat(lazy.transactions()).isEqualTo(whole.transactions());
      assertThat(lazy.watches()).isEqualTo(whole.watches());
      assertThat(Set.copyOf(lazy.facts())).isEqualTo(Set.copyOf(whole.facts()));
    }
    if (dice.nextBoolean()) {
      lazy.release(0);
    }
  }

  /** One more script counts as own when the last one is used. */
  private static final class GrowingScripts implements OwnScripts, OwnScripts.Growth {
    private int derived = 2;

    @Override
    public int find(Bytes script) {
      int number = LedgerWorld.find(script);
      return number < derived ? number : FOREIGN;
    }

    @Override
    public boolean grow(BitSet used, BitSet mined) {
      boolean grow = used.length() >= derived && derived < LedgerWorld.OWN;
      derived += grow ? 1 : 0;
      return grow;
    }
  }

  /**
   * Confirmed blocks, in any order and any batches, repeated until nothing changes: the same as in
   * order. The repetition stands for coverage, which scans again for spends that came before their
   * coins.
   */
  @Property(tries = 200)
  void doesNotMindTheOrder(@ForAll long seed) {
    LedgerWorld world = new LedgerWorld(seed);
    Map<Integer, List<LedgerInput.Mined>> chain = new TreeMap<>();
    for (int step = 0; step < 40; step++) {
      LedgerInput news = world.next();
      chain.keySet().removeIf(height -> height > news.forkHeight());
      for (LedgerInput.Mined mined : news.confirmed()) {
        chain.computeIfAbsent(mined.confirmation().height(), h -> new ArrayList<>()).add(mined);
      }
    }
    int tip = world.height();
    List<LedgerInput.Mined> all = new ArrayList<>();
    chain.values().forEach(all::addAll);
    Ledger inOrder = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
    inOrder.apply(
        LedgerInput.ofPeers(tip, tip, all, List.of(), List.of(), 0), OwnScripts.Growth.NONE);

    Random dice = new Random(~seed);
    Ledger shuffled = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
    boolean news = true;
    for (int round = 0; news; round++) {
      assertThat(round).isLessThan(50);
      news = false;
      Collections.shuffle(all, dice);
      for (int from = 0; from < all.size(); ) {
        int to = Math.min(all.size(), from + 1 + dice.nextInt(6));
        LedgerInput batch =
            LedgerInput.ofPeers(tip, tip, all.subList(from, to), List.of(), List.of(), 0);
        news |= !shuffled.apply(batch, OwnScripts.Growth.NONE).facts().isEmpty();
        from = to;
      }
    }
    assertThat(shuffled.balance(tip)).isEqualTo(inOrder.balance(tip));
    assertThat(shuffled.unspent(tip)).isEqualTo(inOrder.unspent(tip));
    assertThat(shuffled.watches()).isEqualTo(inOrder.watches());
    assertThat(txids(shuffled)).isEqualTo(txids(inOrder));
  }

  @Property(tries = 200)
  void undoesABlockAsIfItHadNeverBeen(@ForAll long seed) {
    LedgerWorld world = new LedgerWorld(seed);
    Ledger ledger = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
    for (int step = 0; step < 30; step++) {
      ledger.apply(world.next(), OwnScripts.Growth.NONE);
    }
    // Confirm the pending ones, in a block that is disconnected at once.
    int tip = world.height();
    List<LedgerInput.Mined> block = new ArrayList<>();
    Set<Hash256> live = new HashSet<>();
    for (Fact fact : ledger.facts()) {
      if (ledger.status(fact.tx().txid()) == TxStatus.PENDING) {
        live.add(fact.tx().txid());
      }
    }
    for (Fact fact : ledger.facts()) {
      if (live.contains(fact.tx().txid())) {
        Hash256 hash = LedgerWorld.blockHash(tip + 1, 77);
        block.add(new LedgerInput.Mined(fact.tx(), new Confirmation(tip + 1, hash, 1, 1)));
      }
    }
    final Balance balance = ledger.balance(tip);
    final Map<Hash256, TxStatus> statuses = statuses(ledger);
    final Set<Watch> watches = ledger.watches();
    ledger.apply(
        LedgerInput.ofPeers(tip, tip + 1, block, List.of(), List.of(), 0), OwnScripts.Growth.NONE);
    assertThat(live).allMatch(txid -> ledger.status(txid) == TxStatus.CONFIRMED);
    ledger.apply(
        LedgerInput.ofPeers(tip, tip, List.of(), List.of(), List.of(), 0), OwnScripts.Growth.NONE);
    assertThat(ledger.balance(tip)).isEqualTo(balance);
    assertThat(statuses(ledger)).isEqualTo(statuses);
    assertThat(ledger.watches()).isEqualTo(watches);
  }

  private static Map<Hash256, TxStatus> statuses(Ledger ledger) {
    Map<Hash256, TxStatus> statuses = new HashMap<>();
    for (Fact fact : ledger.facts()) {
      statuses.put(fact.tx().txid(), ledger.status(fact.tx().txid()));
    }
    return statuses;
  }

  private static List<Hash256> txids(Ledger ledger) {
    return ledger.transactions().stream().map(Fact::tx).map(Tx::txid).toList();
  }
}
