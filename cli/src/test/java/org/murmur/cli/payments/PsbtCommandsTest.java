package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.Assertions;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.psbt.Psbt;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;

/** The commands on a payment of two coins of a synced wallet. */
class PsbtCommandsTest extends RestoredWallet {

  private static final long FEE = 1_000;

  private Tx unsigned;
  private Path file;

  @BeforeEach
  void pay() throws IOException {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
    }
    JsonNode coins = murmur("coins", "--json").exits(ExitCode.DONE).json().get("coins");
    TxBuilder tx = new TxBuilder();
    long value = 0;
    String address = "";
    for (JsonNode coin : coins) {
      if (coin.get("spendable").asBoolean() && value < 2_000_000) {
        Hash256 txid = Hash256.ofDisplay(coin.get("txid").asText());
        tx.spend(new OutPoint(txid, coin.get("vout").asInt()));
        value += coin.get("value_sat").asLong();
        address = coin.get("address").asText();
      }
    }
    unsigned =
        tx.pay(5_000, Bytes.ofHex("0014" + "11".repeat(20)))
            .pay(value - 5_000 - FEE, Address.parse(address, KeyNetwork.REGTEST).scriptPubKey())
            .build();
    file = write("unsigned.psbt", Psbt.create(unsigned).toBase64());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(datadir.resolve(name), text);
  }

  @Test
  void isShownSignedAndFinalised() throws IOException {
    JsonNode before = murmur("psbt", "show", file.toString(), "--json").json();
    assertThat(before.get("complete").asBoolean()).isFalse();
    // The PSBT has no spent outputs: the wallet fills its own in.
    assertThat(before.get("fee_sat").asLong()).isEqualTo(FEE);
    before.get("inputs").forEach(in -> assertThat(in.get("own").asBoolean()).isTrue());
    assertThat(before.get("missing")).hasSize(unsigned.inputs().size());
    assertThat(before.get("outputs").get(0).get("own").asBoolean()).isFalse();
    assertThat(before.get("outputs").get(1).get("own").asBoolean()).isTrue();

    Ran signed = murmur("psbt", "sign", file.toString()).exits(ExitCode.DONE);
    assertThat(signed.err()).contains("0.00001000");
    JsonNode after =
        here()
            .stdin(signed.out())
            .murmur("psbt", "show", "-", "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(after.get("complete").asBoolean()).isTrue();
    assertThat(after.get("fee_sat").asLong()).isEqualTo(FEE);
    assertThat(after.get("missing")).isEmpty();
    after.get("inputs").forEach(in -> assertThat(in.get("state").asText()).isEqualTo("signed"));
    after.get("inputs").forEach(in -> assertThat(in.get("path").asText()).startsWith("m/84h/1h"));

    Ran hex = here().stdin(signed.out()).murmur("psbt", "finalize", "-", "--hex");
    Tx tx = Tx.parse(Bytes.ofHex(hex.exits(ExitCode.DONE).out().strip()));
    assertThat(tx.withoutWitness()).isEqualTo(unsigned);
    assertThat(after.get("vsize").asLong()).isEqualTo(tx.virtualSize());
    assertThat(after.get("fee_rate").asDouble())
        .isEqualTo((double) FEE / tx.virtualSize(), within());

    Ran text = here().stdin(signed.out()).murmur("psbt", "show", "-").exits(ExitCode.DONE);
    assertThat(text.out()).contains("ours, m/84h", "0.00005000", "complete");
  }

  private static Offset<Double> within() {
    return Assertions.within(0.01);
  }

  @Test
  void severalFilesAreCombined() throws IOException {
    Path signed =
        write("signed.psbt", murmur("psbt", "sign", file.toString()).exits(ExitCode.DONE).out());
    String both =
        murmur("psbt", "combine", file.toString(), signed.toString()).exits(ExitCode.DONE).out();
    assertThat(both).isEqualTo(Files.readString(signed));
    Path binary = datadir.resolve("binary.psbt");
    Files.write(binary, Psbt.parseBase64(both).toBytes().toArray());
    Path finalised =
        write(
            "final.psbt", murmur("psbt", "finalize", binary.toString()).exits(ExitCode.DONE).out());
    Ran again = murmur("psbt", "sign", finalised.toString()).exits(ExitCode.FAILED);
    assertThat(again.err()).contains("no unsigned input");
  }

  @Test
  void whatIsRefusedSaysWhy() throws IOException {
    refuses("not_complete", "psbt", "finalize", "--hex", file.toString());
    Path junk = write("junk.psbt", "bm90IGEgUFNCVA==");
    refuses("malformed", "psbt", "show", junk.toString());
    Tx other =
        new TxBuilder().spend(new OutPoint(Hash256.ZERO, 1)).pay(1_000, Bytes.ofHex("51")).build();
    Path foreign = write("foreign.psbt", Psbt.create(other).toBase64());
    refuses("nothing_to_sign", "psbt", "sign", foreign.toString());
    refuses("not_the_same", "psbt", "combine", file.toString(), foreign.toString());
    murmur("psbt").exits(ExitCode.USAGE);
    murmur("psbt", "combine", "-", "-").exits(ExitCode.USAGE);
    Path passphrase = write("passphrase.txt", "another");
    refuses(
        "wrong_passphrase",
        "psbt",
        "sign",
        "--passphrase-file",
        passphrase.toString(),
        file.toString());
  }

  private void refuses(String kind, String... args) {
    String[] json = Arrays.copyOf(args, args.length + 1);
    json[args.length] = "--json";
    JsonNode error = murmur(json).exits(ExitCode.FAILED).json().get("error");
    assertThat(error.get("kind").asText()).isEqualTo(kind);
  }

  @Test
  void withoutAWalletNothingIsOurs() {
    JsonNode shown =
        Ran.with()
            .datadir(datadir.resolve("empty"))
            .environment("MURMUR_NETWORK", "regtest")
            .stdin(Psbt.create(unsigned).toBytes().toArray())
            .murmur("psbt", "show", "-", "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(shown.get("outputs").get(1).get("own").asBoolean()).isFalse();
    assertThat(shown.get("outputs").get(1).get("address").asText()).startsWith("bcrt1");
  }

  /** Coins of some wallet, as far as this one knows: not signed, whatever was agreed. */
  @Test
  void inputsThatNobodyKnowsAreNotSigned() throws IOException {
    Path unknown =
        write(
            "unknown.psbt",
            new String(
                getClass().getResourceAsStream("/psbt/own-coins-no-utxo.txt").readAllBytes(),
                StandardCharsets.US_ASCII));
    assertThat(murmur("psbt", "show", unknown.toString()).exits(ExitCode.DONE).out())
        .contains("spends            unknown", "fee              unknown");
    Ran refused = murmur("psbt", "sign", "--yes", unknown.toString());
    assertThat(refused.exits(ExitCode.FAILED).err())
        .contains("does not say what 4 inputs spend", "`murmur sync`");
  }

  private Path payingTheFee(long fee) throws IOException {
    TxBuilder tx = new TxBuilder();
    unsigned.inputs().forEach(input -> tx.spend(input.outPoint()));
    long change = unsigned.outputs().get(1).value() + 5_000 + FEE - 1_000 - fee;
    tx.pay(1_000, unsigned.outputs().get(0).script())
        .pay(change, unsigned.outputs().get(1).script());
    return write("fee.psbt", Psbt.create(tx.build()).toBase64());
  }

  /** As of a payment that the wallet plans itself. */
  @Test
  void aFeeAboveTheAmountIsWarnedOf() throws IOException {
    Path paying = payingTheFee(299_000);
    String warning = "the fee is more than the amount";
    assertThat(murmur("psbt", "show", paying.toString()).out()).contains("warning: " + warning);
    JsonNode shown = murmur("psbt", "show", paying.toString(), "--json").json();
    assertThat(shown.get("fee_warnings").get(0).asText()).isEqualTo("fee_above_amount");
    Ran asked = here().typing("n").murmur("psbt", "sign", paying.toString());
    assertThat(asked.exits(ExitCode.FAILED).err()).contains("Sign it, although " + warning + "?");
    assertThat(murmur("psbt", "sign", paying.toString()).exits(ExitCode.DONE).err())
        .contains("warning: " + warning);
    refuses("fee_too_high", "psbt", "sign", "--yes", "--max-fee", "298999", paying.toString());
  }

  private String coin() {
    OutPoint first = unsigned.inputs().get(0).outPoint();
    return first.txid().toDisplay() + ":" + first.index();
  }

  @Test
  void aFrozenCoinIsSignedOnlyByWhoAgrees() {
    murmur("freeze", coin()).exits(ExitCode.DONE);
    String warning = "coin " + coin() + " is frozen in this wallet";
    assertThat(murmur("psbt", "show", file.toString()).out()).contains("warning: " + warning);
    JsonNode shown = murmur("psbt", "show", file.toString(), "--json").json();
    assertThat(shown.get("inputs").get(0).get("frozen").asBoolean()).isTrue();
    assertThat(shown.get("inputs").get(1).get("frozen").asBoolean()).isFalse();
    Ran refused = murmur("psbt", "sign", file.toString());
    assertThat(refused.exits(ExitCode.FAILED).err()).contains(warning, "--yes signs it");
    assertThat(refused.out()).isEmpty();
    Ran asked = here().typing("n").murmur("psbt", "sign", file.toString());
    assertThat(asked.exits(ExitCode.FAILED).err()).contains(warning, "nothing was signed");
    Ran signed = murmur("psbt", "sign", "--yes", file.toString());
    assertThat(signed.exits(ExitCode.DONE).err()).contains(warning);
  }

  /** A payment of the wallet waits with the same coin: the PSBT, once sent, displaces it. */
  @Test
  void whatAPendingPaymentSpendsIsNamed() throws IOException {
    String payee = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
    String coin = coin();
    murmur("send", payee, "10000sat", "--coin", coin, "--fee-rate", "1", "--offline", "--yes")
        .exits(ExitCode.DONE);
    JsonNode all = murmur("history", "--json").json().get("transactions");
    String pending = all.get(all.size() - 1).get("txid").asText();
    String warning = "payment " + pending + " of this wallet spends coin " + coin;
    assertThat(murmur("psbt", "show", file.toString()).out()).contains(warning);
    JsonNode shown = murmur("psbt", "show", file.toString(), "--json").json();
    assertThat(shown.get("inputs").get(0).get("spent_by").asText()).isEqualTo(pending);
    assertThat(murmur("psbt", "sign", file.toString()).exits(ExitCode.FAILED).err())
        .contains(warning, "--yes signs it");
    String base64 = murmur("psbt", "sign", "--yes", file.toString()).exits(ExitCode.DONE).out();
    Path signed = write("displacing.psbt", base64);
    try (RegtestNode node = node()) {
      Ran sent =
          murmur(
              "psbt",
              "finalize",
              "--broadcast",
              signed.toString(),
              "--json",
              "--connect",
              node.address());
      assertThat(sent.exits(ExitCode.DONE).err())
          .contains("payment " + pending, "at most one of the two is mined");
      assertThat(sent.json().get("broadcast").get("displaces").get(0).asText()).isEqualTo(pending);
    }
    // A payment of one's own that died stays in sight.
    assertThat(murmur("history").out()).contains(pending);
  }
}
