package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoreChanges;
import org.murmur.wallet.internal.store.StoredProof;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.overview.Damage;
import org.murmur.wallet.overview.Recoverable;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlEngine;
import org.murmur.wallet.store.sql.SqlRows;
import org.murmur.wallet.store.sql.SqlStatement;

/** The file: what comes back, what is refused, and what a failure in the middle leaves. */
class SqliteStoreTest {

  private static final NodeAddress PEER = new NodeAddress("127.0.0.1", 18444);

  @TempDir Path folder = Path.of("");

  /** The SQLite that these tests are about. */
  SqlEngine engine() {
    return JdbcEngine.INSTANCE;
  }

  private Path file() {
    return folder.resolve("default.murmur");
  }

  private static StoredWallet wallet() {
    return new StoredWallet(
        "regtest",
        1_700_000_000L,
        new Birthday.AtHeight(1),
        OptionalInt.empty(),
        20,
        1000,
        List.of(
            new StoredWallet.Chain("wpkh(a/0/*)", false, true, 0),
            new StoredWallet.Chain("wpkh(a/1/*)", true, true, 0)),
        new StoredWallet.Secret(
            Bytes.of("correct horse battery".getBytes(StandardCharsets.UTF_8)), false, true));
  }

  private static ScriptRun run(int first, int chain, int child, int count) {
    List<Bytes> elements = new ArrayList<>();
    List<Bytes> scripts = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(Bytes.of(new byte[] {(byte) chain, (byte) (child + i)}));
      scripts.add(Bytes.of(new byte[] {0, (byte) chain, (byte) (child + i)}));
      addresses.add("address-" + chain + "-" + (child + i));
    }
    return new ScriptRun(first, chain, child, elements, scripts, addresses);
  }

  private SqliteStore create() {
    SqliteStore store =
        SqliteStore.create(
            engine(), file(), wallet(), List.of(run(0, 0, 0, 30), run(30, 1, 0, 30)));
    store.lock();
    return store;
  }

  /** Headers that are told apart by their first bytes; the store looks at no rule. */
  static Headers headers(int from, int to, int salt) {
    byte[] bytes = new byte[(to - from + 1) * 80];
    for (int height = from; height <= to; height++) {
      int at = (height - from) * 80;
      bytes[at] = (byte) height;
      bytes[at + 1] = (byte) (height >> 8);
      bytes[at + 2] = (byte) salt;
    }
    return Headers.ofStored(Bytes.wrap(bytes));
  }

  static StoreChange headersOnly(int fork, Headers connected) {
    return StoreChanges.above(fork).connected(connected).build();
  }

  private static Tx tx(int salt) {
    return new TxBuilder().spend(outPoint(salt)).pay(salt, Bytes.ofHex("51")).build();
  }

  private static OutPoint outPoint(int salt) {
    byte[] txid = new byte[32];
    txid[5] = (byte) salt;
    return new OutPoint(Hash256.ofInternal(txid), -2);
  }

  private static Load load(long id, int elements, int tweak) {
    return load(id, elements, tweak, PEER);
  }

  private static Load load(long id, int elements, int tweak, NodeAddress peer) {
    BloomFilter filter =
        BloomFilter.builder(new FilterParameters(10, 3, tweak, UpdateFlag.ALL))
            .add(Bytes.ofHex("0102"))
            .build();
    return new Load(id, peer, elements, filter, 77);
  }

  private static MerkleBlock proof() {
    BitSet matches = new BitSet();
    matches.set(1);
    return MerkleBlock.of(
        headers(4, 4, 0).header(0),
        PartialMerkleTree.build(List.of(tx(2).txid(), tx(1).txid(), tx(3).txid()), matches));
  }

  private static StoreChange change() {
    Hash256 block = proof().blockHash();
    return StoreChanges.above(0)
        .connected(headers(1, 10, 0))
        .birthdayHeight(OptionalInt.of(3))
        .loads(List.of(load(1, 60, 5), load(2, 61, 5)))
        .rows(List.of(new ScanRow(1, 1, 60, 1, 7, 78), new ScanRow(2, 2, 61, 8, 10, 79)))
        .facts(
            List.of(
                new Fact(
                    tx(1),
                    1,
                    99,
                    Fact.NEVER_PENDING,
                    Repute.HEARD,
                    new Confirmation(4, block, 1, 1234),
                    Fact.Voucher.NOBODY),
                new Fact(tx(2), 2, 99, 11, Repute.DENIED, null, Fact.Voucher.OWNER),
                new Fact(tx(5), 3, 99, 11, Repute.SENT, null, Fact.Voucher.WALLET),
                new Fact(tx(6), 4, 99, 11, Repute.ABANDONED, null, Fact.Voucher.FORMER_BLOCK)))
        .proofs(List.of(new StoredProof(tx(1).txid(), 4, proof())))
        .scripts(List.of(run(60, 0, 30, 5)))
        .outPoints(
            List.of(
                new LoggedOutPoint(65, outPoint(1), 3, 4, 9, false),
                new LoggedOutPoint(66, outPoint(2), -1, 11, Integer.MAX_VALUE, false)))
        .peers(List.of(new PeerFacts(PEER, 5, "/agent/", 10, 3, 80, true, "")))
        .build();
  }

  /** Whoever signs one PSBT again and again keeps what the others pay. */
  @Test
  void keepsTheLastPaymentsThatWereGivenOutEachOnce() throws Exception {
    try (SqliteStore store = create()) {
      MemoryStore memory = new MemoryStore(wallet(), List.of());
      for (WalletStore each : List.of(store, memory)) {
        for (int i = 1; i <= WalletStore.GIVEN + 2; i++) {
          each.give(tx(i));
        }
        for (int i = 0; i < 3; i++) {
          each.give(tx(5));
        }
        assertThat(each.given())
            .hasSize(WalletStore.GIVEN)
            .doesNotHaveDuplicates()
            .startsWith(tx(3), tx(4), tx(6))
            .endsWith(tx(WalletStore.GIVEN + 2), tx(5));
      }
    }
  }

  @Test
  void forgetsATransactionThatNoBlockHolds() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
      store.write(StoreChanges.above(10).forgotten(List.of(tx(2).txid())).build());
    }
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.facts())
          .hasSize(3)
          .containsAll(change().ledger().facts().subList(0, 1))
          .containsAll(change().ledger().facts().subList(2, 4));
      assertThat(store.outPoints().logged()).isEqualTo(change().outPoints());
    }
  }

  @Test
  void returnsTheWrittenValues() throws Exception {
    create().close();
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.wallet()).isEqualTo(wallet());
      assertThat(store.height()).isZero();
      assertThat(store.lastHeader().isEmpty()).isTrue();
      store.lock();
      store.write(change());
    }
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      StoreChange written = change();
      assertThat(store.wallet().birthdayHeight()).hasValue(3);
      assertThat(store.height()).isEqualTo(10);
      assertThat(store.lastHeader()).isEqualTo(headers(10, 10, 0));
      assertThat(store.showings())
          .isEqualTo(written.batch().loads().stream().map(SentFilter::of).toList());
      assertThat(store.views())
          .isEqualTo(written.batch().loads().stream().map(Load::view).toList());
      assertThat(store.rows()).isEqualTo(written.batch().rows());
      assertThat(store.facts()).containsExactlyInAnyOrderElementsOf(written.ledger().facts());
      assertThat(store.proof(tx(1).txid())).isEqualTo(proof());
      assertThat(store.proof(tx(2).txid())).isNull();
      assertThat(store.scripts(true))
          .containsExactly(run(0, 0, 0, 30), run(30, 1, 0, 30), run(60, 0, 30, 5));
      assertThat(store.scripts(false).get(2).elements()).isEqualTo(run(60, 0, 30, 5).elements());
      assertThat(store.outPoints().logged()).isEqualTo(written.outPoints());
      assertThat(store.peers()).isEqualTo(written.batch().peers());
    }
  }

  @Test
  void keepsEpochsAndPrefixes() throws Exception {
    BitSet members = new BitSet();
    members.set(3, 9);
    members.set(61);
    Load epoch =
        new Load(
            3,
            PEER,
            new Content.Epoch(FilterRole.OUTPOINTS, 2, members),
            load(3, 0, 6).filter(),
            88);
    Load again = new Load(4, PEER, epoch.content(), epoch.filter(), 99);
    try (SqliteStore store = create()) {
      store.write(change());
      assertThat(format()).isEqualTo(Schema.FORMAT);
      assertThat(store.filterKey()).isNull();
      store.write(loads(List.of(epoch)));
      store.write(loads(List.of(again)));
      store.keepFilterKey(Bytes.ofHex("c0ffee"));
    }
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      // The same filter again is the same showing.
      assertThat(store.epochs()).containsExactly(again);
      assertThat(store.showings())
          .last()
          .satisfies(
              sent -> {
                assertThat(sent.content()).isEqualTo(epoch.content());
                assertThat(sent.first()).isEqualTo(88);
                assertThat(sent.last()).isEqualTo(99);
                assertThat(sent.times()).isEqualTo(2);
              });
      assertThat(store.filterKey()).isEqualTo(Bytes.ofHex("c0ffee"));
    }
    sql(file(), "UPDATE filter SET data = CAST(replace(data, 'OUT', 'OFF') AS BLOB)");
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(catchThrowableOfType(WalletException.class, store::epochs).kind())
          .isEqualTo(WalletException.Kind.CORRUPT);
    }
  }

  /** Each is damaged, and then a part of it is written anew, by somebody who has not read it. */
  @Test
  void doesNotVouchForDamageThatItWritesOver() throws Exception {
    create().close();
    List<String> damages =
        List.of(
            longer("block"),
            longer("unconfirmed"),
            "DELETE FROM unconfirmed WHERE id = 2",
            "UPDATE unconfirmed SET id = 9 WHERE id = 2",
            "UPDATE txid SET data = zeroblob(1)",
            "DELETE FROM txid",
            "UPDATE outpoints SET data = CAST(substr(data, 1, 40) || x'ee' || substr(data, 42)"
                + " AS BLOB)",
            "DELETE FROM outpoints",
            "UPDATE load SET sum = sum + 1",
            longer("load") + " WHERE id = 2",
            "DELETE FROM load WHERE id = 2",
            longer("scan_row") + " WHERE id = 2",
            "DELETE FROM scan_row WHERE id = 1",
            "UPDATE headers SET data = zeroblob(80) WHERE id = 11",
            "DELETE FROM headers WHERE id = 12",
            "UPDATE seal SET sum = sum + 1");
    for (String damage : damages) {
      Files.delete(file());
      try (SqliteStore store = create()) {
        store.write(change());
        store.write(headersOnly(10, headers(11, 11, 0)));
        store.write(headersOnly(11, headers(12, 12, 0)));
      }
      sql(file(), damage);
      try (SqliteStore store = SqliteStore.open(engine(), file())) {
        store.lock();
        StoreChange more =
            StoreChanges.above(11)
                .connected(headers(12, 2_100, 1))
                .birthdayHeight(OptionalInt.of(4))
                .facts(change().ledger().facts())
                .outPoints(change().outPoints())
                .loads(change().batch().loads())
                .copies(List.of(new ServerCopy(1, 1, 1)))
                .build();
        assertThatThrownBy(() -> store.write(more))
            .as(damage)
            .isInstanceOf(WalletException.class)
            .hasMessageContaining("is not as it was written");
      }
    }
  }

  private static String longer(String table) {
    return "UPDATE " + table + " SET data = CAST(data || x'00' AS BLOB)";
  }

  /** Nor if what it writes is a part of the wallet's identity. */
  @Test
  void doesNotVouchForADamagedIdentity() throws Exception {
    create().close();
    byte[] whole = Files.readAllBytes(file());
    StoredWallet.Secret secret = new StoredWallet.Secret(Bytes.ofHex("0011"), true, true);
    for (String damage :
        List.of(longer("meta"), "DELETE FROM meta", longer("chain"), "DELETE FROM chain")) {
      Files.write(file(), whole);
      sql(file(), damage);
      try (SqliteStore store = SqliteStore.open(engine(), file())) {
        store.lock();
        for (Runnable write :
            List.<Runnable>of(
                damage.contains("meta")
                    ? () -> store.restart(wallet(), StoreChanges.above(0).build())
                    : () -> store.handOut(1, 1, OptionalInt.empty()),
                () -> store.changeSecret(secret))) {
          assertThatThrownBy(write::run)
              .as(damage)
              .isInstanceOf(WalletException.class)
              .hasMessageContaining("is not as it was written");
        }
      }
    }
  }

  /** Whether all rows are read, one by its id, or a page of them. */
  @Test
  void noticesARowThatIsMissingOrOlder() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
    }
    final byte[] before = Files.readAllBytes(file());
    Fact later = new Fact(tx(2), 9, 99, 11, Repute.SENT, null, Fact.Voucher.OWNER);
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      store.lock();
      store.write(StoreChanges.above(10).facts(List.of(later)).build());
    }
    byte[] after = Files.readAllBytes(file());
    Path older = Files.write(folder.resolve("older"), before);
    String old = "(SELECT %s FROM older.unconfirmed AS o WHERE o.id = unconfirmed.id)";
    for (String damage :
        List.of(
            "DELETE FROM unconfirmed WHERE id = 2",
            "DELETE FROM unconfirmed",
            "INSERT INTO unconfirmed SELECT 7, sum, data FROM unconfirmed WHERE id = 2",
            "UPDATE unconfirmed SET sum = " + String.format(old, "sum"),
            "UPDATE unconfirmed SET (sum, data) = " + String.format(old, "sum, data"))) {
      Files.write(file(), after);
      try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
          Statement s = db.createStatement()) {
        s.execute("ATTACH '" + older + "' AS older");
        s.execute(damage);
      }
      try (SqliteStore store = SqliteStore.open(engine(), file())) {
        assertDamaged(damage, store::unconfirmed);
      }
    }
    for (String damage : List.of("DELETE FROM block", "UPDATE block SET id = 5")) {
      Files.write(file(), after);
      sql(file(), damage);
      try (SqliteStore store = SqliteStore.open(engine(), file())) {
        assertDamaged(damage, () -> store.minedAt(4));
        assertDamaged(damage, () -> store.confirmedBefore(11, 0, 1));
        assertDamaged(damage, () -> store.fact(tx(1).txid()));
      }
    }
    for (String damage : List.of("DELETE FROM headers", "DELETE FROM seal")) {
      Files.write(file(), after);
      sql(file(), damage);
      try (SqliteStore store = SqliteStore.open(engine(), file())) {
        assertDamaged(damage, store::height);
        assertDamaged(damage, store::lastHeader);
      }
    }
  }

  private static void assertDamaged(String damage, ThrowableAssert.ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .as(damage)
        .isInstanceOf(WalletException.class)
        .hasMessageContaining("is not as it was written");
  }

  /** Only builds of before the first release made such files. */
  @Test
  void saysThatAFileIsOfBeforeTheFirstRelease() throws Exception {
    create().close();
    sql(file(), "DROP TABLE told");
    assertThat(refusal(file())).isEqualTo(WalletException.Kind.CORRUPT);
    sql(file(), "PRAGMA user_version = 7");
    assertThatThrownBy(() -> SqliteStore.open(engine(), file()))
        .isInstanceOf(WalletException.class)
        .hasMessageContaining("restore the wallet from its words");
  }

  @Test
  void takesADamagedPresetForPrivateUntilAnotherIsNamed() throws Exception {
    try (SqliteStore store = create()) {
      store.keepPreset(Preset.Kind.FAST);
    }
    sql(file(), "UPDATE preset SET data = CAST('FASU' AS BLOB)");
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.preset()).contains(Preset.Kind.PRIVATE);
      assertThat(store.takeDamage())
          .containsExactly(new Damage(file().toString(), Recoverable.PRESET));
      store.lock();
      store.handOut(0, 1, OptionalInt.empty());
    }
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.preset()).contains(Preset.Kind.PRIVATE);
      assertThat(store.takeDamage()).isEmpty();
      store.lock();
      store.keepPreset(Preset.Kind.FAST);
      assertThat(store.preset()).contains(Preset.Kind.FAST);
    }
  }

  @Test
  void dropsNoMoreThanTheDamagedRow() throws Exception {
    PeerFacts damaged = change().batch().peers().get(0);
    PeerFacts sound = new PeerFacts(new NodeAddress("10.0.0.1", 1), 4, "/b/", 9, 30, 1, true, "");
    try (SqliteStore store = create()) {
      store.write(StoreChanges.above(0).peers(List.of(damaged, sound)).build());
    }
    String its = "instr(data, CAST('127.0.0.1' AS BLOB)) > 0";
    sql(file(), "UPDATE peer SET sum = sum + 1 WHERE " + its);
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.peers()).containsExactly(sound);
      store.lock();
      store.write(StoreChanges.above(0).peers(List.of(damaged)).build());
      assertThat(store.peers()).containsExactlyInAnyOrder(damaged, sound);
      assertThat(store.takeDamage()).hasSize(1);
    }
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.peers()).containsExactlyInAnyOrder(damaged, sound);
      assertThat(store.takeDamage()).isEmpty();
    }
  }

  private static int find(byte[] whole, byte[] wanted) {
    for (int at = whole.length - wanted.length; at >= 0; at--) {
      if (Arrays.equals(whole, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    throw new AssertionError("not in the file");
  }

  /** SQLite keeps the type of the content before the row; with bit 0 flipped it is a text. */
  @Test
  void refusesNoFileOfWhichAContentBecomesAText() throws Exception {
    Bytes host = Bytes.ofHex("c6336411");
    KnownAddress address =
        new KnownAddress(
            new Endpoint(1, host, 1), 1, true, 1, new NetGroup("g"), true, 1, 1, 1, 1, 1, "");
    try (SqliteStore store = create()) {
      store.write(
          StoreChanges.above(0).addresses(new AddressChanges(List.of(address), List.of())).build());
    }
    byte[] bad = Files.readAllBytes(file());
    int content = find(bad, new ByteWriter().uint8(1).varBytes(host).toArray());
    // Behind the type stands a checksum of 4 bytes, or of 6.
    int type = bad[content - 6] == 4 ? content - 5 : content - 7;
    bad[type] ^= 1;
    Files.write(file(), bad);
    assertThat(number("SELECT typeof(data) = 'text' FROM address")).isOne();
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      // The same bytes, or no bytes.
      assertThat(store.addresses().size() + store.takeDamage().size()).isOne();
      store.lock();
      store.handOut(0, 1, OptionalInt.empty());
    }
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.addresses()).hasSizeLessThan(2);
      assertThat(store.takeDamage()).isEmpty();
    }
  }

  @Test
  void reportsEachLossOnceAndNewDamageAgain() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
    }
    for (int i = 0; i < 2; i++) {
      sql(file(), "UPDATE peer SET sum = sum + 1");
      try (SqliteStore store = SqliteStore.open(engine(), file())) {
        assertThat(store.peers()).isEmpty();
        assertThat(store.takeDamage()).hasSize(1);
        assertThat(store.peers()).isEmpty();
        assertThat(store.takeDamage()).as("still in the file").isEmpty();
        store.lock();
        store.write(StoreChanges.above(10).peers(change().batch().peers()).build());
        assertThat(store.peers()).isNotEmpty();
        assertThat(store.takeDamage()).as("mended").isEmpty();
        sql(file(), "UPDATE peer SET sum = sum + 1");
        assertThat(store.peers()).isEmpty();
        assertThat(store.takeDamage()).as("damaged anew").hasSize(1);
        store.write(StoreChanges.above(10).peers(change().batch().peers()).build());
      }
    }
  }

  private static StoreChange loads(List<Load> loads) {
    return StoreChanges.above(10).loads(loads).build();
  }

  private long format() throws SQLException {
    return number("PRAGMA user_version");
  }

  @Test
  void cutsRowsThatAReorganisationMakesVoid() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
      store.write(headersOnly(3, headers(4, 6, 1)));
      assertThat(store.height()).isEqualTo(6);
      assertThat(store.rows()).containsExactly(new ScanRow(1, 1, 60, 1, 3, 78));
      assertThat(store.proof(tx(1).txid())).isNull();
      assertThat(joined(store)).isEqualTo(join(headers(1, 3, 0), headers(4, 6, 1)));
    }
  }

  private static Bytes joined(SqliteStore store) {
    return join(all(store));
  }

  private static Headers all(SqliteStore store) {
    return store.headers().read(1, store.height() + 1);
  }

  private static Bytes join(Headers... runs) {
    StringBuilder hex = new StringBuilder();
    for (Headers run : runs) {
      hex.append(run.toStored().toHex());
    }
    return Bytes.ofHex(hex.toString());
  }

  @Test
  void keepsTheBeginningOfAFilterThatGrew() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
      assertThat(count("filter")).as("prefixes of the log").isZero();
      StoreChange grown = StoreChanges.above(10).loads(List.of(load(2, 70, 6))).build();
      store.write(grown);
      store.write(grown);
      assertThat(store.showings())
          .extracting(SentFilter::load, sent -> sent.content().size())
          .containsExactly(Tuple.tuple(1L, 60), Tuple.tuple(2L, 70));
    }
  }

  private static Load part(long id, int tweak, int... members) {
    BitSet all = new BitSet();
    Arrays.stream(members).forEach(all::set);
    return new Load(id, PEER, new Content.Part(all), load(id, 1, tweak).filter(), 77);
  }

  @Test
  void keepsOneCopyOfAFilterAndReplacesOneThatGrew() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
      store.write(
          rows(
              List.of(),
              List.of(part(3, 6, 1, 5), part(4, 6, 1, 5)),
              List.of(new ScanRow(3, 3, 61, 1, 10, 80), new ScanRow(4, 4, 61, 1, 9, 80))));
      assertThat(count("filter")).isEqualTo(1);
      store.write(StoreChanges.above(10).loads(List.of(part(4, 7, 1, 5, 9))).build());
      assertThat(count("filter")).isEqualTo(2);
      assertThat(store.views()).contains(part(3, 6, 1, 5).view(), part(4, 7, 1, 5, 9).view());
      store.write(StoreChanges.above(10).loads(List.of(part(3, 7, 1, 5, 9))).build());
      assertThat(count("filter")).isEqualTo(1);
    }
  }

  private long count(String table) throws SQLException {
    return number("SELECT count(*) FROM " + table);
  }

  /** By the same SQLite: two libraries in one process do not see each other's locks. */
  private long number(String sql) throws SQLException {
    try (Database db = Database.open(engine(), file(), SqlEngine.Access.READ)) {
      return db.number(sql);
    }
  }

  @Test
  void discardsThePeersBlocksAndNoOthers() throws Exception {
    try (SqliteStore store = create()) {
      NodeAddress liar = new NodeAddress("127.0.0.1", 18445);
      NodeAddress namesake = new NodeAddress("127.0.0.1", 18446);
      store.write(change());
      Load lied = load(3, 61, 6, liar);
      Load other = load(4, 61, 7, namesake);
      store.write(
          rows(
              List.of(),
              List.of(lied, other),
              List.of(new ScanRow(3, 3, 61, 1, 10, 80), new ScanRow(4, 4, 61, 1, 9, 80))));
      // What the same commit writes of it anew stands.
      ScanRow after = new ScanRow(5, 3, 61, 2, 4, 81);
      store.write(rows(List.of(liar), List.of(), List.of(after)));
      assertThat(store.rows()).extracting(ScanRow::id).containsExactly(1L, 2L, 4L, 5L);
      // What it was shown, it was shown.
      assertThat(store.showings()).contains(SentFilter.of(lied), SentFilter.of(other));
    }
  }

  private static StoreChange rows(
      List<NodeAddress> disowned, List<Load> loads, List<ScanRow> rows) {
    return StoreChanges.above(10).disowned(disowned).loads(loads).rows(rows).build();
  }

  /** One writer; readers beside it see the last commit. */
  @Test
  void lockedMeansLocked() throws Exception {
    try (SqliteStore writer = create();
        SqliteStore reader = SqliteStore.open(engine(), file())) {
      final long before = reader.version();
      assertThat(catchThrowableOfType(WalletException.class, reader::lock).kind())
          .isEqualTo(WalletException.Kind.LOCKED);
      writer.write(change());
      assertThat(reader.height()).isEqualTo(10);
      assertThat(reader.version()).isNotEqualTo(before);
      writer.unlock();
      reader.lock();
      reader.handOut(1, 4, OptionalInt.empty());
      assertThat(writer.wallet().chains().get(1).handedOut()).isEqualTo(4);
    }
  }

  /** What another process is told. */
  static final class Probe {

    private Probe() {}

    public static void main(String[] args) throws Exception {
      try (SqliteStore store = SqliteStore.open(Path.of(args[0]))) {
        store.lock();
        System.out.println("free");
      } catch (WalletException e) {
        System.out.println(e.kind());
      }
    }
  }

  private String probe() throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Probe.class.getName(),
                file().toString())
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(output).trim();
  }

  /** On POSIX systems, closing a file lets go of all its locks: nobody's failure may do that. */
  @Test
  void staysLockedForOtherProcessesWhateverFailsInThisOne() throws Exception {
    try (SqliteStore writer = create()) {
      assertThat(probe()).isEqualTo("LOCKED");
      try (SqliteStore beside = SqliteStore.open(engine(), file())) {
        assertThat(catchThrowableOfType(WalletException.class, beside::lock).kind())
            .isEqualTo(WalletException.Kind.LOCKED);
      }
      assertThat(probe()).isEqualTo("LOCKED");
      writer.unlock();
      assertThat(probe()).isEqualTo("free");
    }
  }

  @Test
  void readsOneStateWhateverIsWrittenMeanwhile() throws Exception {
    try (SqliteStore writer = create();
        SqliteStore reader = SqliteStore.open(engine(), file())) {
      reader.beginRead();
      assertThat(reader.height()).isZero();
      writer.write(change());
      assertThat(reader.height()).isZero();
      assertThat(reader.rows()).isEmpty();
      reader.endRead();
      assertThat(reader.height()).isEqualTo(10);
    }
  }

  @Test
  void refusesAFileThatIsNoWallet() throws Exception {
    assertThat(refusal(folder.resolve("nothing"))).isEqualTo(WalletException.Kind.MISSING);
    Path text =
        Files.writeString(folder.resolve("text"), "not a database, but long enough".repeat(9));
    assertThat(refusal(text)).isEqualTo(WalletException.Kind.CORRUPT);
    Path empty = Files.createFile(folder.resolve("empty"));
    assertThat(refusal(empty)).isEqualTo(WalletException.Kind.CORRUPT);
    Path other = folder.resolve("other");
    sql(other, "CREATE TABLE t (x)");
    assertThat(refusal(other)).isEqualTo(WalletException.Kind.CORRUPT);
    create().close();
    sql(file(), "PRAGMA user_version = " + (Schema.FORMAT + 1));
    assertThat(refusal(file())).isEqualTo(WalletException.Kind.NEWER_FORMAT);
  }

  private WalletException.Kind refusal(Path file) {
    return catchThrowableOfType(WalletException.class, () -> SqliteStore.open(engine(), file))
        .kind();
  }

  private static void sql(Path file, String sql) throws SQLException {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement s = db.createStatement()) {
      s.execute(sql);
    }
  }

  @Test
  void saysThatADamagedFileIsDamaged() throws Exception {
    try (SqliteStore store = create()) {
      store.write(headersOnly(0, headers(1, 3000, 0)));
    }
    byte[] bytes = Files.readAllBytes(file());
    new Random(1).nextBytes(bytes);
    byte[] damaged = Files.readAllBytes(file());
    System.arraycopy(bytes, 4096, damaged, 4096, damaged.length - 4096);
    Files.write(file(), damaged);
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThatThrownBy(() -> store.headers().read(1, 3001))
          .isInstanceOf(WalletException.class)
          .extracting(e -> ((WalletException) e).kind())
          .isEqualTo(WalletException.Kind.CORRUPT);
    }
  }

  /** The row of an unconfirmed transaction. */
  private static String stored(String raw) {
    ByteWriter out = new ByteWriter().compactSize(1).int64(1).compactSize(4).uint8(0);
    return out.varBytes(Bytes.ofHex(raw)).toBytes().toHex();
  }

  /** What is no transaction any more is damage, not a programming error. */
  @Test
  void saysThatADamagedTransactionIsDamage() throws Exception {
    create().close();
    Vouched.sql(file(), "INSERT INTO unconfirmed VALUES (1, 0, x'" + stored("0102") + "')");
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(catchThrowableOfType(WalletException.class, store::facts).kind())
          .isEqualTo(WalletException.Kind.CORRUPT);
    }
  }

  /** Whoever wrote it there: it would take away from what true payments add up to. */
  @Test
  void saysThatATransactionOfImpossibleValuesIsDamage() throws Exception {
    create().close();
    byte[] raw = tx(1).raw().toArray();
    int value = 4 + 1 + 36 + 1 + tx(1).inputs().get(0).scriptSig().length() + 4 + 1;
    raw[value + 7] = (byte) 0x80;
    Tx impossible = Tx.parse(Bytes.of(raw));
    assertThat(impossible.outputs().get(0).value()).isNegative();
    String stored = stored(impossible.raw().toHex());
    Vouched.sql(file(), "INSERT INTO unconfirmed VALUES (1, 0, x'" + stored + "')");
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThatThrownBy(store::facts)
          .isInstanceOf(WalletException.class)
          .hasMessageContaining(": no valid block can hold it");
    }
  }

  /** The fuzzer's find: as many places were made as a damaged count asked for. */
  @Test
  void saysThatAnAbsurdCountIsDamage() throws Exception {
    create().close();
    byte[] row = new ByteWriter().uint8(0).uint8(0).compactSize(2_000_000_000).toArray();
    Vouched.rows(file(), "script", data -> row);
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(catchThrowableOfType(WalletException.class, () -> store.scripts(false)).kind())
          .isEqualTo(WalletException.Kind.CORRUPT);
    }
  }

  /** What stands before the element would be copied for each script. */
  @Test
  void saysThatScriptsLargerThanAnyAddressHasAreDamage() throws Exception {
    create().close();
    byte[] row =
        new ByteWriter()
            .uint8(0)
            .uint8(0)
            .compactSize(1)
            .varBytes(Bytes.ofHex("01"))
            .uint8(1)
            .varBytes(Bytes.wrap(new byte[1_000_000]))
            .varBytes(Bytes.EMPTY)
            .toArray();
    Vouched.rows(file(), "script", data -> row);
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThatThrownBy(() -> store.scripts(true))
          .isInstanceOf(WalletException.class)
          .hasMessageContaining("bytes around an element");
    }
  }

  /** The fuzzer's find: an error of the program's came back. */
  @Test
  void saysThatADamagedProofIsDamage() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
    }
    sql(file(), "UPDATE block SET data = CAST(data || x'00' AS BLOB)");
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(
              catchThrowableOfType(WalletException.class, () -> store.proof(tx(1).txid())).kind())
          .isEqualTo(WalletException.Kind.CORRUPT);
    }
  }

  @Test
  void doesNotOverwriteAWallet() throws Exception {
    create().close();
    assertThat(catchThrowableOfType(WalletException.class, this::create).kind())
        .isEqualTo(WalletException.Kind.EXISTS);
  }

  /** What a crash in the middle of a creation leaves is no wallet, and no hindrance. */
  @Test
  void recoversFromAnInterruptedCreation() throws Exception {
    Files.writeString(folder.resolve("default.murmur.new"), "half a wallet");
    Files.writeString(folder.resolve("default.murmur.new-wal"), "half a log");
    assertThat(refusal(file())).isEqualTo(WalletException.Kind.MISSING);
    try (SqliteStore store = create()) {
      assertThat(store.wallet()).isEqualTo(wallet());
    }
    assertThat(folder.resolve("default.murmur.new")).doesNotExist();
    assertThat(folder.resolve("default.murmur.new-wal")).doesNotExist();
  }

  /** SQLite takes whatever log lies beside a database of that name for its own. */
  @Test
  void takesNoLogOfAnotherWallet() throws Exception {
    Path log = folder.resolve("default.murmur-wal");
    Path kept = folder.resolve("kept");
    try (SqliteStore store = create()) {
      store.write(change());
      Files.copy(log, kept);
    }
    Files.delete(file());
    Files.move(kept, log);
    try (SqliteStore store = create()) {
      assertThat(store.height()).isZero();
      assertThat(store.rows()).isEmpty();
    }
  }

  @Test
  void leavesTheLastCommitWhenTheDiskIsFull() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
      // The number of pages that SQLite may use stands for the size of the disk.
      store.limitPages();
      WalletException failure =
          catchThrowableOfType(
              WalletException.class, () -> store.write(headersOnly(10, headers(11, 9000, 0))));
      assertThat(failure.kind()).isEqualTo(WalletException.Kind.DISK_FULL);
      assertThat(store.height()).isEqualTo(10);
    }
    try (SqliteStore store = SqliteStore.open(engine(), file())) {
      assertThat(store.height()).isEqualTo(10);
      assertThat(store.rows()).hasSize(2);
    }
  }

  /** As root, a test cannot take its own right to write away; SQLite's own word for it can. */
  @Test
  void distinguishesReadOnlyFromBroken() throws IOException {
    SQLException readOnly = new SQLException("attempt to write a readonly database", "", 8);
    assertThat(SqliteErrors.of(file(), readOnly).kind()).isEqualTo(WalletException.Kind.READ_ONLY);
    SQLException extended = new SQLException("disk I/O error", "", 10 | (3 << 8));
    assertThat(SqliteErrors.of(file(), extended).kind()).isEqualTo(WalletException.Kind.IO);
  }

  @Test
  void wipesTheWordsItReplaces() throws Exception {
    try (SqliteStore store = create()) {
      assertThat(contains(file(), "horse")).isTrue();
      store.changeSecret(new StoredWallet.Secret(Bytes.ofHex("0011"), true, true));
      assertThat(store.wallet().secret())
          .isEqualTo(new StoredWallet.Secret(Bytes.ofHex("0011"), true, true));
    }
    assertThat(contains(file(), "horse")).isFalse();
    assertThat(folder.resolve("default.murmur-wal")).doesNotExist();
  }

  private static boolean contains(Path file, String text) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
  }

  /** The words may be in it in the clear. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void isForItsOwnersEyesOnly() throws Exception {
    try (SqliteStore store = create()) {
      store.write(change());
      for (String suffix : List.of("", "-wal", "-shm")) {
        Path part = folder.resolve("default.murmur" + suffix);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
            .isEqualTo("rw-------");
      }
    }
  }

  /** Headers in runs are headers in a list, whatever comes and goes, above any base. */
  @Property(tries = 30)
  void keepsHeadersAsAList(@ForAll long seed) throws Exception {
    Random dice = new Random(seed);
    Path own = Files.createTempDirectory("murmur-headers");
    Path file = own.resolve("w");
    int base = List.of(0, 2_015, 6_047).get(dice.nextInt(3));
    List<Bytes> expected = new ArrayList<>();
    try (SqliteStore store =
        SqliteStore.create(engine(), file, from(base), List.of(run(0, 0, 0, 1)))) {
      assertThat(store.height()).isEqualTo(base);
      for (int step = 0; step < 30; step++) {
        int fork = expected.size();
        if (dice.nextInt(4) == 0) {
          fork -= Math.min(fork, dice.nextInt(dice.nextBoolean() ? 5 : 4000));
        }
        int count =
            dice.nextInt(
                switch (dice.nextInt(3)) {
                  case 0 -> 3;
                  case 1 -> 2500;
                  default -> 100;
                });
        Headers connected = headers(base + fork + 1, base + fork + count, step);
        store.write(headersOnly(base + fork, connected));
        while (expected.size() > fork) {
          expected.remove(expected.size() - 1);
        }
        for (int i = 0; i < count; i++) {
          expected.add(connected.header(i));
        }
        List<Bytes> actual = new ArrayList<>();
        Headers run = store.headers().read(base + 1, store.height() + 1);
        for (int i = 0; i < run.count(); i++) {
          actual.add(run.header(i));
        }
        if (!run.isEmpty()) {
          int from = 1 + dice.nextInt(run.count());
          int to = from + dice.nextInt(run.count() + 2 - from);
          assertThat(store.headers().read(base + from, base + to))
              .isEqualTo(run.slice(from - 1, to - 1));
        }
        assertThat(actual).isEqualTo(expected);
        assertThat(store.height()).isEqualTo(base + expected.size());
        assertSealed(file, store.height());
      }
    }
    Files.delete(own.resolve("w.lock"));
    Files.delete(file);
    Files.delete(own);
  }

  private static StoredWallet from(int base) {
    ChainBase first = new ChainBase(base, Hash256.ZERO, 0, 0x1d00ffff, ChainWork.ZERO);
    return base == 0
        ? wallet()
        : wallet().startingAt(first, wallet().birthday(), wallet().birthdayHeight());
  }

  /** No run reaches over a height at which runs are sealed. */
  private void assertSealed(Path file, int height) throws SQLException {
    try (SqlConnection reader = engine().open(file, SqlEngine.Access.READ);
        SqlStatement ids = reader.prepare("SELECT id FROM headers ORDER BY id DESC");
        SqlRows rows = ids.query()) {
      long last = height;
      while (rows.next()) {
        long first = rows.getLong(1);
        assertThat((first - 1) / 2_016).isEqualTo((last - 1) / 2_016);
        last = first - 1;
      }
    }
  }

  /** A new block costs little, and many cost what they weigh. */
  @Test
  void keepsHeadersCompact() throws Exception {
    long empty;
    try (SqliteStore store = create()) {
      empty = Files.size(file());
      store.write(headersOnly(0, headers(1, 40_000, 0)));
      for (int height = 40_001; height <= 40_200; height++) {
        store.write(headersOnly(height - 1, headers(height, height, 0)));
      }
    }
    assertThat(Files.size(file()) - empty).isLessThan(40_200 * 82L);
  }
}
