package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;

/** What history, tx, coins and address show: confirmations, payees, fees and labels. */
@Timeout(120)
class ListingsTest extends RestoredWallet {

  private int tip;

  @BeforeEach
  void sync() {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
      tip = node.height();
    }
  }

  private List<JsonNode> history() {
    List<JsonNode> entries = new ArrayList<>();
    murmur("history", "--json")
        .exits(ExitCode.DONE)
        .json()
        .get("transactions")
        .forEach(entries::add);
    return entries;
  }

  private JsonNode tx(String txid) {
    return murmur("tx", txid, "--json").exits(ExitCode.DONE).json();
  }

  private static long sum(JsonNode parts) {
    long sum = 0;
    for (JsonNode part : parts) {
      sum += part.get("value_sat").asLong();
    }
    return sum;
  }

  private JsonNode outgoing() {
    return history().stream()
        .filter(entry -> !entry.get("counterparty").isEmpty())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void historyCountsConfirmationsAndNamesPayeesAndFees() {
    int paid = 0;
    for (JsonNode entry : history()) {
      assertThat(entry.get("confirmations").asInt())
          .isEqualTo(tip - entry.get("height").asInt() + 1);
      JsonNode tx = tx(entry.get("txid").asText());
      Tx raw = Tx.parse(Bytes.ofHex(tx.get("hex").asText()));
      boolean ours = tx.get("spent").size() == raw.inputs().size();
      assertThat(entry.get("fee_sat").isNull()).isEqualTo(!ours);
      assertThat(tx.get("fee_sat")).isEqualTo(entry.get("fee_sat"));
      assertThat(tx.get("counterparty")).isEqualTo(entry.get("counterparty"));
      assertThat(tx.get("confirmations")).isEqualTo(entry.get("confirmations"));
      if (tx.get("spent").isEmpty()) {
        assertThat(entry.get("counterparty")).isEmpty();
      } else if (ours) {
        paid++;
        long out = raw.outputs().stream().mapToLong(Tx.Output::value).sum();
        assertThat(entry.get("fee_sat").asLong()).isEqualTo(sum(tx.get("spent")) - out);
        assertThat(sum(tx.get("recipients")) + sum(tx.get("received"))).isEqualTo(out);
      }
    }
    assertThat(paid).isPositive();
  }

  @Test
  void txShowsRecipientsChangeAndFee() {
    JsonNode entry = outgoing();
    String text = murmur("tx", entry.get("txid").asText()).exits(ExitCode.DONE).out();
    assertThat(text)
        .contains("  pays  ", entry.get("counterparty").get(0).asText(), "fee  ", "confirmation");
  }

  @Test
  void peopleReadAmountsInTheUnitThatTheyName() {
    JsonNode entry = outgoing();
    String txid = entry.get("txid").asText();
    long net = entry.get("net_sat").asLong();
    long total = murmur("balance", "--json").json().get("total_sat").asLong();
    long coin = murmur("coins", "--json").json().get("coins").get(0).get("value_sat").asLong();
    assertThat(murmur("balance", "--unit", "sat").exits(ExitCode.DONE).out())
        .contains("total        " + total + " sat\n");
    assertThat(murmur("history", "--unit", "SAT").exits(ExitCode.DONE).out())
        .containsPattern("  " + net + "  to \\w+  " + txid);
    assertThat(murmur("--unit", "sat", "tx", txid).exits(ExitCode.DONE).out())
        .contains(
            "effect       " + net + " sat\n", "fee          " + entry.get("fee_sat") + " sat");
    assertThat(murmur("coins", "--unit", "sat").exits(ExitCode.DONE).out())
        .contains(" " + coin + "  ");
    for (String command : List.of("balance", "history", "coins")) {
      assertThat(murmur(command, "--unit", "sat").out()).doesNotContainPattern("\\.\\d{8}");
      assertThat(murmur(command, "--unit", "btc").out()).isEqualTo(murmur(command).out());
      assertThat(murmur(command, "--unit", "sat", "--json").out())
          .isEqualTo(murmur(command, "--json").out());
    }
    assertThat(murmur("history", "--csv", "--unit", "sat").out())
        .isEqualTo(murmur("history", "--csv").out());
  }

  /** On a terminal rows fit; what they show of a txid is accepted. */
  @Test
  void historyFitsATerminalAndItsTxidsAreAccepted() {
    String txid = outgoing().get("txid").asText();
    murmur("label", txid.substring(0, 8), "a label ".repeat(12)).exits(ExitCode.DONE);
    List<String> rows =
        here().terminal().murmur("history").exits(ExitCode.DONE).out().lines().toList();
    assertThat(rows).hasSize(history().size()).allMatch(row -> row.length() <= 80);
    assertThat(rows)
        .filteredOn(row -> row.contains(txid.substring(0, 12)))
        .singleElement()
        .asString()
        .contains("  a label ", "..");
    assertThat(rows).anyMatch(row -> row.matches(".* (at|to) bcrt1\\w+\\.\\.\\w+( \\+\\d+)?"));
    String whole = murmur("tx", txid).exits(ExitCode.DONE).out();
    for (String beginning : List.of(txid.substring(0, 12), txid.substring(0, 6) + "...")) {
      assertThat(murmur("tx", beginning.toUpperCase(Locale.ROOT)).out()).isEqualTo(whole);
    }
    assertThat(murmur("history", "--limit", "1", "--before", txid.substring(0, 9), "--json").out())
        .isEqualTo(murmur("history", "--limit", "1", "--before", txid, "--json").out());
    murmur("tx", "0000000").exits(ExitCode.FAILED, "no_such_transaction");
    murmur("tx", txid.substring(0, 5)).exits(ExitCode.USAGE);
  }

  /** With long labels, frozen coins and a long address of a peer. */
  @Test
  void listsFitATerminalAndPipesGetAllOfThem() {
    JsonNode coin = murmur("coins", "--json").json().get("coins").get(0);
    String outpoint = coin.get("txid").asText() + ":" + coin.get("vout").asInt();
    murmur("label", outpoint, "a label ".repeat(12)).exits(ExitCode.DONE);
    murmur("freeze", outpoint).exits(ExitCode.DONE);
    String txid = outgoing().get("txid").asText();
    for (List<String> command : List.of(List.of("coins"), List.of("peers"), List.of("tx", txid))) {
      String[] words = command.toArray(String[]::new);
      String rows = here().terminal().murmur(words).exits(ExitCode.DONE).out();
      assertThat(rows.lines()).as(rows).hasSizeGreaterThan(1).allMatch(row -> row.length() <= 80);
      List<String> wide = new ArrayList<>(List.of("-v"));
      wide.addAll(command);
      assertThat(here().terminal().murmur(wide.toArray(String[]::new)).out())
          .isEqualTo(murmur(words).out());
    }
    String shown = outpoint.substring(0, 12) + outpoint.substring(64);
    assertThat(here().terminal().murmur("coins").out()).contains("  " + shown + "  ", "(frozen)");
    murmur("unfreeze", shown).exits(ExitCode.DONE);
    assertThat(murmur("coins").out())
        .contains(outpoint + "  " + coin.get("address").asText())
        .doesNotContain("frozen");
  }

  @Test
  void labelsAreShownEverywhere() {
    JsonNode entry = outgoing();
    String txid = entry.get("txid").asText();
    String payee = entry.get("counterparty").get(0).asText();
    assertThat(entry.get("label").isNull()).isTrue();
    murmur("label", payee, "the shop").exits(ExitCode.DONE);
    assertThat(outgoing().get("label").asText()).isEqualTo("the shop");
    murmur("label", txid, "shoes, \"red\"").exits(ExitCode.DONE);
    assertThat(outgoing().get("label").asText()).isEqualTo("shoes, \"red\"");
    assertThat(tx(txid).get("label").asText()).isEqualTo("shoes, \"red\"");
    assertThat(murmur("tx", txid).out()).contains("label        shoes");
    assertThat(murmur("history").out().lines().filter(line -> line.contains(txid)))
        .singleElement()
        .asString()
        .contains(" conf", "to " + payee, "\"shoes, \"red\"\"");
    List<String> csv = murmur("history", "--csv").out().lines().toList();
    assertThat(csv.get(0)).endsWith(",confirmations,counterparty,fee_sat,label,state");
    assertThat(csv)
        .anyMatch(line -> line.contains(txid) && line.contains(",\"shoes, \"\"red\"\"\","));

    JsonNode coin = murmur("coins", "--json").json().get("coins").get(0);
    assertThat(coin.get("confirmations").asInt()).isEqualTo(tip - coin.get("height").asInt() + 1);
    murmur("label", coin.get("address").asText(), "savings").exits(ExitCode.DONE);
    assertThat(murmur("coins", "--json").json().get("coins").get(0).get("label").asText())
        .isEqualTo("savings");
    assertThat(murmur("coins").out()).contains("\"savings\"");
    String next = murmur("address").out().strip();
    murmur("label", next, "for Ann").exits(ExitCode.DONE);
    assertThat(murmur("address", "--list").out()).contains(next + "  \"for Ann\"");
    assertThat(murmur("address", "--json").json().get("label").asText()).isEqualTo("for Ann");
  }
}
