package org.murmur.cli.pay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.psbt.Psbt;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;

/** A watch-only wallet plans payments for another signer: the wallet with the words. */
@Timeout(120)
class PsbtPaymentTest extends RestoredWallet {

  /** Of the key 1. */
  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  private static final Bytes PAYEES_SCRIPT =
      Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");

  private RegtestNode node;

  @BeforeEach
  void watchOnly() {
    node = node();
    JsonNode descriptors = murmur("export", "descriptor", "--json").json().get("descriptors");
    watching(
            Stream.concat(
                    Stream.of("watch"),
                    Stream.of(descriptors.get(0).asText(), descriptors.get(1).asText()))
                .toArray(String[]::new))
        .exits(ExitCode.DONE);
    sync();
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  private Ran watching(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "-w";
    all[arguments.length + 1] = "watching";
    return murmur(all);
  }

  private void sync() {
    watching("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
  }

  private long total() {
    return watching("balance", "--json").json().get("total_sat").asLong();
  }

  /** Signs with the other wallet and sends with this one. */
  private String signAndSend(String psbt) throws IOException {
    String signed = here().stdin(psbt).murmur("psbt", "sign", "-").exits(ExitCode.DONE).out();
    Path file = Files.writeString(datadir.resolve("signed"), signed);
    String hex =
        murmur("psbt", "finalize", "--hex", file.toString()).exits(ExitCode.DONE).out().strip();
    watching("broadcast", hex, "--connect", node.address()).exits(ExitCode.DONE);
    return hex;
  }

  @Test
  void paysWithAnotherSigner() throws IOException {
    long before = total();
    Path file = datadir.resolve("unsigned.psbt");
    Ran planned = watching("send", PAYEE, "0.001", "--fee-rate", "3", "--psbt", file.toString());
    assertThat(planned.exits(ExitCode.DONE).out()).contains("0.00100000 BTC to " + PAYEE, "fee ");
    assertThat(total()).isEqualTo(before);
    Tx sent = Tx.parse(Bytes.ofHex(signAndSend(Files.readString(file))));
    assertThat(sent.outputs()).contains(new Tx.Output(100_000, PAYEES_SCRIPT));
    assertThat(node.mine(1).get(0).tx(1)).isEqualTo(sent);
    sync();
    long fee = murmur("psbt", "show", file.toString(), "--json").json().get("fee_sat").asLong();
    assertThat(total()).isEqualTo(before - 100_000 - fee);
    double rate = (double) fee / sent.virtualSize();
    assertThat(rate).isBetween(3.0, 3.1);
  }

  @Test
  void finalizeSendsThePaymentThroughTheWallet() throws IOException {
    String psbt =
        watching("send", PAYEE, "0.001", "--fee-rate", "3", "--psbt", "-")
            .exits(ExitCode.DONE)
            .out();
    Path unsigned = Files.writeString(datadir.resolve("unsigned"), psbt);
    Ran early =
        watching(
            "psbt", "finalize", "--broadcast", unsigned.toString(), "--connect", node.address());
    assertThat(early.exits(ExitCode.FAILED).err()).contains("PSBT refused");
    String signed = here().stdin(psbt).murmur("psbt", "sign", "-").exits(ExitCode.DONE).out();
    Path file = Files.writeString(datadir.resolve("signed"), signed);
    JsonNode json =
        watching(
                "psbt",
                "finalize",
                "--broadcast",
                file.toString(),
                "--connect",
                node.address(),
                "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(json.get("broadcast").get("accepted_by")).hasSize(1);
    Tx mined = node.mine(1).get(0).tx(1);
    assertThat(mined.txid().toDisplay()).isEqualTo(json.get("txid").asText());
    assertThat(mined.raw().toHex()).isEqualTo(json.get("hex").asText());
  }

  @Test
  void signShowsThePaymentAndAsks() {
    String psbt =
        watching("send", PAYEE, "0.001", "--fee-rate", "3", "--psbt", "-")
            .exits(ExitCode.DONE)
            .out();
    Ran no = here().stdin(psbt).typing("").murmur("psbt", "sign", "-");
    assertThat(no.exits(ExitCode.FAILED).err())
        .contains("0.00100000  " + PAYEE, "fee  ", "Sign it? [y/N]", "nothing was signed");
    assertThat(no.out()).isEmpty();
    String signed = here().stdin(psbt).typing("y").murmur("psbt", "sign", "-").out();
    assertThat(signed).startsWith("cHNidP8");
    assertThat(here().stdin(psbt).typing().murmur("psbt", "sign", "--yes", "-").out())
        .isEqualTo(signed);
    Ran high = here().stdin(psbt).murmur("psbt", "sign", "-", "--max-fee", "10", "--json");
    assertThat(high.exits(ExitCode.FAILED).json().get("error").get("kind").asText())
        .isEqualTo("fee_too_high");
  }

  /** Another payer's output is not in it. What is known of the fee is compared all the same. */
  @Test
  void aFeeThatIsNotKnownIsNotPaid() {
    murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
    JsonNode coin = watching("coins", "--json").exits(ExitCode.DONE).json().get("coins").get(0);
    OutPoint own =
        new OutPoint(Hash256.ofDisplay(coin.get("txid").asText()), coin.get("vout").asInt());
    long least = coin.get("value_sat").asLong() - 1_000;
    Tx joint =
        new TxBuilder()
            .spend(own)
            .spend(new OutPoint(own.txid(), 77))
            .pay(1_000, PAYEES_SCRIPT)
            .build();
    String psbt = Psbt.create(joint).toBase64();
    String shown = here().stdin(psbt).murmur("psbt", "show", "-").exits(ExitCode.DONE).out();
    assertThat(shown).contains("fee              unknown, at least");
    refusesToSign("fee_too_high", psbt, least - 1);
    refusesToSign("fee_unknown", psbt, least);
    Ran refused = here().stdin(psbt).murmur("psbt", "sign", "--yes", "-");
    assertThat(refused.exits(ExitCode.FAILED).out()).isEmpty();
  }

  /** Whatever {@code sign} refuses, {@code show} has named. */
  @Test
  void whatIsNotSignedIsShownBefore() {
    murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
    JsonNode coins = murmur("coins", "--json").json().get("coins");
    List<JsonNode> spendable = new ArrayList<>();
    coins.forEach(
        coin -> {
          if (coin.get("spendable").asBoolean()) {
            spendable.add(coin);
          }
        });
    SplittableRandom random = new SplittableRandom(8);
    Set<String> kinds = new HashSet<>();
    for (int i = 0; i < 24; i++) {
      JsonNode coin = spendable.get(random.nextInt(spendable.size()));
      OutPoint own =
          new OutPoint(Hash256.ofDisplay(coin.get("txid").asText()), coin.get("vout").asInt());
      boolean freezes = random.nextInt(3) == 0;
      murmur(freezes ? "freeze" : "unfreeze", own.toString()).exits(ExitCode.DONE);
      TxBuilder builder = new TxBuilder().spend(own);
      if (random.nextInt(3) == 0) {
        builder.spend(new OutPoint(own.txid(), 77));
      }
      long value = coin.get("value_sat").asLong();
      long fee = random.nextInt(3) == 0 ? Math.min(value - 1_000, 11_000_000) : 1_000;
      String psbt = Psbt.create(builder.pay(value - fee, PAYEES_SCRIPT).build()).toBase64();
      JsonNode shown = here().stdin(psbt).murmur("psbt", "show", "-", "--json").json();
      Ran signed = here().stdin(psbt).murmur("psbt", "sign", "-", "--json");
      JsonNode refusals = shown.get("refusals");
      if (signed.code() == ExitCode.DONE.number()) {
        assertThat(refusals).as("step " + i).isEmpty();
      } else {
        String kind = signed.json().get("error").get("kind").asText();
        kinds.add(kind);
        assertThat(refusals.get(0).asText()).as("step " + i + shown).isEqualTo(kind);
        assertThat(here().stdin(psbt).murmur("psbt", "show", "-").out()).contains("warning");
      }
      murmur("unfreeze", own.toString()).exits(ExitCode.DONE);
    }
    assertThat(kinds).contains("fee_unknown", "coin_reserved");
  }

  private void refusesToSign(String kind, String psbt, long maxFee) {
    Ran ran =
        here()
            .stdin(psbt)
            .murmur("psbt", "sign", "--yes", "--max-fee", String.valueOf(maxFee), "--json", "-");
    assertThat(ran.exits(ExitCode.FAILED).json().get("error").get("kind").asText()).isEqualTo(kind);
  }

  @Test
  void printsThePsbtAlone() {
    String[] send = {"send", PAYEE, "0.001", "--fee-rate", "3", "--psbt", "-"};
    String base64 = watching(send).exits(ExitCode.DONE).out().strip();
    assertThat(base64).startsWith("cHNidP8").doesNotContain("\n");
    JsonNode shown = here().stdin(base64).murmur("psbt", "show", "-", "--json").json();
    String[] asJson = Arrays.copyOf(send, send.length + 2);
    asJson[send.length] = "--json";
    asJson[send.length + 1] = "--again";
    JsonNode json = watching(asJson).exits(ExitCode.DONE).json();
    assertThat(json.get("psbt").asText()).startsWith("cHNidP8");
    assertThat(json.get("txid").isNull()).isTrue();
    assertThat(json.get("broadcast").isNull()).isTrue();
    assertThat(shown.get("fee_sat").asLong()).isEqualTo(json.get("fee_sat").asLong());
  }

  private String[] send(JsonNode coin, String... more) {
    String name = coin.get("txid").asText() + ":" + coin.get("vout").asInt();
    return Stream.concat(
            Stream.of("send", PAYEE, "0.0001", "--fee-rate", "3", "--coin", name, "--psbt", "-"),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private String[] sending(Path signed, String... more) {
    return Stream.concat(
            Stream.of("psbt", "finalize", "--broadcast", signed.toString()),
            Stream.concat(Stream.of("--connect", node.address(), "--json"), Stream.of(more)))
        .toArray(String[]::new);
  }

  private static String kind(Ran ran) {
    return ran.exits(ExitCode.FAILED).json().get("error").get("kind").asText();
  }

  /** Each door refuses the second one, until it is told to pay again. */
  @Test
  void twoPsbtsForOneWishArePaidOnce() throws IOException {
    JsonNode coins = watching("coins", "--json").exits(ExitCode.DONE).json().get("coins");
    String one = watching(send(coins.get(0))).exits(ExitCode.DONE).out();
    assertThat(kind(watching(send(coins.get(1), "--json")))).isEqualTo("already_given");
    String two = watching(send(coins.get(1), "--again")).exits(ExitCode.DONE).out();
    String[] sign = {"psbt", "sign", "--yes", "-"};
    Path first = Files.writeString(datadir.resolve("1"), here().stdin(one).murmur(sign).out());
    Ran second = here().stdin(two).murmur("psbt", "sign", "--yes", "--json", "-");
    assertThat(kind(second)).isEqualTo("already_given");
    assertThat(here().stdin(two).murmur("psbt", "show", "-").exits(ExitCode.DONE).out())
        .contains("pays the same");
    Path twice =
        Files.writeString(
            datadir.resolve("2"),
            here().stdin(two).murmur("psbt", "sign", "--yes", "--again", "-").out());
    watching(sending(first, "--again")).exits(ExitCode.DONE);
    assertThat(kind(watching(sending(twice)))).isEqualTo("already_pending");
    String hex = murmur("psbt", "finalize", "--hex", twice.toString()).out().strip();
    Ran broadcast = watching("broadcast", hex, "--connect", node.address());
    assertThat(broadcast.exits(ExitCode.FAILED).err()).contains("pays the same", "--again");
    assertThat(node.mempool().transactions()).hasSize(1);
    watching(sending(twice, "--again")).exits(ExitCode.DONE);
    watching(sending(twice)).exits(ExitCode.DONE);
    assertThat(node.mempool().transactions()).hasSize(2);
  }

  @Test
  void replacesAPaymentOfTheOtherWallet() throws IOException {
    long before = total();
    String psbt =
        watching("send", PAYEE, "0.001", "--fee-rate", "3", "--psbt", "-")
            .exits(ExitCode.DONE)
            .out();
    String txid = Tx.parse(Bytes.ofHex(signAndSend(psbt))).txid().toDisplay();
    Ran back = watching("cancel", txid, "--fee-rate", "20", "--psbt", "-", "--json");
    long fee = back.exits(ExitCode.DONE).json().get("fee_sat").asLong();
    signAndSend(back.json().get("psbt").asText());
    node.mine(1);
    sync();
    assertThat(total()).isEqualTo(before - fee);
  }

  @Test
  void saysWhyTheFileCannotBeWritten() {
    String nowhere = datadir.resolve("none/unsigned.psbt").toString();
    Ran ran = watching("send", PAYEE, "0.001", "--fee-rate", "3", "--psbt", nowhere);
    assertThat(ran.exits(ExitCode.FAILED).err()).contains(nowhere, "there is no folder");
  }

  @Test
  void saysHowAWatchOnlyWalletPays() {
    Ran ran = watching("send", PAYEE, "0.001", "--fee-rate", "3", "--yes");
    assertThat(ran.exits(ExitCode.FAILED).err()).contains("only watches", "--psbt FILE");
    Ran both = watching("send", PAYEE, "0.001", "--fee-rate", "3", "--psbt", "-", "--offline");
    assertThat(both.exits(ExitCode.USAGE).err()).contains("--psbt", "--offline");
  }
}
