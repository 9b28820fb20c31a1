package org.murmur.cli.pay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.Echoes;
import org.murmur.regtest.node.Behaviour;

/** Paying from the command line, with the embedded node as the only peer. */
@Timeout(120)
class SendCommandTest extends RestoredWallet {

  /** Of the key 1. */
  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  private static final Bytes PAYEES_SCRIPT =
      Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");

  private void sync(RegtestNode node) {
    murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
  }

  private long total() {
    return murmur("balance", "--json").json().get("total_sat").asLong();
  }

  @Test
  void aDryRunShowsThePaymentAndChangesNothing() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
    }
    byte[] before = file();
    murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--dry-run").exits(ExitCode.DONE);
    JsonNode json =
        murmur("send", PAYEE, "100000sat", "--fee-rate", "2", "--dry-run", "--json").json();
    assertThat(json.get("txid").isNull()).isTrue();
    assertThat(json.get("fee_rate").asDouble()).isBetween(2.0, 3.0);
    assertThat(json.get("links").isArray()).isTrue();
    assertThat(json.get("new_links").isArray()).isTrue();
    assertThat(json.get("change_hints").toString()).contains("round_amount");
    assertThat(json.get("group_size").asInt()).isPositive();
    assertThat(json.has("links_nothing_new")).isTrue();
    assertThat(json.get("seen_by").isArray()).isTrue();
    long out = json.get("fee_sat").asLong() + 100_000;
    assertThat(out).isEqualTo(inputs(json) - json.get("change").get("value_sat").asLong());
    assertThat(file()).isEqualTo(before);
  }

  private byte[] file() throws IOException {
    return Files.readAllBytes(walletFile());
  }

  private Path walletFile() throws IOException {
    try (var files = Files.walk(datadir)) {
      return files.filter(path -> path.toString().endsWith(".sqlite")).findFirst().orElseThrow();
    }
  }

  private long inputs(JsonNode json) {
    long sum = 0;
    for (JsonNode input : json.get("inputs")) {
      for (JsonNode coin : murmur("coins", "--json").json().get("coins")) {
        String outPoint = coin.get("txid").asText() + ":" + coin.get("vout").asInt();
        sum += input.asText().equals(outPoint) ? coin.get("value_sat").asLong() : 0;
      }
    }
    return sum;
  }

  @Test
  void paysAndTheNodeMinesIt() {
    try (RegtestNode node = node()) {
      sync(node);
      long before = total();
      JsonNode json = send(node, "0.001").exits(ExitCode.DONE).json();
      assertThat(json.get("broadcast").get("accepted_by")).hasSize(1);
      Hash256 txid = Hash256.ofDisplay(json.get("txid").asText());
      assertThat(total()).isEqualTo(before - 100_000 - json.get("fee_sat").asLong());
      Tx mined = node.mine(1).get(0).tx(1);
      assertThat(mined.txid()).isEqualTo(txid);
      assertThat(mined.raw().toHex()).isEqualTo(json.get("hex").asText());
      assertThat(mined.outputs())
          .anySatisfy(
              output -> {
                assertThat(output.script()).isEqualTo(PAYEES_SCRIPT);
                assertThat(output.value()).isEqualTo(100_000);
              });
      sync(node);
      assertThat(total()).isEqualTo(before - 100_000 - json.get("fee_sat").asLong());
    }
  }

  /** The node says so when it connects (BIP-0133), before anything is signed. */
  @Test
  void signsNothingBelowTheRateThatThePeerRelays() {
    try (RegtestNode node = node()) {
      sync(node);
      long before = total();
      String[] low = {"send", PAYEE, "0.001", "--fee-rate", "0.2", "--yes"};
      murmur(more(low, "--connect", node.address()))
          .exits(ExitCode.FAILED, "fee_rate_below_filter");
      assertThat(total()).isEqualTo(before);
      assertThat(node.mempool().transactions()).isEmpty();
    }
  }

  private Ran send(RegtestNode node, String amount, String... more) {
    List<String> words = new ArrayList<>(List.of("send", PAYEE, amount, "--fee-rate", "2"));
    words.addAll(List.of("--yes", "--connect", node.address(), "--json"));
    words.addAll(List.of(more));
    return murmur(words.toArray(String[]::new));
  }

  @Test
  void estimatesTheFeeRateFromTheLastBlocks() {
    try (RegtestNode node = node()) {
      sync(node);
      String[] auto = {"send", PAYEE, "0.001", "--fee-rate", "auto"};
      JsonNode shown =
          murmur(
                  more(
                      auto,
                      "--fee-blocks",
                      "2",
                      "--dry-run",
                      "--json",
                      "--connect",
                      node.address()))
              .exits(ExitCode.DONE)
              .json();
      assertThat(shown.at("/fee_estimate/blocks")).hasSize(2);
      assertThat(node.filtersShown()).hasSize(1);
      JsonNode first =
          murmur(
                  "send",
                  PAYEE,
                  "0.001",
                  "--fee-rate",
                  "auto",
                  "--yes",
                  "--connect",
                  node.address(),
                  "--json")
              .exits(ExitCode.DONE)
              .json();
      JsonNode estimate = first.get("fee_estimate");
      assertThat(estimate.get("blocks")).hasSize(6);
      assertThat(estimate.get("peers").get(0).get("address").asText()).isEqualTo(node.address());
      assertThat(first.get("fee_rate").asDouble())
          .isBetween(estimate.get("fee_rate").asDouble(), estimate.get("fee_rate").asDouble() + 1);
      String txid = first.get("txid").asText();
      JsonNode back =
          murmur(
                  "cancel",
                  txid,
                  "--fee-rate",
                  "auto",
                  "--yes",
                  "--connect",
                  node.address(),
                  "--json")
              .json();
      // The estimate has not changed: a replacement pays what it must besides.
      assertThat(back.get("replaces").asText()).isEqualTo(txid);
      assertThat(back.get("fee_sat").asLong()).isGreaterThan(first.get("fee_sat").asLong());
    }
  }

  /** What a crash after signing leaves behind looks the same. */
  @Test
  void whatWasNotSentIsInTheWalletAndIsNotPaidTwice() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
      long before = total();
      murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--yes", "--offline").exits(ExitCode.DONE);
      assertThat(total()).isLessThan(before - 100_000);
      JsonNode last = last();
      murmur("broadcast", last.get("txid").asText(), "--connect", NOBODY)
          .exits(ExitCode.NO_USABLE_PEER);
      assertThat(last.get("height").isNull()).isTrue();
      send(node, "0.001").exits(ExitCode.FAILED, "already_pending");
      murmur("broadcast", last.get("txid").asText(), "--connect", node.address())
          .exits(ExitCode.DONE);
      assertThat(node.mine(1).get(0).tx(1).txid().toDisplay()).isEqualTo(last.get("txid").asText());
    }
  }

  /** Who was killed after a peer had the payment gives the same command again. */
  @Test
  void whatWaitsForABlockIsNotPaidTwice() {
    try (RegtestNode node = node()) {
      sync(node);
      String txid = send(node, "0.001").exits(ExitCode.DONE).json().get("txid").asText();
      JsonNode error = send(node, "0.001").exits(ExitCode.FAILED, "already_pending").error();
      assertThat(error.get("message").asText()).contains(txid);
      assertThat(node.mempool().transactions()).hasSize(1);
      node.mine(1);
      sync(node);
      JsonNode paid = send(node, "0.001").exits(ExitCode.FAILED, "already_confirmed").error();
      assertThat(paid.get("message").asText())
          .contains(txid, "is in one of the last 432 blocks", "--again");
      send(node, "0.001", "--again").exits(ExitCode.DONE);
    }
  }

  /** The file knows nothing of the payment; the node has it in its pool, then in a block. */
  @Test
  void afterAnOlderFileIsPutBackNothingIsPaidTwice() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
      byte[] old = file();
      String txid = send(node, "0.001").exits(ExitCode.DONE).json().get("txid").asText();
      for (String kind : List.of("already_pending", "already_confirmed")) {
        Files.write(walletFile(), old);
        JsonNode error = send(node, "0.001").exits(ExitCode.FAILED, kind).error();
        assertThat(error.get("message").asText()).contains(txid);
        node.mine(1);
      }
      assertThat(node.mempool().transactions()).isEmpty();
    }
  }

  /** It may have an earlier payment in its pool, and says so only after a while. */
  @Test
  void saysThatItWaitsForAnAnswerAboutEarlierPayments() throws IOException {
    Behaviour spreading = Behaviour.honest().spreadingAnnouncements(Duration.ofMillis(100));
    try (RegtestNode node = RegtestNode.start(lived().chain().copy(), spreading)) {
      sync(node);
      byte[] old = file();
      String txid = send(node, "0.001").exits(ExitCode.DONE).json().get("txid").asText();
      Files.write(walletFile(), old);
      Ran again = send(node, "0.001", "--timeout", "4");
      JsonNode error = again.exits(ExitCode.FAILED, "already_pending").error();
      assertThat(error.get("message").asText()).contains(txid);
      assertThat(again.err()).contains("waiting up to 20 s for " + node.address());
    }
  }

  /** A block may hold the cancelled payment instead of what took its coins. */
  @Test
  void whatWasCancelledIsNotPaidTwice() {
    try (RegtestNode node = node()) {
      sync(node);
      JsonNode first = send(node, "0.001").exits(ExitCode.DONE).json();
      String txid = first.get("txid").asText();
      List<String> others = new ArrayList<>();
      murmur("coins", "--json")
          .json()
          .get("coins")
          .forEach(
              coin -> {
                if (!coin.get("txid").asText().equals(txid)) {
                  others.add(coin.get("txid").asText() + ":" + coin.get("vout").asInt());
                }
              });
      String rate = "--fee-rate";
      JsonNode back =
          murmur("cancel", txid, rate, "20", "--yes", "--connect", node.address(), "--json")
              .exits(ExitCode.DONE)
              .json();
      String cancel = back.get("txid").asText();
      JsonNode error = sendWith(node, others.get(0)).exits(ExitCode.FAILED, "replaced").error();
      assertThat(error.get("message").asText())
          .contains(txid, cancel, "--coin " + cancel + ":0", "--again");
      sendWith(node, cancel + ":0").exits(ExitCode.DONE);
    }
  }

  private Ran sendWith(RegtestNode node, String coin) {
    return murmur(
        "send",
        PAYEE,
        "0.001",
        "--coin",
        coin,
        "--fee-rate",
        "30",
        "--yes",
        "--connect",
        node.address(),
        "--json");
  }

  private JsonNode last() {
    JsonNode all = murmur("history", "--json").json().get("transactions");
    return all.get(all.size() - 1);
  }

  @Test
  void asksOnATerminal() {
    try (RegtestNode node = node()) {
      sync(node);
      String[] send = {"send", PAYEE, "0.001", "--fee-rate", "2", "--connect", node.address()};
      murmur(send).exits(ExitCode.FAILED, "no_terminal");
      here().typing("n").murmur(send).exits(ExitCode.FAILED, "cancelled");
      assertThat(node.mempool().transactions()).isEmpty();
      here().typing("y").murmur(send).exits(ExitCode.DONE);
      assertThat(node.mempool().transactions()).hasSize(1);
    }
  }

  @Test
  void aFrozenCoinIsNotSpent() {
    try (RegtestNode node = node()) {
      sync(node);
    }
    JsonNode coins = murmur("coins", "--json").json().get("coins");
    for (JsonNode coin : coins) {
      murmur("freeze", coin.get("txid").asText() + ":" + coin.get("vout").asInt())
          .exits(ExitCode.DONE);
    }
    murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--dry-run")
        .exits(ExitCode.FAILED, "insufficient_funds");
    String first = coins.get(0).get("txid").asText() + ":" + coins.get(0).get("vout").asInt();
    murmur("unfreeze", first).exits(ExitCode.DONE);
    JsonNode all =
        murmur("send", PAYEE, "all", "--fee-rate", "2", "--dry-run", "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(all.get("inputs")).hasSize(1);
    assertThat(all.get("inputs").get(0).asText()).isEqualTo(first);
    long frozen = 0;
    for (JsonNode coin : murmur("coins", "--json").json().get("coins")) {
      frozen += coin.get("frozen").asBoolean() ? coin.get("value_sat").asLong() : 0;
    }
    assertThat(murmur("send", PAYEE, "all", "--fee-rate", "2", "--dry-run", "--unit", "sat").err())
        .contains(frozen + " sat stays in the wallet: it is frozen");
    String second = coins.get(1).get("txid").asText() + ":" + coins.get(1).get("vout").asInt();
    murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--coin", second)
        .exits(ExitCode.FAILED, "coin_not_spendable");
  }

  @Test
  void aWalletThatWasNeverSyncedSaysSo() {
    String[] send = {"send", PAYEE, "1", "--fee-rate"};
    for (String[] more :
        new String[][] {{"2"}, {"2", "--offline"}, {"2", "--dry-run"}, {"2", "--psbt", "-"}}) {
      murmur(more(send, more)).exits(ExitCode.NOT_SYNCED, "not_synced");
    }
    // No peer is asked for a rate first.
    murmur(more(send, "auto")).exits(ExitCode.NOT_SYNCED, "not_synced");
  }

  private JsonNode warnings(String rate) {
    return murmur("send", PAYEE, "1000sat", "--fee-rate", rate, "--dry-run", "--json")
        .exits(ExitCode.DONE)
        .json()
        .get("fee_warnings");
  }

  @Test
  void saysThatAFeeIsAbsurd() {
    try (RegtestNode node = node()) {
      sync(node);
    }
    murmur("send", PAYEE, "1000sat", "--fee-rate", "200", "--max-fee", "500")
        .exits(ExitCode.FAILED, "fee_too_high");
    assertThat(warnings("200")).hasToString("[\"fee_above_amount\"]");
    assertThat(warnings("1")).isEmpty();
    assertThat(warnings("0.5")).hasToString("[\"fee_rate_low\"]");
  }

  /** The rate that is shown differs from the one that was asked for, for a reason. */
  @Test
  void saysWhyAFeeIsHigherThanAskedFor() {
    try (RegtestNode node = node()) {
      sync(node);
      String txid = send(node, "0.001").exits(ExitCode.DONE).json().get("txid").asText();
      for (String command : new String[] {"bump", "cancel"}) {
        String low =
            murmur(command, txid, "--fee-rate", "2.1", "--dry-run").exits(ExitCode.FAILED).err();
        assertThat(low).contains("2.1 sat/vB does not replace the payment. Give at least");
        Matcher least = Pattern.compile("--fee-rate ([0-9.]+)").matcher(low);
        assertThat(least.find()).isTrue();
        assertThat(murmur(command, txid, "--fee-rate", least.group(1), "--dry-run").out())
            .contains("replaces      " + txid);
      }
      assertThat(murmur("bump", txid, "--fee-rate", "50", "--dry-run").out())
          .doesNotContain("asked for was");
    }
    String coin = "";
    for (JsonNode each : murmur("coins", "--json").json().get("coins")) {
      if (each.get("height").isNull()) {
        coin = each.get("txid").asText() + ":" + each.get("vout").asInt();
      }
    }
    String[] next = {"send", PAYEE, "20000sat", "--fee-rate", "9", "--dry-run", "--coin", coin};
    assertThat(murmur(next).exits(ExitCode.DONE).out())
        .containsPattern("of it 0.0000\\d{4} BTC for unconfirmed parents: 9 sat/vB with them");
  }

  /** The coins are drawn; these options make the payment that was looked at. */
  @Test
  void aDryRunPrintsTheCoinsToRepeatIt() {
    try (RegtestNode node = node()) {
      sync(node);
    }
    String own = murmur("address").out().strip();
    String[] send = {"send", PAYEE, "0.001", own, "0.002", "--fee-rate", "2", "--dry-run"};
    Ran plan = murmur(send).exits(ExitCode.DONE);
    String repeat =
        plan.out().lines().filter(line -> line.startsWith("repeat with")).findFirst().orElseThrow();
    List<String> again = new ArrayList<>(List.of(send));
    again.addAll(List.of(repeat.substring("repeat with".length()).strip().split(" ")));
    Ran same = murmur(again.toArray(String[]::new)).exits(ExitCode.DONE);
    assertThat(lines(same, "fee  ")).isEqualTo(lines(plan, "fee  "));
    assertThat(lines(same, "change  ")).isEqualTo(lines(plan, "change  "));
    assertThat(lines(same, "spends ")).hasSameElementsAs(lines(plan, "spends "));
    assertThat(plan.out()).contains("0.00200000 BTC to " + own + " (yours)");
  }

  private static List<String> lines(Ran ran, String title) {
    return ran.out().lines().filter(line -> line.startsWith(title)).toList();
  }

  @Test
  void bumpsAndTakesBack() {
    try (RegtestNode node = node()) {
      sync(node);
      long before = total();
      String first = send(node, "0.001").exits(ExitCode.DONE).json().get("txid").asText();
      JsonNode bumped =
          murmur("bump", first, "--fee-rate", "9", "--yes", "--connect", node.address(), "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(bumped.get("replaces").asText()).isEqualTo(first);
      Ran again = murmur("bump", first, "--fee-rate", "9").exits(ExitCode.FAILED, "replaced");
      assertThat(again.err()).contains(bumped.get("txid").asText());
      JsonNode back =
          murmur(
                  "cancel",
                  bumped.get("txid").asText(),
                  "--fee-rate",
                  "20",
                  "--yes",
                  "--connect",
                  node.address(),
                  "--json")
              .exits(ExitCode.DONE)
              .json();
      node.mine(1);
      sync(node);
      assertThat(total()).isEqualTo(before - back.get("fee_sat").asLong());
    }
  }

  @Test
  void paysAPaymentUriAndKeepsItsTexts() {
    try (RegtestNode node = node()) {
      sync(node);
      String uri = "BITCOIN:" + PAYEE.toUpperCase(java.util.Locale.ROOT);
      Ran ran =
          murmur(
              "send",
              uri + "?AMOUNT=0.001&LABEL=The%20shop&message=Order%207",
              "--fee-rate",
              "2",
              "--yes",
              "--json",
              "--connect",
              node.address());
      String txid = ran.exits(ExitCode.DONE).json().get("txid").asText();
      JsonNode entry = last();
      assertThat(entry.get("txid").asText()).isEqualTo(txid);
      assertThat(entry.get("counterparty").get(0).asText()).isEqualTo(PAYEE);
      assertThat(entry.get("label").asText()).isEqualTo("Order 7");
      assertThat(entry.get("fee_sat")).isEqualTo(ran.json().get("fee_sat"));
      assertThat(labelOfPayee()).isEqualTo("The shop");

      JsonNode bumped =
          murmur("bump", txid, "--fee-rate", "9", "--yes", "--json", "--connect", node.address())
              .exits(ExitCode.DONE)
              .json();
      assertThat(last().get("txid")).isEqualTo(bumped.get("txid"));
      assertThat(last().get("label").asText()).isEqualTo("Order 7");

      assertThat(
              murmur(
                      "send",
                      "bitcoin:" + PAYEE + "?label=Another&message=x",
                      "0.002",
                      "--label",
                      "shoes",
                      "--fee-rate",
                      "2",
                      "--yes",
                      "--connect",
                      node.address())
                  .exits(ExitCode.DONE)
                  .err())
          .doesNotContain("the URI labels");
      assertThat(last().get("label").asText()).isEqualTo("shoes");
      assertThat(labelOfPayee()).isEqualTo("The shop");
    }
  }

  private String labelOfPayee() {
    return murmur("label", PAYEE, "--json").json().get("label").asText();
  }

  @Test
  void aPayeeWhoIsPaidTwiceIsNamed() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
    }
    String[] words = {"send", PAYEE, "0.001", PAYEE, "0.001", "--fee-rate", "2", "--json"};
    assertThat(murmur(more(words, "--dry-run")).json().get("fee_warnings").toString())
        .isEqualTo("[\"same_payee\"]");
    Path psbt = datadir.resolve("twice.psbt");
    words[7] = "--yes";
    murmur(more(words, "--psbt", psbt.toString())).exits(ExitCode.DONE);
    assertThat(
            murmur("psbt", "show", "--json", psbt.toString()).json().get("fee_warnings").toString())
        .isEqualTo("[\"same_payee\"]");
    assertThat(murmur("psbt", "show", psbt.toString()).exits(ExitCode.DONE).out())
        .contains("is paid 2 times");
  }

  private static String[] more(String[] words, String... others) {
    String[] all = Arrays.copyOf(words, words.length + others.length);
    System.arraycopy(others, 0, all, words.length, others.length);
    return all;
  }

  @Test
  void whatIsOnlySignedSaysSo() {
    try (RegtestNode node = node()) {
      sync(node);
      murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--offline", "--yes").exits(ExitCode.DONE);
      String txid = last().get("txid").asText();
      assertThat(last().get("ordered").asBoolean()).isFalse();
      assertThat(last().get("state").asText()).isEqualTo("built");
      assertThat(murmur("history").out()).contains("not sent yet").doesNotContain("sent, but");
      assertThat(murmur("tx", txid).out()).contains("not sent yet");
      murmur("broadcast", txid, "--connect", node.address()).exits(ExitCode.DONE);
      assertThat(last().get("ordered").asBoolean()).isTrue();
      assertThat(murmur("history").out()).doesNotContain("not sent yet");
    }
  }

  /** It announces what it was told of, and never fetches it: nobody has the payment. */
  @Test
  void aPeerThatEchoesTheAnnouncementDoesNotHaveThePayment() {
    try (RegtestNode node =
        RegtestNode.start(lived().chain().copy(), Behaviour.honest().with(new Echoes()))) {
      sync(node);
      JsonNode broadcast = send(node, "0.001").exits(ExitCode.FAILED).json().get("broadcast");
      assertThat(broadcast.get("state").asText()).isEqualTo("built");
      assertThat(broadcast.get("known_by")).isEmpty();
    }
  }

  @Test
  void whatCouldNotBeSentSaysThatTheNextSyncAnnouncesIt() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
    }
    murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--offline", "--yes").exits(ExitCode.DONE);
    murmur("broadcast", last().get("txid").asText(), "--connect", NOBODY)
        .exits(ExitCode.NO_USABLE_PEER);
    assertThat(last().get("ordered").asBoolean()).isTrue();
    assertThat(murmur("history").out()).contains("no peer is known to have accepted it");
  }

  @Test
  void namesThePaymentThatHoldsTheCoins() {
    try (RegtestNode node = node()) {
      sync(node);
    }
    murmur("send", PAYEE, "all", "--fee-rate", "2", "--offline", "--yes").exits(ExitCode.DONE);
    String txid = last().get("txid").asText();
    Ran refused = murmur("send", PAYEE, "0.001", "--fee-rate", "2");
    assertThat(refused.exits(ExitCode.FAILED, "insufficient_funds").err())
        .contains("payment " + txid + " holds coins", "murmur abandon " + txid);
  }

  /** Whoever mistypes a password need not plan the payment anew. */
  @Test
  void aPersonHasThreeTriesForThePassword() {
    try (RegtestNode node = node()) {
      sync(node);
      here().typing("correct horse", "correct horse").murmur("passwd").exits(ExitCode.DONE);
      here()
          .typing("y", "wrong", "correct horse")
          .murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--connect", node.address())
          .exits(ExitCode.DONE);
      assertThat(node.mempool().transactions()).hasSize(1);
    }
  }

  /** Nobody can say whether a newer block spends its coins. */
  @Test
  void withoutAPeerNothingIsSigned() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
    }
    long before = total();
    murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--yes", "--connect", NOBODY)
        .exits(ExitCode.NO_USABLE_PEER);
    assertThat(total()).isEqualTo(before);
  }

  /** A peer that takes every connection and never answers. */
  @Test
  void anInterruptedSendSaysWhatHappensToThePayment() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
    }
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String peer = "127.0.0.1:" + mute.getLocalPort();
      long before = total();
      Ran early =
          here()
              .interrupting()
              .murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--yes", "--connect", peer);
      assertThat(early.exits(ExitCode.INTERRUPTED).err()).contains("nothing was signed or sent");
      assertThat(total()).isEqualTo(before);
      murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--offline", "--yes").exits(ExitCode.DONE);
      String txid = last().get("txid").asText();
      Ran ran = here().interrupting().murmur("broadcast", txid, "--connect", peer);
      assertThat(ran.exits(ExitCode.INTERRUPTED).err())
          .contains(
              "interrupted: payment " + txid + " is signed and in the wallet",
              "`murmur sync` announces it");
      assertThat(ran.out()).doesNotContain("they do not accept it");
    }
  }

  /** Another copy of the wallet has spent the coin, in a block that this copy has not seen. */
  @Test
  void aCoinThatANewerBlockSpendsIsNotSpentAgain() throws IOException {
    try (RegtestNode node = node()) {
      sync(node);
      byte[] old = file();
      JsonNode first = send(node, "0.001").exits(ExitCode.DONE).json();
      String spent = first.get("inputs").get(0).asText();
      node.mine(1);
      Files.write(walletFile(), old);
      JsonNode stale = plannedWith(spent).exits(ExitCode.DONE).json().get("as_of");
      assertThat(stale.get("height").asInt()).isEqualTo(129);
      JsonNode second = send(node, "0.002").exits(ExitCode.DONE).json();
      assertThat(second.get("inputs").toString()).doesNotContain(spent);
      assertThat(second.get("as_of").get("complete").asBoolean()).isTrue();
      assertThat(second.get("unscanned_blocks").asInt()).isZero();
      plannedWith(spent).exits(ExitCode.FAILED);
    }
  }

  private Ran plannedWith(String coin) {
    String[] send = {"send", PAYEE, "0.001", "--fee-rate", "2", "--coin", coin, "--dry-run"};
    return murmur(more(send, "--json"));
  }

  /** A peer without a filter of the wallet gets none before a payment. */
  @Test
  void aPeerWithoutAFilterOnlySaysHowHighTheChainIs() {
    try (RegtestNode own = node();
        RegtestNode other = RegtestNode.start(own.chain().copy())) {
      sync(own);
      other.mine(2);
      String[] pay = {"send", PAYEE, "0.001", "--fee-rate", "2", "--connect", other.address()};
      here().typing("n").murmur(pay).exits(ExitCode.NOT_SYNCED, "incomplete");
      String[] even = Arrays.copyOf(pay, pay.length + 1);
      even[pay.length] = "--even-if-incomplete";
      assertThat(here().typing("n").murmur(even).exits(ExitCode.FAILED, "cancelled").err())
          .contains("although not all blocks are scanned");
      JsonNode peers = murmur("privacy", "--json").json().get("peers");
      assertThat(peers).hasSize(1);
    }
  }

  /** Nodes keep what they have, and take less fee for the same coin from nobody. */
  @Test
  void whatWasReplacedDoesNotComeBackByATxid() {
    try (RegtestNode node = node()) {
      sync(node);
      JsonNode first = send(node, "0.001").exits(ExitCode.DONE).json();
      String old = first.get("txid").asText();
      String cancel =
          murmur("cancel", old, "--fee-rate", "20", "--yes", "--connect", node.address(), "--json")
              .exits(ExitCode.DONE)
              .json()
              .get("txid")
              .asText();
      long after = total();
      Ran refused = murmur("broadcast", old, "--connect", node.address());
      assertThat(refused.exits(ExitCode.FAILED).err())
          .contains(cancel, "Nothing was sent", "murmur tx " + old + " --json");
      String hex = first.get("hex").asText();
      Ran offered = murmur("broadcast", hex, "--timeout", "1", "--connect", node.address());
      assertThat(offered.exits(ExitCode.FAILED).err())
          .contains(cancel, "That payment counts until a peer says that it has this one instead");
      assertThat(total()).isEqualTo(after);
      assertThat(node.mine(1).get(0).tx(1).txid().toDisplay()).isEqualTo(cancel);
    }
  }

  private String change() {
    JsonNode tx = murmur("tx", last().get("txid").asText(), "--json").json();
    for (JsonNode part : tx.get("received")) {
      if (part.get("change").asBoolean()) {
        return part.get("txid").asText() + ":" + part.get("vout").asInt();
      }
    }
    throw new AssertionError("no change: " + tx);
  }

  @Test
  void namesTheLaterPaymentThatSpendsTheChange() {
    try (RegtestNode node = node()) {
      sync(node);
      String first = send(node, "0.001").exits(ExitCode.DONE).json().get("txid").asText();
      String second =
          murmur(
                  "send",
                  PAYEE,
                  "10000sat",
                  "--fee-rate",
                  "2",
                  "--yes",
                  "--json",
                  "--coin",
                  change(),
                  "--connect",
                  node.address())
              .exits(ExitCode.DONE)
              .json()
              .get("txid")
              .asText();
      for (String command : new String[] {"bump", "cancel"}) {
        JsonNode error =
            murmur(command, first, "--fee-rate", "20", "--dry-run")
                .exits(ExitCode.FAILED, "has_dependents")
                .error();
        assertThat(error.get("dependents").get("txids").get(0).asText()).isEqualTo(second);
      }
    }
  }

  /** Nodes replace such a payment since Bitcoin Core 28: the plan says that older ones do not. */
  @Test
  void whatDoesNotSignalIsReplacedAndThePlanSaysSo() {
    try (RegtestNode node = node()) {
      sync(node);
      String txid =
          murmur(
                  "send",
                  PAYEE,
                  "0.001",
                  "--fee-rate",
                  "2",
                  "--no-rbf",
                  "--yes",
                  "--json",
                  "--connect",
                  node.address())
              .exits(ExitCode.DONE)
              .json()
              .get("txid")
              .asText();
      Ran bump =
          murmur("bump", txid, "--fee-rate", "20", "--yes", "--connect", node.address())
              .exits(ExitCode.DONE);
      assertThat(bump.out() + bump.err())
          .contains("does not signal that it may be replaced")
          .contains("accepted by");
    }
  }

  /** Everything, or an amount less the fee, to a payee who waits for another amount. */
  @Test
  void anotherAmountToThePayeeIsAnotherPayment() {
    try (RegtestNode node = node()) {
      sync(node);
      send(node, "0.001").exits(ExitCode.DONE);
      Ran all = murmur("send", PAYEE, "all", "--fee-rate", "2", "--dry-run");
      assertThat(all.exits(ExitCode.DONE).err()).doesNotContain("pays the same");
      Ran less = murmur("send", PAYEE, "0.002", "--subtract-fee", "--fee-rate", "2", "--dry-run");
      assertThat(less.exits(ExitCode.DONE).err()).doesNotContain("pays the same");
      Ran same = murmur("send", PAYEE, "0.001", "--fee-rate", "2", "--dry-run");
      assertThat(same.exits(ExitCode.DONE).err()).contains("warning: payment ", "pays the same");
      murmur(
              "send",
              PAYEE,
              "0.003",
              "--subtract-fee",
              "--fee-rate",
              "2",
              "--yes",
              "--connect",
              node.address())
          .exits(ExitCode.DONE);
      murmur("send", PAYEE, "0.003", "--subtract-fee", "--fee-rate", "9", "--offline", "--yes")
          .exits(ExitCode.FAILED, "already_pending");
    }
  }

  /** Its only peer has a filter: who pays is told before anything is signed. */
  @Test
  void aPeerThatMayNotGetThePaymentIsNamedBeforeItIsSigned() {
    try (RegtestNode node = node()) {
      sync(node);
      String[] privately = {"send", PAYEE, "0.001", "--fee-rate", "2", "--yes", "--json"};
      murmur(more(privately, "--privacy", "private", "--connect", node.address()))
          .exits(ExitCode.NO_USABLE_PEER, "no_usable_peer");
      assertThat(last().get("height").isNull()).isFalse();
    }
  }
}
