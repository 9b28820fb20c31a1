package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bitcoinj.core.BloomFilter.BloomUpdate;
import org.bitcoinj.core.Transaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** One rule of Core's matching a test. The filters are so large that nothing matches by chance. */
class ServerFilterTest {

  private static final String HASH = "b5a2c786d9ef4658287ced5914b37a1b4aa32eee";
  private static final String OTHER = "c5a2c786d9ef4658287ced5914b37a1b4aa32eee";
  private static final String KEY =
      "02b4632d08485ff1df2db55b9dafd23347d1c47a457072a1e87be26896549a8737";
  private static final String P2PKH = "76a914" + HASH + "88ac";
  private static final OutPoint SPENT = new OutPoint(Hash256.ofDisplay("12".repeat(32)), 3);

  private static BloomFilter filter(UpdateFlag flag, Bytes... elements) {
    BloomFilter.Builder builder =
        BloomFilter.builder(new FilterParameters(36_000, 25, 0x5eed, flag));
    for (Bytes element : elements) {
      builder.add(element);
    }
    return builder.build();
  }

  private static ServerFilter server(UpdateFlag flag, String... elements) {
    Bytes[] bytes = new Bytes[elements.length];
    for (int i = 0; i < elements.length; i++) {
      bytes[i] = Bytes.ofHex(elements[i]);
    }
    return new ServerFilter(filter(flag, bytes));
  }

  private static TxBytes spending() {
    return new TxBytes().spends(SPENT, "");
  }

  @ParameterizedTest
  @EnumSource(UpdateFlag.class)
  void skipsAForeignTransaction(UpdateFlag flag) {
    BloomFilter loaded = filter(flag, Bytes.ofHex(HASH));
    ServerFilter server = new ServerFilter(loaded);
    Tx tx = new TxBytes().spends(SPENT, "14" + OTHER).pays("76a914" + OTHER + "88ac").tx();
    assertThat(server.matchAndUpdate(tx)).isFalse();
    assertThat(server.filter()).isEqualTo(loaded);
  }

  @Test
  void matchesTheTxidInInternalOrder() {
    Tx tx = spending().pays(P2PKH).tx();
    byte[] internal = tx.txid().toInternal();
    assertThat(new ServerFilter(filter(UpdateFlag.NONE, Bytes.of(internal))).matchAndUpdate(tx))
        .isTrue();
    Bytes display = Bytes.ofHex(tx.txid().toDisplay());
    assertThat(new ServerFilter(filter(UpdateFlag.NONE, display)).matchAndUpdate(tx)).isFalse();
  }

  /** BIP-0037 says to stop at a matching txid; Core goes on, for the sake of the outpoints. */
  @Test
  void insertsOutPointsEvenIfTheTxidMatches() {
    Tx tx = spending().pays(P2PKH).tx();
    BloomFilter loaded =
        filter(UpdateFlag.ALL, Bytes.of(tx.txid().toInternal()), Bytes.ofHex(HASH));
    ServerFilter server = new ServerFilter(loaded);
    assertThat(server.matchAndUpdate(tx)).isTrue();
    assertThat(server.filter()).isEqualTo(loaded.with(tx.outPoint(0).toBytes()));
  }

  @Test
  void insertsNothingForAnOutputThatDoesNotMatch() {
    Tx tx = spending().pays(P2PKH).tx();
    BloomFilter loaded = filter(UpdateFlag.ALL, Bytes.of(tx.txid().toInternal()));
    ServerFilter server = new ServerFilter(loaded);
    assertThat(server.matchAndUpdate(tx)).isTrue();
    assertThat(server.filter()).isEqualTo(loaded);
    assertThat(server.outPointsAdded()).isZero();
  }

  @Test
  void insertsTheOutPointOfEveryMatchingOutputUnderAll() {
    Tx tx = spending().pays(P2PKH).pays("76a914" + OTHER + "88ac").pays("0014" + HASH).tx();
    ServerFilter server = server(UpdateFlag.ALL, HASH);
    BloomFilter before = server.filter();
    assertThat(server.matchAndUpdate(tx)).isTrue();
    assertThat(server.outPointsAdded()).isEqualTo(2);
    assertThat(server.filter())
        .isEqualTo(before.with(tx.outPoint(0).toBytes()).with(tx.outPoint(2).toBytes()));
  }

  @Test
  void followsAPaymentToItsSpendUnderAllOnly() {
    for (UpdateFlag flag : UpdateFlag.values()) {
      ServerFilter server = server(flag, HASH);
      Tx payment = spending().pays("0014" + HASH).tx();
      Tx spend =
          new TxBytes()
              .spends(payment.outPoint(0), "", Bytes.ofHex("30".repeat(71)), Bytes.ofHex(KEY))
              .pays("0014" + OTHER)
              .tx();
      assertThat(server.matchAndUpdate(spend)).isFalse();
      assertThat(server.matchAndUpdate(payment)).isTrue();
      assertThat(server.matchAndUpdate(spend)).isEqualTo(flag == UpdateFlag.ALL);
    }
  }

  @Test
  void insertsBareKeysOnlyUnderP2pubkeyOnly() {
    String multisig = "51" + "21" + KEY + "21" + "03" + "cd".repeat(32) + "52ae";
    Tx tx = spending().pays(P2PKH).pays("21" + KEY + "ac").pays(multisig).pays("0021" + KEY).tx();
    ServerFilter server = server(UpdateFlag.P2PUBKEY_ONLY, HASH, KEY);
    BloomFilter before = server.filter();
    assertThat(server.matchAndUpdate(tx)).isTrue();
    assertThat(server.filter())
        .isEqualTo(before.with(tx.outPoint(1).toBytes()).with(tx.outPoint(2).toBytes()));
    assertThat(server.outPointsAdded()).isEqualTo(2);
  }

  @Test
  void insertsOneOutPointForSeveralMatchingPushes() {
    Tx tx = spending().pays("14" + HASH + "14" + HASH + "21" + KEY).tx();
    ServerFilter server = server(UpdateFlag.ALL, HASH, KEY);
    assertThat(server.matchAndUpdate(tx)).isTrue();
    assertThat(server.outPointsAdded()).isEqualTo(1);
  }

  @Test
  void matchesASpentOutPoint() {
    Tx tx = spending().pays("0014" + OTHER).tx();
    ServerFilter server = new ServerFilter(filter(UpdateFlag.ALL, SPENT.toBytes()));
    assertThat(server.matchAndUpdate(tx)).isTrue();
    assertThat(server.outPointsAdded()).isZero();
    OutPoint neighbour = new OutPoint(SPENT.txid(), 2);
    assertThat(new ServerFilter(filter(UpdateFlag.ALL, neighbour.toBytes())).matchAndUpdate(tx))
        .isFalse();
  }

  @Test
  void matchesAPushOfAnyScriptSig() {
    Tx tx = spending().spends(new OutPoint(SPENT.txid(), 4), "0230aa21" + KEY).pays("51").tx();
    assertThat(server(UpdateFlag.NONE, KEY).matchAndUpdate(tx)).isTrue();
    assertThat(server(UpdateFlag.NONE, "30aa").matchAndUpdate(tx)).isTrue();
    assertThat(server(UpdateFlag.NONE, HASH).matchAndUpdate(tx)).isFalse();
  }

  @Test
  void neverMatchesWitnessData() {
    Tx tx = new TxBytes().spends(SPENT, "", Bytes.ofHex(KEY)).pays("0014" + OTHER).tx();
    assertThat(tx.hasWitness()).isTrue();
    assertThat(server(UpdateFlag.ALL, KEY).matchAndUpdate(tx)).isFalse();
  }

  /** Both forms of a transaction have one txid, so they match alike. */
  @Test
  void matchesBothFormsByTheTxid() {
    Tx tx = new TxBytes().spends(SPENT, "", Bytes.ofHex(KEY)).pays("51").tx();
    Tx stripped = Tx.parse(tx.stripped());
    BloomFilter loaded = filter(UpdateFlag.NONE, Bytes.of(stripped.txid().toInternal()));
    assertThat(new ServerFilter(loaded).matchAndUpdate(tx)).isTrue();
    assertThat(new ServerFilter(loaded).matchAndUpdate(stripped)).isTrue();
  }

  @Test
  void skipsEmptyPushesAndNumbers() {
    // The empty element and the numbers 1 and 16 are in the filter; none is pushed as data here.
    ServerFilter server =
        new ServerFilter(filter(UpdateFlag.ALL, Bytes.EMPTY, Bytes.ofHex("01"), Bytes.ofHex("10")));
    Tx tx = new TxBytes().spends(SPENT, "004c005160").pays("004c005160").tx();
    assertThat(server.matchAndUpdate(tx)).isFalse();
  }

  @Test
  void countsThePushesBeforeTheErrorOfAMalformedScript() {
    assertThat(
            server(UpdateFlag.NONE, HASH).matchAndUpdate(spending().pays("14" + HASH + "4c").tx()))
        .isTrue();
    assertThat(server(UpdateFlag.NONE, HASH).matchAndUpdate(spending().pays("4cff14" + HASH).tx()))
        .isFalse();
  }

  @Test
  void matchesEverythingWithAFilterWithoutBytes() {
    BloomFilter empty = BloomFilter.builder(new FilterParameters(0, 5, 0, UpdateFlag.ALL)).build();
    ServerFilter server = new ServerFilter(empty);
    server.add(Bytes.ofHex(HASH));
    assertThat(server.matchAndUpdate(spending().pays("51").tx())).isTrue();
    assertThat(server.filter()).isEqualTo(empty);
    assertThat(server.outPointsAdded()).isZero();
  }

  @Test
  void leavesTheLoadedFilterAlone() {
    BloomFilter loaded = filter(UpdateFlag.ALL, Bytes.ofHex(HASH));
    Bytes before = loaded.toPayload();
    ServerFilter server = new ServerFilter(loaded);
    server.add(Bytes.ofHex(KEY));
    BloomFilter snapshot = server.filter();
    assertThat(snapshot).isEqualTo(loaded.with(Bytes.ofHex(KEY)));
    server.matchAndUpdate(spending().pays(P2PKH).tx());
    assertThat(loaded.toPayload()).isEqualTo(before);
    assertThat(snapshot).isNotEqualTo(server.filter());
  }

  /**
   * Random chains of transactions, matched by us and by bitcoinj. Its quirk, the txid in display
   * order, does not show here because no txid is put into the filter.
   */
  /** The count is kept, not taken: at every step it is what counting finds. */
  @Property(tries = 200)
  void knowsHowManyBitsAreSet(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FilterParameters parameters =
        new FilterParameters(
            1 + random.nextInt(40), random.nextInt(20), random.nextInt(), UpdateFlag.ALL);
    ServerFilter server = new ServerFilter(BloomFilter.builder(parameters).build());
    for (int i = 0; i < 30; i++) {
      server.add(Bytes.ofHex(TxBytes.hex(random, random.nextInt(80))));
      Bytes payload = server.filter().toPayload();
      int set = BitSet.valueOf(payload.slice(1, 1 + parameters.bytes()).toArray()).cardinality();
      assertThat(server.bitsSet()).isEqualTo(set);
      assertThat(server.filter().bitsSet()).isEqualTo(set);
      assertThat(BloomFilter.fromPayload(payload).bitsSet()).isEqualTo(set);
      assertThat(server.realisedRate())
          .isEqualTo(Math.pow(set / (8.0 * parameters.bytes()), parameters.hashFunctions()))
          .isEqualTo(server.filter().realisedRate());
    }
  }

  @Property(tries = 200)
  void agreesWithBitcoinj(@ForAll long seed, @ForAll UpdateFlag flag) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    BloomUpdate theirFlag =
        switch (flag) {
          case NONE -> BloomUpdate.UPDATE_NONE;
          case ALL -> BloomUpdate.UPDATE_ALL;
          case P2PUBKEY_ONLY -> BloomUpdate.UPDATE_P2PUBKEY_ONLY;
        };
    int tweak = random.nextInt();
    org.bitcoinj.core.BloomFilter theirs =
        new org.bitcoinj.core.BloomFilter(60, 1e-8, tweak, theirFlag);
    BloomFilter.Builder builder =
        BloomFilter.builder(FilterParameters.of(60, 1e-8, tweak, flag, Rounding.BITCOINJ));
    List<String> hashes = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      hashes.add(TxBytes.hex(random, 20));
      keys.add((random.nextBoolean() ? "02" : "03") + TxBytes.hex(random, 32));
      if (i < 8) {
        for (Bytes element : List.of(Bytes.ofHex(hashes.get(i)), Bytes.ofHex(keys.get(i)))) {
          builder.add(element);
          theirs.insert(element.toArray());
        }
      }
    }
    ServerFilter ours = new ServerFilter(builder.build());
    List<OutPoint> coins = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      TxBytes bytes = new TxBytes();
      for (int j = random.nextInt(2); j >= 0; j--) {
        OutPoint spent =
            coins.isEmpty() || random.nextInt(3) == 0
                ? TxBytes.outPoint(random)
                : coins.remove(random.nextInt(coins.size()));
        String key = keys.get(random.nextInt(20));
        bytes.spends(
            spent, random.nextBoolean() ? "" : "47" + TxBytes.hex(random, 71) + "21" + key);
      }
      for (int j = random.nextInt(3); j >= 0; j--) {
        String hash = hashes.get(random.nextInt(20));
        String key = keys.get(random.nextInt(20));
        bytes.pays(
            switch (random.nextInt(5)) {
              case 0 -> "76a914" + hash + "88ac";
              case 1 -> "a914" + hash + "87";
              case 2 -> "21" + key + "ac";
              case 3 -> "6a14" + hash;
              default -> "20" + TxBytes.hex(random, 32) + "14" + hash;
            });
      }
      Tx tx = bytes.tx();
      Transaction theirTx = Transaction.read(ByteBuffer.wrap(tx.raw().toArray()));
      assertThat(ours.matchAndUpdate(tx)).isEqualTo(theirs.applyAndUpdate(theirTx));
      assertThat(ours.filter().toPayload()).isEqualTo(Bytes.of(theirs.serialize()));
      for (int j = 0; j < tx.outputs().size(); j++) {
        coins.add(tx.outPoint(j));
      }
    }
  }
}
