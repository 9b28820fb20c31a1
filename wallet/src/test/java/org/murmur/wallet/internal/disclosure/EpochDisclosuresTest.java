package org.murmur.wallet.internal.disclosure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.EpochFilters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoreChanges;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.NextFilter;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;
import org.murmur.wallet.privacy.Universe;

/** The record if filters are frozen epochs: scripts at one guard, coins at another. */
final class EpochDisclosuresTest {

  private static final NodeAddress A = new NodeAddress("a.example", 8333);
  private static final NodeAddress B = new NodeAddress("b.example", 8333);
  private static final int SCRIPTS = 100;
  private static final int COINS = 20;

  private static Bytes element(int i) {
    return Bytes.ofHex(String.format("%040x", i + 1));
  }

  private static OutPoint coin(int i) {
    return new OutPoint(Hash256.ofDisplay(String.format("%064x", i + 1)), 0);
  }

  private static MemoryStore store() {
    List<Bytes> elements = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < SCRIPTS; i++) {
      elements.add(element(i));
      addresses.add("address " + i);
    }
    return new MemoryStore(
        new StoredWallet(
            "regtest",
            7,
            new Birthday.AtHeight(0),
            OptionalInt.of(1),
            20,
            SCRIPTS,
            List.of(new StoredWallet.Chain("addr(x)", false, false, 0)),
            null),
        List.of(new ScriptRun(0, 0, 0, elements, elements, addresses)));
  }

  private static Load load(long id, NodeAddress peer, FilterRole role, int from, int to) {
    BitSet members = new BitSet();
    members.set(from, to);
    List<Bytes> elements = new ArrayList<>();
    members.stream()
        .forEach(i -> elements.add(i < SCRIPTS ? element(i) : coin(i - SCRIPTS).toBytes()));
    BloomFilter filter =
        new EpochFilters(Bytes.ofHex("0102"))
            .filter(role, 0, elements, SizeClass.holding(SizeClass.THRIFTY, elements.size()));
    return new Load(id, peer, new Content.Epoch(role, 0, members), filter, 1_000 * id);
  }

  private static StoreChange change(List<Load> loads, List<LoggedOutPoint> coins) {
    return StoreChanges.above(0).loads(loads).outPoints(coins).build();
  }

  private static List<LoggedOutPoint> coins(int from, int to) {
    List<LoggedOutPoint> coins = new ArrayList<>();
    for (int i = from; i < to; i++) {
      coins.add(new LoggedOutPoint(SCRIPTS + i, coin(i), i, 5, Integer.MAX_VALUE, false));
    }
    return coins;
  }

  private static Disclosures read(MemoryStore store) throws Exception {
    return Disclosures.of(
        new Books(store, ChainParams.REGTEST, KeyNetwork.REGTEST), Universe.chosen(1e9));
  }

  @Test
  void restartsDiscloseNothingAndTwoGuardsHaveThePairTest() throws Exception {
    MemoryStore store = store();
    store.write(change(List.of(), coins(0, COINS)));
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      loads.add(load(2 * i + 1, A, FilterRole.SCRIPTS, 0, SCRIPTS));
      loads.add(load(2 * i + 2, B, FilterRole.OUTPOINTS, SCRIPTS, SCRIPTS + COINS));
    }
    store.write(change(loads, List.of()));
    PrivacyReport report = read(store).report(Preset.Kind.PRIVATE);
    assertThat(report.peers()).hasSize(2);
    for (Knowledge guard : report.peers()) {
      assertThat(guard.filters()).isEqualTo(1);
      assertThat(guard.different()).isEqualTo(1);
      assertThat(guard.pairs()).isEmpty();
      assertThat(guard.growth()).isEmpty();
      assertThat(guard.named()).isZero();
      assertThat(guard.sharpest().orElseThrow().strangers()).isGreaterThan(1e4);
    }
    Knowledge together = report.coalitions().get(0);
    assertThat(together.pairs().orElseThrow().own()).isEqualTo(COINS);
    assertThat(together.pairs().orElseThrow().strangers()).isBetween(1.0, 100.0);
    assertThat(report.filters().get(0).role()).isEqualTo(FilterRole.SCRIPTS);
    assertThat(report.filters().get(0).epoch()).hasValue(0);
    assertThat(report.filters()).extracting(ShownFilter::times).containsExactly(10, 10);
    assertThat(report.audience().peers()).isEqualTo(2);
    // The dummies hide how large the wallet is: both look as full as their class.
    assertThat(report.filters())
        .allSatisfy(f -> assertThat(f.estimatedElements()).isBetween(230.0, 285.0));
    // Another sync sends the same, and discloses nothing.
    assertThat(report.next().filters()).hasSize(2).allMatch(NextFilter::shownBefore);
    assertThat(report.next().after().get(0).sharpest())
        .isEqualTo(
            report.peers().stream()
                .filter(k -> k.peers().equals(report.next().after().get(0).peers()))
                .findFirst()
                .orElseThrow()
                .sharpest());
  }

  @Test
  void foretellsNewEpochs() throws Exception {
    MemoryStore store = store();
    NextSync first = read(store).next().guarded(List.of(A, B), Preset.Private.USUAL);
    assertThat(first.filters()).extracting(NextFilter::to).containsExactly(List.of(A), List.of(B));
    assertThat(first.filters()).noneMatch(NextFilter::shownBefore);
    assertThat(first.filters().get(0).scripts()).isEqualTo(SCRIPTS);
    assertThat(first.filters().get(1).outPoints()).isZero();
    assertThat(first.filters().get(0).rate()).isBetween(5e-5, 2e-4);
    store.write(change(List.of(), coins(0, COINS)));
    store.write(
        change(
            List.of(
                load(1, A, FilterRole.SCRIPTS, 0, SCRIPTS),
                load(2, B, FilterRole.OUTPOINTS, SCRIPTS, SCRIPTS + COINS)),
            coins(COINS, COINS + 3)));
    NextSync later = read(store).next().guarded(List.of(B, A), Preset.Private.USUAL);
    // The guards stay, whatever the order of names; three coins are in no epoch yet.
    assertThat(later.filters()).hasSize(3);
    assertThat(later.filters().get(0).to()).containsExactly(A);
    assertThat(later.filters().get(2).to()).containsExactly(B);
    assertThat(later.filters().get(2).epoch()).hasValue(1);
    assertThat(later.filters().get(2).outPoints()).isEqualTo(3);
    assertThat(later.after()).hasSize(3);
    assertThat(later.after().get(2).pairs()).isPresent();
  }
}
