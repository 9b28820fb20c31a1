package org.murmur.coins.internal.sign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.crypto.HDKeyDerivation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.Payments.Payment;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.bitcoind.AddressType;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;

/**
 * A real node accepts what we sign, counts its size as we do, and its wallet signs the same
 * transaction with the same keys to the same bytes.
 */
@Tag("real-node")
@Timeout(300)
final class SignerRealNodeTest {

  private static final int COINS_OF_A_TYPE = 6;
  private static final List<Coin> COINS = new ArrayList<>();
  private static Bitcoind node;
  private static JsonRpc theirWallet;

  private record Coin(OutPoint outPoint, SpentOutput output) {}

  @BeforeAll
  static void fund() {
    node = Bitcoind.start();
    for (OutputType type : OutputType.values()) {
      for (int i = 0; i < COINS_OF_A_TYPE; i++) {
        COINS.add(coin(new KeyPath(type, 0, i % 2 == 1, i)));
      }
    }
    node.mine(100);
    theirWallet = walletOfTheSameWords();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Coin coin(KeyPath path) {
    Bytes script = Payments.script(path);
    JsonNode hash = node.rpc().call("generatetodescriptor", 1, "raw(" + script + ")").get(0);
    JsonNode coinbase = node.rpc().call("getblock", hash.asText(), 2).get("tx").get(0);
    long value = JsonRpc.satoshi(coinbase.get("vout").get(0).get("value"));
    OutPoint outPoint = new OutPoint(Hash256.ofDisplay(coinbase.get("txid").asText()), 0);
    return new Coin(outPoint, new SpentOutput(value, script, path));
  }

  private static JsonRpc walletOfTheSameWords() {
    String master =
        HDKeyDerivation.createMasterPrivateKey(Payments.WORDS.toSeed(""))
            .serializePrivB58(BitcoinNetwork.REGTEST);
    node.rpc().call("createwallet", "theirs", false, true);
    List<Object> imports = new ArrayList<>();
    for (AddressType type : AddressType.values()) {
      for (int chain = 0; chain < 2; chain++) {
        String descriptor = type.descriptor(master, chain);
        JsonNode info = node.rpc().call("getdescriptorinfo", descriptor);
        String text = descriptor + "#" + info.get("checksum").asText();
        imports.add(Map.of("desc", text, "timestamp", "now", "range", List.of(0, 20)));
      }
    }
    JsonRpc wallet = node.rpc().wallet("theirs");
    assertThat(wallet.call("importdescriptors", imports))
        .allSatisfy(result -> assertThat(result.get("success").asBoolean()).isTrue());
    return wallet;
  }

  @ParameterizedTest
  @EnumSource
  void oneInput(OutputType type) {
    COINS.stream().filter(coin -> type(coin) == type).forEach(coin -> check(List.of(coin)));
  }

  @ParameterizedTest
  @EnumSource
  void allCoinsOfAType(OutputType type) {
    check(COINS.stream().filter(coin -> type(coin) == type).toList());
  }

  @Test
  void allCoinsOfAllTypes() {
    check(COINS);
  }

  private static OutputType type(Coin coin) {
    return coin.output().path().type();
  }

  private static void check(List<Coin> coins) {
    Payment payment = payment(coins);
    Tx signed;
    try (WordKeys keys = Payments.keys()) {
      signed = payment.sign(keys);
    }
    String hex = signed.raw().toHex();
    JsonNode answer = node.rpc().call("testmempoolaccept", List.of(hex)).get(0);
    assertThat(answer.get("allowed").asBoolean()).as(answer.toString()).isTrue();
    assertThat(answer.get("vsize").asLong()).isEqualTo(signed.virtualSize());
    JsonNode theirs = theirWallet.call("signrawtransactionwithwallet", payment.tx().raw().toHex());
    assertThat(theirs.get("complete").asBoolean()).as(theirs.toString()).isTrue();
    assertThat(hex).isEqualTo(theirs.get("hex").asText());
  }

  private static Payment payment(List<Coin> coins) {
    TxBuilder tx = new TxBuilder();
    coins.forEach(coin -> tx.spend(coin.outPoint()));
    List<SpentOutput> spent = coins.stream().map(Coin::output).toList();
    long value = spent.stream().mapToLong(SpentOutput::value).sum();
    return new Payment(
        tx.pay(value / 3, Payments.script(new KeyPath(OutputType.P2TR, 0, true, 19)))
            .pay(value - value / 3 - 100_000, Payments.script(spent.get(0).path()))
            .build(),
        spent);
  }
}
