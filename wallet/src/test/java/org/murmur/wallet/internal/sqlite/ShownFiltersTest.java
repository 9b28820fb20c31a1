package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.internal.store.DisclosedScripts;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoreChanges;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;

/** The record of what peers were shown: how filters began and what became of them. */
final class ShownFiltersTest {

  private static final NodeAddress PEER = new NodeAddress("127.0.0.1", 18444);

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private static StoredWallet wallet() {
    return new StoredWallet(
        "regtest",
        7,
        new Birthday.AtHeight(0),
        OptionalInt.empty(),
        20,
        1000,
        List.of(new StoredWallet.Chain("wpkh(a/0/*)", false, true, 0)),
        null);
  }

  private WalletStore store(boolean onDisk) {
    WalletStore store =
        onDisk
            ? SqliteStore.create(file(), wallet(), List.of())
            : new MemoryStore(wallet(), List.of());
    store.lock();
    return store;
  }

  private static Load load(long id, int elements, String... inserted) {
    BloomFilter.Builder filter =
        BloomFilter.builder(new FilterParameters(10, 3, 5, UpdateFlag.ALL));
    for (String element : inserted) {
      filter.add(Bytes.ofHex(element));
    }
    return new Load(id, PEER, elements, filter.build(), 77);
  }

  private static StoreChange change(
      int fork,
      Headers connected,
      int voidFrom,
      List<NodeAddress> disowned,
      List<Load> loads,
      List<ScanRow> rows,
      List<ServerCopy> copies) {
    return StoreChanges.above(fork)
        .connected(connected)
        .voidRowsFrom(voidFrom)
        .disowned(disowned)
        .loads(loads)
        .rows(rows)
        .copies(copies)
        .build();
  }

  private static StoreChange shown(List<Load> loads, List<ServerCopy> copies) {
    return change(0, Headers.NONE, Integer.MAX_VALUE, List.of(), loads, List.of(), copies);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void remembersHowAFilterBeganWhenItGrows(boolean onDisk) throws Exception {
    try (WalletStore store = store(onDisk)) {
      assertThat(store.showings()).isEmpty();
      store.write(shown(List.of(load(1, 60, "01")), List.of()));
      store.write(shown(List.of(load(1, 62, "01", "02")), List.of(new ServerCopy(1, 3, 17))));
      store.write(shown(List.of(load(2, 62, "03")), List.of()));
      assertThat(store.showings())
          .extracting(
              SentFilter::load,
              SentFilter::elements,
              sent -> sent.content().size(),
              SentFilter::outPoints,
              SentFilter::serverBits)
          .containsExactly(tuple(1L, 60, 62, 3, 17), tuple(2L, 62, 62, 0, 0));
      assertThat(store.showings().get(0).bitsSet()).isEqualTo(load(1, 60, "01").filter().bitsSet());
    }
  }

  /** Thirty thousand connections are as much to read as one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFilterThatComesAgainIsCounted(boolean onDisk) throws Exception {
    try (WalletStore store = store(onDisk)) {
      for (int i = 1; i <= 300; i++) {
        store.write(shown(List.of(at(i, 60, i)), List.of(new ServerCopy(i, i % 7, i % 5))));
      }
      store.write(shown(List.of(load(301, 61, "01", "02")), List.of()));
      assertThat(store.showings())
          .extracting(
              SentFilter::load,
              SentFilter::first,
              SentFilter::last,
              SentFilter::times,
              SentFilter::outPoints,
              SentFilter::serverBits)
          .containsExactly(tuple(300L, 1L, 300L, 300, 6, 4), tuple(301L, 77L, 77L, 1, 0, 0));
    }
  }

  private static Load at(long id, int elements, long time) {
    Load made = load(id, elements, "01");
    return new Load(id, PEER, elements, made.filter(), time);
  }

  /** A load under which blocks were served, or may be, is none that can be counted with another. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLoadThatARowNamesOrThatIsInUseStays(boolean onDisk) throws Exception {
    try (WalletStore store = store(onDisk)) {
      StoreChanges served =
          StoreChanges.above(0)
              .connected(SqliteStoreTest.headers(1, 10, 0))
              .loads(List.of(at(1, 60, 1)))
              .rows(List.of(new ScanRow(1, 1, 60, 1, 10, 78)));
      store.write(served.build());
      StoreChanges again = StoreChanges.above(10).loads(List.of(at(2, 60, 2)));
      store.write(again.folded(Folded.NOTHING, Set.of(2L)).build());
      again = StoreChanges.above(10).loads(List.of(at(3, 60, 3)));
      store.write(again.folded(Folded.NOTHING, Set.of(2L, 3L)).build());
      assertThat(store.showings()).extracting(SentFilter::load).containsExactly(1L, 2L, 3L);
      // The row finds a place under the third load; the first one is not needed any more.
      Folded folded = new Folded(Set.of(), List.of(new ScanRow(1, 3, 60, 1, 10, 78)), Set.of(3L));
      again = StoreChanges.above(10).loads(List.of(at(4, 60, 4)));
      store.write(again.folded(folded, Set.of(4L)).build());
      assertThat(store.showings())
          .extracting(SentFilter::load, SentFilter::times)
          .containsExactly(tuple(3L, 3), tuple(4L, 1));
      assertThat(store.views()).containsExactly(at(3, 60, 3).view().retired());
    }
  }

  /** A filter's bytes follow from the log; those of an epoch do not. */
  @Test
  void theFileKeepsTheBytesOfEpochsOnly() throws Exception {
    try (WalletStore store = store(true)) {
      BloomFilter large =
          BloomFilter.builder(new FilterParameters(36_000, 3, 5, UpdateFlag.ALL)).build();
      store.write(shown(List.of(new Load(1, PEER, 60, large, 77)), List.of()));
      assertThat(store.showings().get(0).parameters()).isEqualTo(large.parameters());
      BitSet members = new BitSet();
      members.set(3);
      Content epoch = new Content.Epoch(FilterRole.SCRIPTS, 0, members);
      BloomFilter other =
          BloomFilter.builder(new FilterParameters(36_000, 3, 6, UpdateFlag.NONE)).build();
      store.write(shown(List.of(new Load(2, PEER, epoch, other, 78)), List.of()));
      assertThat(store.epochs()).containsExactly(new Load(2, PEER, epoch, other, 78));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sentFiltersStayOnRecord(boolean onDisk) throws Exception {
    try (WalletStore store = store(onDisk)) {
      store.write(
          change(
              0,
              SqliteStoreTest.headers(1, 10, 0),
              Integer.MAX_VALUE,
              List.of(),
              List.of(load(1, 60, "01")),
              List.of(new ScanRow(1, 1, 60, 1, 10, 78)),
              List.of(new ServerCopy(1, 2, 9))));
      List<SentFilter> showings = store.showings();
      // A reorganisation, a rescan, a peer that is disowned: all rows go, and nothing else.
      store.write(
          change(
              2,
              SqliteStoreTest.headers(3, 4, 1),
              1,
              List.of(PEER),
              List.of(),
              List.of(),
              List.of()));
      assertThat(store.rows()).isEmpty();
      assertThat(store.showings()).isEqualTo(showings).hasSize(1);
    }
  }

  private static DisclosedScripts told(@Nullable Hash256 sent, long time, int... scripts) {
    BitSet all = new BitSet();
    for (int script : scripts) {
      all.set(script);
    }
    return new DisclosedScripts(PEER, sent, all, time);
  }

  private static StoreChange told(DisclosedScripts... told) {
    return StoreChanges.above(0).disclosed(List.of(told)).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void neverForgetsElementsSentInTheClear(boolean onDisk) throws Exception {
    Hash256 sent = Hash256.ofInternal(new byte[Hash256.LENGTH]);
    try (WalletStore store = store(onDisk)) {
      assertThat(store.disclosed()).isEmpty();
      store.write(told(told(null, 5, 3), told(null, 6, 9), told(sent, 7, 1)));
      store.write(told(told(null, 8, 3), told(sent, 9)));
      store.write(told(told(sent, 10, 2)));
      assertThat(store.disclosed()).containsExactly(told(null, 5, 3, 9), told(sent, 7, 1, 2));
    }
  }

  @Test
  void whatWasToldIsNotBelievedWithoutItsChecksum() throws Exception {
    try (WalletStore store = store(true)) {
      store.write(told(told(null, 5, 3)));
    }
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement()) {
      s.execute("UPDATE told SET data = CAST(data || x'00' AS BLOB)");
    }
    try (WalletStore store = SqliteStore.open(file())) {
      assertThatThrownBy(store::disclosed).hasMessageContaining("table told");
    }
  }
}
