package org.murmur.coins.psbt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;

/** A real node reads, signs, combines and finalises our PSBTs, and we do so with its own. */
@Tag("real-node")
@Timeout(300)
final class PsbtRealNodeTest {

  private static final TestWallet OURS = TestWallet.OURS;
  private static final Map<Hash256, Tx> OUR_TRANSACTIONS = new HashMap<>();
  private static final Map<OutputType, OutPoint> OUR_COINS = new EnumMap<>(OutputType.class);
  private static final Map<OutputType, OutPoint> WATCHED_COINS = new EnumMap<>(OutputType.class);
  private static final Map<OutputType, OutPoint> THEIR_COINS = new EnumMap<>(OutputType.class);
  private static final Map<OutputType, String> NAMES =
      Map.of(
          OutputType.P2PKH, "legacy",
          OutputType.P2SH_P2WPKH, "p2sh-segwit",
          OutputType.P2WPKH, "bech32",
          OutputType.P2TR, "bech32m");

  private static Bitcoind node;

  /** The node's wallet with keys of its own. */
  private static JsonRpc theirs;

  /** The node's wallet with our public keys. */
  private static JsonRpc watching;

  @BeforeAll
  static void fund() {
    node = Bitcoind.start();
    node.rpc().call("createwallet", "theirs");
    theirs = node.rpc().wallet("theirs");
    watching = walletThatWatchesOurs();
    for (OutputType type : OutputType.values()) {
      OUR_COINS.put(type, mined("raw(" + OURS.script(path(type, 1)) + ")", true));
      WATCHED_COINS.put(type, mined("raw(" + OURS.script(path(type, 2)) + ")", true));
      String address = theirs.call("getnewaddress", "", name(type)).asText();
      THEIR_COINS.put(type, mined("addr(" + address + ")", false));
    }
    node.mine(100);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String name(OutputType type) {
    return Objects.requireNonNull(NAMES.get(type));
  }

  private static KeyPath path(OutputType type, int index) {
    return new KeyPath(type, 0, false, index);
  }

  private static JsonRpc walletThatWatchesOurs() {
    node.rpc().call("createwallet", "watching", true, true);
    List<Object> imports = new ArrayList<>();
    for (OutputType type : OutputType.values()) {
      for (Descriptor chain :
          Accounts.descriptors(TestWallet.WORDS, "", KeyNetwork.REGTEST, List.of(type), 0)) {
        String text = chain.canonical().replaceFirst("#.*", "");
        String checksum = node.rpc().call("getdescriptorinfo", text).get("checksum").asText();
        imports.add(
            Map.of(
                "desc",
                text + "#" + checksum,
                "timestamp",
                "now",
                "active",
                true,
                "internal",
                chain.change(),
                "range",
                List.of(0, 5)));
      }
    }
    JsonRpc wallet = node.rpc().wallet("watching");
    assertThat(wallet.call("importdescriptors", imports))
        .allSatisfy(
            result -> assertThat(result.get("success").asBoolean()).as(result.toString()).isTrue());
    return wallet;
  }

  private static OutPoint coin(Map<OutputType, OutPoint> coins, OutputType type) {
    return Objects.requireNonNull(coins.get(type));
  }

  private static OutPoint mined(String descriptor, boolean ours) {
    JsonNode hash = node.rpc().call("generatetodescriptor", 1, descriptor).get(0);
    JsonNode coinbase = node.rpc().call("getblock", hash.asText(), 2).get("tx").get(0);
    Tx tx = Tx.parse(Bytes.ofHex(coinbase.get("hex").asText()));
    if (ours) {
      OUR_TRANSACTIONS.put(tx.txid(), tx.withoutWitness());
    }
    return tx.outPoint(0);
  }

  /** Only the transactions that an SPV wallet would have. */
  private static Optional<Tx> transaction(Hash256 txid) {
    return Optional.ofNullable(OUR_TRANSACTIONS.get(txid));
  }

  @ParameterizedTest
  @EnumSource
  void bothPayTogether(OutputType type) {
    payTogether(List.of(coin(OUR_COINS, type), coin(THEIR_COINS, type)), type);
  }

  @ParameterizedTest
  @EnumSource(names = "P2TR")
  void coinsOfAllTypesPayTogether(OutputType type) {
    List<OutPoint> coins = new ArrayList<>(OUR_COINS.values());
    coins.addAll(THEIR_COINS.values());
    payTogether(coins, type);
  }

  private static void payTogether(List<OutPoint> coins, OutputType change) {
    TxBuilder payment = new TxBuilder();
    coins.forEach(payment::spend);
    Tx unsigned =
        payment
            .pay(1_000_000, Bytes.ofHex("0014" + "11".repeat(20)))
            .pay(4_000_000_000L, OURS.script(new KeyPath(change, 0, true, 0)))
            .build();
    Psbt ours =
        PsbtUpdater.update(Psbt.create(unsigned), OURS.own(), PsbtRealNodeTest::transaction);
    Psbt both = read(theirs.call("walletprocesspsbt", ours.toBase64(), false));
    JsonNode decoded = node.rpc().call("decodepsbt", both.toBase64());
    long fee = PsbtFacts.of(both).fee().orElseThrow();
    assertThat(JsonRpc.satoshi(decoded.get("fee"))).isEqualTo(fee);
    assertThat(decoded.get("tx").get("txid").asText())
        .isEqualTo(both.unsignedTx().txid().toDisplay());
    Psbt signedByUs = PsbtSigner.sign(both, OURS.own(), OURS.privateKeys()).psbt();
    Psbt signedByThem =
        read(theirs.call("walletprocesspsbt", both.toBase64(), true, "DEFAULT", true, false));
    String theirCombined =
        node.rpc()
            .call("combinepsbt", List.of(signedByUs.toBase64(), signedByThem.toBase64()))
            .asText();
    Psbt combined = PsbtCombiner.combine(List.of(signedByUs, signedByThem));
    Tx tx = PsbtFinalizer.extract(combined);
    assertThat(PsbtFinalizer.extract(Psbt.parseBase64(theirCombined))).isEqualTo(tx);
    assertFinal(theirCombined, tx);
    assertFinal(combined.toBase64(), tx);
    assertFinal(PsbtFinalizer.finalise(combined).toBase64(), tx);
    assertAccepted(tx);
  }

  @ParameterizedTest
  @EnumSource
  void weSignWhatTheNodeCreates(OutputType type) {
    OutPoint coin = coin(WATCHED_COINS, type);
    JsonNode created =
        watching.call(
            "walletcreatefundedpsbt",
            List.of(Map.of("txid", coin.txid().toDisplay(), "vout", 0)),
            List.of(Map.of(theirs.call("getnewaddress").asText(), 1.25)),
            0,
            Map.of("add_inputs", false, "change_type", name(type), "fee_rate", 5),
            true);
    Psbt theirPsbt = read(created);
    PsbtSummary summary = PsbtSummary.of(theirPsbt, OURS.own());
    assertThat(summary.fee()).hasValue(JsonRpc.satoshi(created.get("fee")));
    assertThat(summary.inputs().get(0).own()).isPresent();
    int change = created.get("changepos").asInt();
    assertThat(summary.outputs().get(change).own()).isPresent();
    Psbt updated = PsbtUpdater.update(theirPsbt, OURS.own(), PsbtRealNodeTest::transaction);
    assertThat(derivations(updated)).isEqualTo(derivations(theirPsbt)).hasSize(2);
    Psbt signed = PsbtSigner.sign(updated, OURS.own(), OURS.privateKeys()).psbt();
    Tx tx = PsbtFinalizer.extract(signed);
    assertThat(PsbtSummary.of(signed, OURS.own()).vsize()).hasValue(tx.virtualSize());
    assertFinal(signed.toBase64(), tx);
    assertAccepted(tx);
  }

  /** Origins of keys in inputs and outputs. */
  private static List<Map<Bytes, Bytes>> derivations(Psbt psbt) {
    List<Map<Bytes, Bytes>> all = new ArrayList<>();
    for (FieldMap input : psbt.maps().inputs()) {
      all.add(input.all(Field.DERIVATION));
      all.add(input.all(Field.TAP_DERIVATION));
    }
    for (FieldMap output : psbt.maps().outputs()) {
      all.add(output.all(Field.OUT_DERIVATION));
      all.add(output.all(Field.OUT_TAP_DERIVATION));
    }
    all.removeIf(Map::isEmpty);
    return all;
  }

  private static Psbt read(JsonNode answer) {
    return Psbt.parseBase64(answer.get("psbt").asText());
  }

  private static void assertFinal(String psbt, Tx tx) {
    JsonNode answer = node.rpc().call("finalizepsbt", psbt);
    assertThat(answer.get("complete").asBoolean()).as(answer.toString()).isTrue();
    assertThat(answer.get("hex").asText()).isEqualTo(tx.raw().toHex());
  }

  private static void assertAccepted(Tx tx) {
    JsonNode answer = node.rpc().call("testmempoolaccept", List.of(tx.raw().toHex()), 0).get(0);
    assertThat(answer.get("allowed").asBoolean()).as(answer.toString()).isTrue();
    assertThat(answer.get("vsize").asLong()).isEqualTo(tx.virtualSize());
  }
}
