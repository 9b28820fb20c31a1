package org.murmur.coins.psbt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;

/** PSBTs that a real node signed whole, of scripts that this wallet does not sign itself. */
@Tag("real-node")
@Timeout(300)
final class OtherScriptsTest {

  /** Private keys 1, 2 and 3 on test networks, and a public key whose private key nobody has. */
  private static final String ONE = "cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA";

  private static final String TWO = "cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87K7XCyj5v";
  private static final String THREE = "cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87KcLPVfXz";
  private static final String NOBODY =
      "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";

  private static Bitcoind node;
  private static int wallets;

  @BeforeAll
  static void start() {
    node = Bitcoind.start();
    node.mine(1);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pk(ONE)",
        "sh(pk(ONE))",
        "wsh(pk(ONE))",
        "sh(wsh(pk(ONE)))",
        "wsh(multi(2,ONE,TWO,THREE))",
        "sh(multi(1,ONE,TWO))",
        "tr(NOBODY,pk(ONE))",
        "tr(NOBODY,multi_a(2,ONE,TWO,THREE))",
        "tr(NOBODY,{pk(ONE),multi_a(1,TWO,THREE)})"
      })
  void areComplete(String form) {
    String descriptor =
        form.replace("ONE", ONE)
            .replace("TWO", TWO)
            .replace("THREE", THREE)
            .replace("NOBODY", NOBODY);
    String checksum = node.rpc().call("getdescriptorinfo", descriptor).get("checksum").asText();
    String name = "other" + wallets++;
    node.rpc().call("createwallet", name, false, true);
    JsonRpc wallet = node.rpc().wallet(name);
    JsonNode imported =
        wallet.call(
            "importdescriptors",
            List.of(Map.of("desc", descriptor + "#" + checksum, "timestamp", "now")));
    assertThat(imported.get(0).get("success").asBoolean()).as(imported.toString()).isTrue();
    JsonNode hash = node.rpc().call("generatetodescriptor", 1, descriptor + "#" + checksum).get(0);
    JsonNode coinbase = node.rpc().call("getblock", hash.asText(), 2).get("tx").get(0);
    Tx funding = Tx.parse(Bytes.ofHex(coinbase.get("hex").asText()));
    node.mine(100);
    Tx unsigned =
        new TxBuilder()
            .spend(funding.outPoint(0))
            .pay(funding.outputs().get(0).value() - 10_000, Bytes.ofHex("0014" + "11".repeat(20)))
            .build();
    Psbt updated = read(wallet.call("walletprocesspsbt", Psbt.create(unsigned).toBase64(), false));
    PsbtSummary before = PsbtSummary.of(updated, script -> Optional.empty());
    assertThat(before.isComplete()).isFalse();
    Psbt signed =
        read(
            wallet.call(
                "walletprocesspsbt",
                Psbt.create(unsigned).toBase64(),
                true,
                "DEFAULT",
                true,
                false));
    PsbtSummary summary = PsbtSummary.of(signed, script -> Optional.empty());
    assertThat(summary.inputs().get(0).state()).isEqualTo(PsbtSummary.State.SIGNED);
    Tx tx = PsbtFinalizer.extract(signed);
    assertThat(summary.vsize()).hasValue(tx.virtualSize());
    assertThat(before.vsize().orElseThrow()).isBetween(tx.virtualSize(), tx.virtualSize() + 10L);
    JsonNode answer = node.rpc().call("testmempoolaccept", List.of(tx.raw().toHex()), 0).get(0);
    assertThat(answer.get("allowed").asBoolean()).as(answer.toString()).isTrue();
  }

  private static Psbt read(JsonNode answer) {
    return Psbt.parseBase64(answer.get("psbt").asText());
  }
}
