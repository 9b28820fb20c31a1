package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.ledger.TxStatus;

/** The texts about a payment that no longer counts, or of which nobody knows what happens next. */
@Timeout(120)
class FateTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
  private static final String OTHER =
      "bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry";
  private static final String ABANDONED = "abandoned: its coins are free";

  private static String missing(Duration age) {
    return HistoryCommand.fate(
        TxStatus.MISSING,
        true,
        Optional.empty(),
        Optional.empty(),
        Instant.now().minus(age),
        HistoryCommand.WHOLE);
  }

  @Test
  void transactionsThatNodesHaveDroppedAreNotReportedAsRequested() {
    assertThat(missing(Duration.ofHours(335))).contains("the peers do not have it");
    assertThat(missing(Duration.ofHours(337)))
        .contains("336 hours")
        .doesNotContain("the peers do not have it");
  }

  private void sync(RegtestNode node) {
    murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
  }

  private Tx signed() {
    return signed("0.001");
  }

  private Tx signed(String amount) {
    String hex =
        murmur("send", PAYEE, amount, "--fee-rate", "2", "--offline", "--yes", "--json")
            .exits(ExitCode.DONE)
            .json()
            .get("hex")
            .asText();
    return Tx.parse(Bytes.ofHex(hex));
  }

  /** What a command says about the payment when it ends. */
  private String next(Hash256 txid) throws IOException {
    try (Stream<Path> files = Files.walk(datadir)) {
      Path file =
          files.filter(path -> path.toString().endsWith(".sqlite")).findFirst().orElseThrow();
      try (SpvWallet wallet = SpvWallet.open(file)) {
        return Sending.fate(wallet, txid);
      }
    }
  }

  private String tx(Tx tx) {
    return murmur("tx", tx.txid().toString()).exits(ExitCode.DONE).out();
  }

  @Test
  void anAbandonedPaymentIsNotAnnouncedUntilAPeerHasIt() throws Exception {
    try (RegtestNode node = node()) {
      sync(node);
      Tx tx = signed();
      String txid = tx.txid().toString();
      murmur("abandon", txid).exits(ExitCode.DONE);
      assertThat(next(tx.txid()))
          .isEqualTo("payment " + txid + " was abandoned: no sync announces it");
      assertThat(tx(tx)).contains(ABANDONED);
      assertThat(murmur("history", "--all").out()).contains(ABANDONED);
      assertThat(murmur("history").out()).doesNotContain(txid);
      sync(node);
      assertThat(node.mempool().transactions()).isEmpty();
      node.broadcast(tx);
      sync(node);
      assertThat(next(tx.txid())).isEqualTo("a peer or a block has payment " + txid + " already");
      assertThat(tx(tx)).containsPattern("status +pending").doesNotContain(ABANDONED);
      assertThat(murmur("history").out()).contains(txid).doesNotContain(ABANDONED);
    }
  }

  @Test
  void aPaymentThatAPeerOrABlockHasNeedsNothing() throws Exception {
    try (RegtestNode node = node()) {
      sync(node);
      Tx tx = signed();
      String txid = tx.txid().toString();
      assertThat(next(tx.txid())).contains("is signed and in the wallet");
      murmur("broadcast", txid, "--connect", node.address()).exits(ExitCode.DONE);
      String held = "a peer or a block has payment " + txid + " already";
      assertThat(next(tx.txid())).isEqualTo(held);
      assertThat(tx(tx)).containsPattern("status +pending");
      node.mine(1);
      sync(node);
      assertThat(next(tx.txid())).isEqualTo(held);
      assertThat(tx(tx)).containsPattern("status +in block " + node.height() + ",");
    }
  }

  @Test
  void aPaymentThatASignedReplacementDisplacedIsNotOfferedForBroadcast() throws Exception {
    try (RegtestNode node = node()) {
      sync(node);
      Tx slow = signed();
      assertThat(
              murmur("bump", slow.txid().toString(), "--fee-rate", "9", "--offline", "--yes")
                  .exits(ExitCode.DONE)
                  .err())
          .contains("no sync announces payment " + slow.txid() + " any more");
      assertThat(next(slow.txid()))
          .contains("another transaction took the place", "murmur tx")
          .doesNotContain("murmur broadcast");
    }
  }

  private long rows(String... options) {
    List<String> all = new ArrayList<>(List.of("history"));
    all.addAll(List.of(options));
    return murmur(all.toArray(String[]::new)).exits(ExitCode.DONE).out().lines().count();
  }

  private static void assertThatOneLine(String text, String part, String... contained) {
    assertThat(text.lines().filter(line -> line.startsWith(part) || line.endsWith(part)))
        .singleElement()
        .asString()
        .contains(contained);
  }

  @Test
  void whatTheUserReplacedIsListedWithAllOnlyAndIsNoDoubleSpend() {
    try (RegtestNode node = node()) {
      sync(node);
      long before = rows();
      String paid = signed().txid().toString();
      String cancel =
          murmur("cancel", paid, "--fee-rate", "9", "--yes", "--json", "--connect", node.address())
              .exits(ExitCode.DONE)
              .json()
              .get("txid")
              .asText();
      String slow = signed("0.002").txid().toString();
      String bump =
          murmur("bump", slow, "--fee-rate", "9", "--yes", "--json", "--connect", node.address())
              .exits(ExitCode.DONE)
              .json()
              .get("txid")
              .asText();
      assertThat(murmur("tx", paid).out())
          .contains("cancelled by " + cancel + " (yours)")
          .doesNotContain("in block");
      node.mine(1);
      sync(node);
      assertThat(rows()).isEqualTo(before + 2);
      String block = " (yours) in block " + node.height();
      assertThat(murmur("tx", paid).out()).contains("cancelled by " + cancel + block);
      assertThat(murmur("tx", slow).out()).contains("replaced by " + bump + block);
      assertThat(murmur("tx", slow, "--json").json().get("replaced_how").asText())
          .isEqualTo("payment");
      String list = murmur("history", "--all").out();
      assertThatOneLine(list, paid, "cancelled by " + cancel + block);
      assertThatOneLine(list, slow, "replaced by " + bump + block);
      assertThatTheFormsAgree();
      String csv = murmur("history", "--csv", "--all").out();
      assertThatOneLine(csv, paid, ",replaced,", "," + cancel + ",", ",conflicted");
      assertThat(murmur("history", "--json").json().get("displaced")).isEmpty();
    }
  }

  /** Table, CSV and JSON list the same transactions. */
  private void assertThatTheFormsAgree() {
    for (List<String> more : List.of(List.<String>of(), List.of("--all"))) {
      String[] options = more.toArray(String[]::new);
      long table = rows(options);
      List<String> csv = new ArrayList<>(more);
      csv.add("--csv");
      List<String> json = new ArrayList<>(List.of("history", "--json"));
      json.addAll(more);
      JsonNode listed = murmur(json.toArray(String[]::new)).json();
      assertThat(listed.get("transactions").size() + listed.get("displaced").size())
          .isEqualTo(table);
      // What does not count would spoil a sum.
      assertThat(rows(csv.toArray(String[]::new))).isEqualTo(1 + listed.get("transactions").size());
    }
  }

  @Test
  void whatAnotherCopyOfTheWalletReplacedIsListedInEveryForm() {
    try (RegtestNode node = node()) {
      sync(node);
      String paid = signed().txid().toString();
      JsonNode spent = murmur("tx", paid, "--json").json().get("spent").get(0);
      String coin = spent.get("txid").asText() + ":" + spent.get("vout").asInt();
      Path words = datadir.resolve("words.txt");
      murmur("-w", "copy", "restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
      murmur("-w", "copy", "sync", "--connect", node.address()).exits(ExitCode.DONE);
      String other =
          murmur(
                  "-w",
                  "copy",
                  "send",
                  OTHER,
                  "all",
                  "--coin",
                  coin,
                  "--fee-rate",
                  "3",
                  "--yes",
                  "--json",
                  "--connect",
                  node.address())
              .exits(ExitCode.DONE)
              .json()
              .get("txid")
              .asText();
      node.mine(1);
      sync(node);
      String fate = "double-spent by " + other + " in block " + node.height();
      assertThatOneLine(murmur("history").out(), paid, fate);
      assertThatOneLine(murmur("history", "--csv", "--all").out(), paid, ",replaced,", other);
      assertThat(murmur("history", "--csv").exits(ExitCode.DONE).out()).doesNotContain(paid);
      assertThat(murmur("bump", paid, "--fee-rate", "9").exits(ExitCode.FAILED).err())
          .contains("block " + node.height() + " holds " + other, "never mined", "murmur send");
      assertThat(murmur("broadcast", paid, "--connect", node.address()).err())
          .contains("block " + node.height() + " holds " + other, "Nothing was sent");
      JsonNode displaced = murmur("history", "--json").json().get("displaced");
      assertThat(displaced).hasSize(1);
      assertThat(displaced.get(0).get("replaced_how").asText()).isEqualTo("other");
      assertThatTheFormsAgree();
    }
  }

  @Test
  void aTransactionThatTheWalletDoesNotHaveIsNamed() throws Exception {
    assertThat(next(Hash256.ZERO)).contains(Hash256.ZERO.toString(), "is not in the wallet");
  }
}
