package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.lies.StallsAfter;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.internal.store.LockFile;

/** Syncs from the embedded node, compared with its builder's knowledge. */
class SyncCommandTest extends RestoredWallet {

  /** Any transaction: it is never sent. */
  private static final String TX =
      "0100000001"
          + "11".repeat(32)
          + "00000000"
          + "0151"
          + "ffffffff"
          + "01"
          + "0100000000000000"
          + "0151"
          + "00000000";

  private static final BuiltChain BUILT = DemoWallet.chain(11, 220, 8);

  @Test
  void privateShowsScriptsToOneAndOutpointsToAnother() {
    WalletTruth truth = BUILT.truth();
    Chain chain = BUILT.chain().copy();
    try (RegtestNode a = RegtestNode.start(chain);
        RegtestNode b = RegtestNode.start(chain);
        RegtestNode c = RegtestNode.start(chain)) {
      String[] sync = {
        "sync",
        "--privacy",
        "private",
        "--connect",
        a.address(),
        "--connect",
        b.address(),
        "--connect",
        c.address(),
        "--mempool-wait",
        "1",
        "--json"
      };
      Ran.With here = here();
      for (int i = 0; i < 2; i++) {
        JsonNode report = here.murmur(sync).exits(ExitCode.DONE).json();
        assertThat(report.get("complete").asBoolean()).isTrue();
        assertBalance(report.get("balance"), truth);
      }
      assertThat(Set.copyOf(a.filtersShown())).hasSize(1);
      assertThat(Set.copyOf(b.filtersShown())).hasSize(1);
      assertThat(a.filtersShown()).doesNotContainAnyElementsOf(b.filtersShown());
      assertThat(c.filtersShown()).isEmpty();
      assertThat(a.elementsShown()).isEmpty();
      assertThat(b.elementsShown()).isEmpty();
      String unsigned = TX.replace("000151ffffffff", "0000ffffffff");
      assertThat(unsigned).isNotEqualTo(TX);
      assertThat(
              here.murmur("broadcast", unsigned, "--connect", a.address())
                  .exits(ExitCode.FAILED)
                  .err())
          .contains("input 0", "not signed");
      Ran refused = here.murmur("broadcast", TX, "--connect", a.address());
      assertThat(refused.exits(ExitCode.NO_USABLE_PEER).err()).contains("shown a filter");
      b.mine(1);
      Ran missing =
          here.murmur(
              "sync", "--privacy", "private", "--connect", b.address(), "--connect", c.address());
      assertThat(missing.exits(ExitCode.NO_USABLE_PEER).err())
          .contains(a.address(), "--replace-guard");
      assertThat(c.filtersShown()).isEmpty();
    }
  }

  /**
   * Private stays private until an option says fast, and then the warning comes before the filter.
   */
  @Test
  void aPrivateWalletGoesFastOnlyByOption() {
    Chain chain = BUILT.chain().copy();
    try (RegtestNode a = RegtestNode.start(chain);
        RegtestNode b = RegtestNode.start(chain)) {
      String[] peers = {"--mempool-wait", "0", "--connect", a.address(), "--connect", b.address()};
      here().murmur(with(peers, "sync", "--privacy", "private")).exits(ExitCode.DONE);
      List<BloomFilter> before = List.copyOf(a.filtersShown());
      here().murmur(with(peers, "sync")).exits(ExitCode.DONE);
      here().murmur(with(peers, "rescan", "--from", "1")).exits(ExitCode.DONE);
      JsonNode dry = here().murmur(with(peers, "sync", "--dry-run", "--json")).json();
      assertThat(dry.get("preset").asText()).isEqualTo("private");
      assertThat(dry.get("filters").findValuesAsText("role")).contains("scripts");
      JsonNode next = here().murmur("privacy", "--json").json().get("next").get("filters");
      assertThat(next.findValuesAsText("role")).contains("scripts");
      assertThat(Set.copyOf(a.filtersShown())).isEqualTo(Set.copyOf(before));
      assertThat(here().murmur("sync", "--connect", a.address()).exits(ExitCode.USAGE).err())
          .contains("the last one that was chosen", "--one-peer", "--privacy fast");
      // No peer is there: the warning came before anything could be sent.
      String[] nobody = {"sync", "-q", "--privacy", "fast", "--connect", "127.0.0.1:1"};
      assertThat(here().murmur(nobody).exits(ExitCode.NO_USABLE_PEER).err())
          .startsWith("warning: this wallet had the private or compact preset so far");
      assertThat(Set.copyOf(a.filtersShown())).isEqualTo(Set.copyOf(before));
      // It is printed once, and with -v once more in the log.
      String[] fast = {"sync", "-v", "--privacy", "fast"};
      assertThat(here().murmur(with(peers, fast)).exits(ExitCode.DONE).err())
          .containsOnlyOnce("this wallet had the private or compact preset so far");
    }
  }

  /** A private sync needs two peers; the message tells why these are one. */
  @Test
  void twoNamesOfOnePeerAreNamedAndChangeNoPreset() {
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy())) {
      String other = a.address().replace("127.0.0.1", "localhost");
      String[] peers = {"--mempool-wait", "0", "--connect", a.address(), "--connect", other};
      here().murmur("sync", "--mempool-wait", "0", "--connect", a.address()).exits(ExitCode.DONE);
      Ran refused = here().murmur(with(peers, "sync", "--privacy", "private"));
      assertThat(refused.exits(ExitCode.NO_USABLE_PEER).err())
          .contains(" was not used: the same peer as ", "two different addresses are needed");
      // Fast, as before.
      here().murmur("sync", "--mempool-wait", "0", "--connect", a.address()).exits(ExitCode.DONE);
    }
  }

  /** Ctrl-C is pressed when the command listens for it, and the session has not begun. */
  @Test
  void anInterruptBeforeTheSessionBeginsEndsIt() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      JsonNode report =
          here()
              .interrupting()
              .murmur("sync", "--connect", node.address(), "--json")
              .exits(ExitCode.INTERRUPTED)
              .json();
      assertThat(report.get("complete").asBoolean()).isFalse();
      assertThat(report.get("blocks_scanned").asInt()).isZero();
    }
  }

  private static String[] with(String[] more, String... command) {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  /** No log line, of any level and source, names anything of the wallet. */
  @Test
  void noLogNamesFiltersAddressesOrKeys() {
    StringBuilder logged = new StringBuilder();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            synchronized (logged) {
              logged.append(entry.getMessage()).append(Arrays.toString(entry.getParameters()));
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    handler.setLevel(Level.ALL);
    Logger root = Logger.getLogger("");
    Level before = root.getLevel();
    root.addHandler(handler);
    root.setLevel(Level.ALL);
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        RegtestNode b = RegtestNode.start(BUILT.chain().copy())) {
      Ran ran =
          here()
              .murmur(
                  "-v",
                  "-v",
                  "sync",
                  "--privacy",
                  "private",
                  "--connect",
                  a.address(),
                  "--connect",
                  b.address(),
                  "--mempool-wait",
                  "0");
      ran.exits(ExitCode.DONE);
      logged.append(ran.err());
      String log = logged.toString().toLowerCase(Locale.ROOT);
      List<String> secrets = new ArrayList<>();
      for (RegtestNode node : List.of(a, b)) {
        assertThat(node.filtersShown()).hasSize(1);
        node.filtersShown()
            .forEach(filter -> secrets.add(filter.toPayload().slice(100, 116).toHex()));
      }
      here()
          .murmur("export", "xpub")
          .out()
          .lines()
          .forEach(line -> secrets.add(line.strip().toLowerCase(Locale.ROOT)));
      here()
          .murmur("address", "--list", "--json")
          .json()
          .findValuesAsText("address")
          .forEach(secrets::add);
      assertThat(secrets).hasSizeGreaterThan(5).allMatch(secret -> secret.length() > 20);
      for (String secret : secrets) {
        assertThat(log).doesNotContain(secret.toLowerCase(Locale.ROOT));
      }
    } finally {
      root.setLevel(before);
      root.removeHandler(handler);
    }
  }

  @Test
  void optionsOfAnotherPresetAreRefused() {
    String[][] wrong = {
      {"--privacy", "private", "--connect", "127.0.0.1:1"},
      {"--privacy", "private", "--one-peer", "--connect", "127.0.0.1:1", "--verify", "2"},
      {"--privacy", "private", "--one-peer", "--connect", "127.0.0.1:1", "--spot-check", "2"},
      {"--privacy", "private", "--one-peer", "--connect", "127.0.0.1:1", "--fp", "0.1"},
      {"--privacy", "private", "--one-peer", "--connect", "127.0.0.1:1", "--budget", "-1"},
      {"--connect", "127.0.0.1:1", "--one-peer"},
      {"--connect", "127.0.0.1:1", "--budget", "15"},
      {"--connect", "127.0.0.1:1", "--privacy", "secret"}
    };
    for (String[] arguments : wrong) {
      List<String> line = new ArrayList<>(List.of("sync"));
      line.addAll(List.of(arguments));
      here().murmur(line.toArray(String[]::new)).exits(ExitCode.USAGE);
    }
    assertThat(SyncArguments.nearest(1)).isEqualTo(1e-4);
    assertThat(SyncArguments.nearest(15)).isEqualTo(1e-4);
    assertThat(SyncArguments.nearest(100)).isEqualTo(1e-3);
    assertThat(SyncArguments.nearest(10_000)).isEqualTo(1e-3);
  }

  @Test
  void syncReportsTheTruth() {
    WalletTruth truth = BUILT.truth();
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      JsonNode sync =
          here().murmur("sync", "--connect", node.address(), "--json").exits(ExitCode.DONE).json();
      assertThat(sync.get("network").asText()).isEqualTo("regtest");
      assertThat(sync.get("wallet").asText()).isEqualTo("default");
      assertThat(sync.get("complete").asBoolean()).isTrue();
      assertThat(sync.get("height").asInt()).isEqualTo(220);
      assertThat(sync.get("headers").asInt()).isEqualTo(220);
      assertThat(sync.get("tip").asText()).isEqualTo(node.tip().toDisplay());
      assertThat(sync.get("blocks_scanned").asInt()).isGreaterThanOrEqualTo(220);
      assertThat(sync.get("transactions").asInt()).isEqualTo(truth.transactions().size());
      assertBalance(sync.get("balance"), truth);
      assertThat(sync.get("mempool").asText()).isIn("complete", "partial", "skipped");
      assertThat(sync.get("false_positives").isIntegralNumber()).isTrue();
      assertThat(sync.get("bytes_received").asLong()).isGreaterThan(220 * 80);
      assertThat(sync.get("bytes_sent").asLong()).isPositive();
      assertThat(sync.get("elapsed_ms").isIntegralNumber()).isTrue();
      assertThat(sync.get("warnings").isArray()).isTrue();
      JsonNode peer = sync.get("peers").get(0);
      assertThat(peer.get("address").asText()).isEqualTo(node.address());
      assertThat(peer.get("user_agent").asText()).isEqualTo(RegtestNode.USER_AGENT);
      assertThat(peer.get("blocks").asInt()).isGreaterThanOrEqualTo(220);
      assertThat(peer.get("headers").asInt()).isEqualTo(220);
      assertThat(peer.get("misbehaviour").isNull()).isTrue();

      JsonNode balance = here().murmur("balance", "--json").exits(ExitCode.DONE).json();
      assertBalance(balance, truth);
      assertThat(balance.get("as_of").get("height").asInt()).isEqualTo(220);
      assertThat(balance.get("as_of").get("complete").asBoolean()).isTrue();
      assertThat(balance.get("as_of").get("seen_by").asInt()).isEqualTo(1);
      assertThat(balance.get("height").asInt()).isEqualTo(220);
      assertThat(balance.get("complete").asBoolean()).isTrue();
      assertThat(balance.get("seen_by").asInt()).isEqualTo(1);
      historyAgrees(truth);
      coinsAgree(truth);
      oneTransaction(truth, node);
      nothingNew(node);
    }
  }

  private static void assertBalance(JsonNode balance, WalletTruth truth) {
    assertThat(balance.get("confirmed_sat").asLong()).isEqualTo(truth.confirmedSat());
    assertThat(balance.get("unconfirmed_sat").asLong()).isEqualTo(truth.unconfirmedSat());
    assertThat(balance.get("immature_sat").asLong()).isEqualTo(truth.immatureSat());
  }

  private void historyAgrees(WalletTruth truth) {
    JsonNode history = here().murmur("history", "--json").json().get("transactions");
    Map<String, String> found = new HashMap<>();
    int last = 0;
    for (JsonNode entry : history) {
      assertThat(entry.get("height").asInt()).isGreaterThanOrEqualTo(last);
      last = entry.get("height").asInt();
      assertThat(entry.get("time").isIntegralNumber()).isTrue();
      assertThat(entry.get("addresses").isArray()).isTrue();
      found.put(entry.get("txid").asText(), last + " " + entry.get("net_sat").asLong());
    }
    Map<String, String> expected = new HashMap<>();
    truth
        .transactions()
        .forEach(e -> expected.put(e.txid().toDisplay(), e.height() + " " + e.netSat()));
    assertThat(found).isEqualTo(expected);
    pagesAgree(history);
  }

  /** Pages from the newest back, put together, are the whole list. */
  private void pagesAgree(JsonNode history) {
    List<JsonNode> pages = new ArrayList<>();
    int size = history.size() / 3 + 1;
    String limit = String.valueOf(size);
    JsonNode page = here().murmur("history", "--limit", limit, "--json").json();
    while (true) {
      List<JsonNode> entries = new ArrayList<>();
      page.get("transactions").forEach(entries::add);
      assertThat(entries).hasSizeBetween(1, size);
      pages.addAll(0, entries);
      assertThat(page.get("older").asBoolean()).isEqualTo(history.size() > pages.size());
      if (!page.get("older").asBoolean()) {
        break;
      }
      String first = entries.get(0).get("txid").asText();
      page = here().murmur("history", "--limit", limit, "--before", first, "--json").json();
    }
    List<JsonNode> all = new ArrayList<>();
    history.forEach(all::add);
    assertThat(pages).isEqualTo(all);
    Ran newest = here().murmur("history", "--limit", "1").exits(ExitCode.DONE);
    String last = all.get(all.size() - 1).get("txid").asText();
    assertThat(newest.out()).contains(last).hasLineCount(1);
    assertThat(newest.err()).contains("older transactions; go on with", "--before " + last);
    String first = all.get(0).get("txid").asText();
    assertThat(here().murmur("history", "--before", first).err()).contains("no older transactions");
    assertThat(here().murmur("history", "--limit", "0").exits(ExitCode.USAGE).err())
        .contains("--limit 0, expected 1 or more");
    assertThat(here().murmur("history", "--before", "00".repeat(32)).exits(ExitCode.FAILED).err())
        .contains("the wallet has no transaction");
  }

  private void coinsAgree(WalletTruth truth) {
    JsonNode coins = here().murmur("unspent", "--json").json().get("coins");
    List<String> found = new ArrayList<>();
    for (JsonNode coin : coins) {
      assertThat(coin.get("address").asText()).startsWith("bcrt1q");
      found.add(
          coin.get("txid").asText()
              + ":"
              + coin.get("vout").asInt()
              + " "
              + coin.get("value_sat").asLong()
              + " "
              + coin.get("height").asInt());
    }
    List<String> expected = new ArrayList<>();
    truth
        .coins()
        .forEach(
            coin ->
                expected.add(
                    coin.outPoint().txid().toDisplay()
                        + ":"
                        + coin.outPoint().index()
                        + " "
                        + coin.value()
                        + " "
                        + coin.height()));
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
  }

  private void oneTransaction(WalletTruth truth, RegtestNode node) {
    WalletTruth.Entry entry = truth.transactions().get(0);
    String txid = entry.txid().toDisplay();
    JsonNode tx = here().murmur("tx", txid, "--json").exits(ExitCode.DONE).json();
    assertThat(tx.get("height").asInt()).isEqualTo(entry.height());
    assertThat(tx.get("block").asText()).isEqualTo(node.blockAt(entry.height()).hash().toDisplay());
    assertThat(tx.get("net_sat").asLong()).isEqualTo(entry.netSat());

    String proof = here().murmur("proof", "show", txid).exits(ExitCode.DONE).out().strip();
    JsonNode verified = here().murmur("proof", "verify", proof, "--json").json();
    assertThat(verified.get("valid").asBoolean()).isTrue();
    assertThat(verified.get("block").asText()).isEqualTo(tx.get("block").asText());
    assertThat(verified.get("transactions").toString()).contains(txid);
    assertThat(verified.get("in_chain").asBoolean()).isTrue();
    here().murmur("tx", "00".repeat(32)).exits(ExitCode.FAILED);
  }

  private void nothingNew(RegtestNode node) {
    JsonNode again =
        here().murmur("sync", "--connect", node.address(), "--json").exits(ExitCode.DONE).json();
    assertThat(again.get("complete").asBoolean()).isTrue();
    assertThat(again.get("blocks_scanned").asInt()).isZero();
  }

  @Test
  void theReportNamesTheLiar() {
    Behaviour lying = Behaviour.honest().with(new WrongProofs());
    // The honest one is so slow that the other is asked, too.
    Behaviour slow = Behaviour.honest().limitedTo(40);
    try (RegtestNode liar = RegtestNode.start(BUILT.chain().copy(), lying);
        RegtestNode node = RegtestNode.start(BUILT.chain().copy(), slow)) {
      JsonNode sync =
          here()
              .murmur("sync", "--connect", liar.address(), "--connect", node.address(), "--json")
              .exits(ExitCode.DONE)
              .json();
      assertBalance(sync.get("balance"), BUILT.truth());
      for (JsonNode peer : sync.get("peers")) {
        if (peer.get("address").asText().equals(liar.address())) {
          assertThat(peer.get("misbehaviour").asText()).startsWith("BAD_PROOF: ");
        } else {
          assertThat(peer.get("misbehaviour").isNull()).isTrue();
        }
      }
      assertThat(sync.get("peers")).hasSize(2);
    }
  }

  @Test
  void theStreamEndsWithTheResult() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      List<JsonNode> lines = here().murmur("sync", "--connect", node.address(), "--jsonl").lines();
      List<String> events = lines.stream().map(line -> line.get("event").asText()).toList();
      assertThat(events).contains("peer_ready", "payment_confirmed", "complete");
      assertThat(events).endsWith("result").containsOnlyOnce("result");
      assertThat(lines.get(lines.size() - 1).get("complete").asBoolean()).isTrue();
    }
  }

  @Test
  void rescanFindsTheSameAgain() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      JsonNode again =
          here()
              .murmur("rescan", "--from", "0", "--connect", node.address(), "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(again.get("blocks_scanned").asInt()).isGreaterThanOrEqualTo(220);
      assertBalance(again.get("balance"), BUILT.truth());
    }
  }

  @Test
  void headersOnlyLeavesBlocksAlone() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      JsonNode sync =
          here()
              .murmur("sync", "--headers-only", "--connect", node.address(), "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(sync.get("headers").asInt()).isEqualTo(220);
      assertThat(sync.get("blocks_scanned").asInt()).isZero();
      assertThat(sync.get("complete").asBoolean()).isFalse();
      assertThat(here().murmur("balance", "--json").json().get("as_of"))
          .isEqualTo(sync.get("as_of"));
    }
  }

  @Test
  void nodeWithoutBip37IsExplained() {
    try (RegtestNode node =
        RegtestNode.start(BUILT.chain().copy(), Behaviour.honest().withoutBloom())) {
      Ran ran = here().murmur("sync", "--connect", node.address()).exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.err()).contains("peerbloomfilters=1", "whitebind", node.address());
      assertThat(ran.out()).isEmpty();
    }
  }

  @Test
  void nodeOfAnotherNetworkIsExplained() throws IOException {
    Path words = datadir.resolve("words.txt");
    here().murmur("--network", "signet", "restore", "--mnemonic-file", words.toString());
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      Ran ran =
          here()
              .murmur("--network", "signet", "sync", "--connect", node.address())
              .exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.err()).contains("--network", ChainParams.SIGNET.name());
    }
  }

  @Test
  void stalledSyncEndsWithItsProgress() {
    try (RegtestNode node =
        RegtestNode.start(BUILT.chain().copy(), Behaviour.honest().with(new StallsAfter(50)))) {
      JsonNode sync =
          here()
              .murmur("sync", "--connect", node.address(), "--timeout", "2", "--json")
              .exits(ExitCode.NOT_SYNCED)
              .json();
      assertThat(sync.get("complete").asBoolean()).isFalse();
    }
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      JsonNode sync =
          here().murmur("sync", "--connect", node.address(), "--json").exits(ExitCode.DONE).json();
      assertBalance(sync.get("balance"), BUILT.truth());
    }
  }

  @Test
  void interruptedFollowingKeepsItsState() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      Ran ran =
          here()
              .interruptingWhen("\"complete\"")
              .murmur("sync", "--follow", "--connect", node.address(), "--jsonl")
              .exits(ExitCode.INTERRUPTED);
      List<JsonNode> lines = ran.lines();
      assertThat(lines.get(lines.size() - 1).get("event").asText()).isEqualTo("result");
      assertBalance(here().murmur("balance", "--json").json(), BUILT.truth());
    }
  }

  /** It stays, as requested, and prints what it waits for. */
  @Test
  void followingAPeerThatIsNotThereStaysAndSaysSoToPrograms() throws IOException {
    Ran ran =
        here()
            .interruptingWhen("no peer can be reached")
            .murmur("sync", "--follow", "--connect", NOBODY, "--jsonl")
            .exits(ExitCode.INTERRUPTED);
    assertThat(ran.out()).contains("trying again", NOBODY);
  }

  @Test
  void followingAPeerThatIsNotThereStaysAndSaysSoToPeople() throws IOException {
    Ran ran =
        here()
            .murmur("sync", "--follow", "--connect", NOBODY, "--timeout", "7")
            .exits(ExitCode.NOT_SYNCED);
    assertThat(ran.err())
        .contains(NOBODY + " cannot be reached", "no peer can be reached", "trying again");
  }

  @Test
  void followingPrintsArrivingPayments() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      Ran ran =
          here()
              .doingWhen("\"complete\"", () -> node.mine(1))
              .interruptingWhen("\"event\":\"complete\",\"height\":221")
              .murmur("sync", "--follow", "--connect", node.address(), "--jsonl")
              .exits(ExitCode.INTERRUPTED);
      assertThat(ran.lines().stream().filter(line -> line.get("event").asText().equals("complete")))
          .extracting(line -> line.get("height").asInt())
          .startsWith(220)
          .endsWith(221);
      assertThat(here().murmur("balance", "--json").json().get("as_of").get("height").asInt())
          .isEqualTo(221);
    }
  }

  /** A foreign coin of the miner, spent twice. */
  private static ChainCoin someoneElses(RegtestNode node) {
    for (int height = 1; height < node.height() - 100; height++) {
      ChainCoin coin = node.chain().coin(node.blockAt(height).tx(0).outPoint(0));
      if (coin != null && coin.spendableAt(node.height() + 1)) {
        return coin;
      }
    }
    throw new AssertionError("no coin to pay with");
  }

  private static Bytes mine() {
    return Accounts.descriptors(
            Mnemonic.parse(DemoWallet.WORDS), "", KeyNetwork.REGTEST, List.of(OutputType.P2WPKH), 0)
        .get(0)
        .derive(3)
        .scriptPubKey();
  }

  @Test
  void anArrivingPaymentFitsATerminal() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      ChainCoin coin = someoneElses(node);
      Tx payment = new TxBuilder().spend(coin.outPoint()).pay(coin.value() - 1000, mine()).build();
      node.broadcast(payment);
      Ran ran =
          here()
              .terminal()
              .interruptingWhen("pending      2")
              .murmur("sync", "--follow", "--connect", node.address())
              .exits(ExitCode.INTERRUPTED);
      assertThat(ran.out().lines().filter(line -> line.startsWith("pending      ")))
          .singleElement()
          .asString()
          .hasSizeLessThanOrEqualTo(80)
          .contains("  " + payment.txid().toString().substring(0, 12) + "  at bcrt1");
    }
  }

  /** Six digits are a height, too, but not one of this chain. */
  @Test
  void whyTakesTheBeginningOfATxidThatLooksLikeAHeight() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      ChainCoin coin = someoneElses(node);
      Tx payment;
      long fee = 1000;
      do {
        fee++;
        payment = new TxBuilder().spend(coin.outPoint()).pay(coin.value() - fee, mine()).build();
      } while (!payment.txid().toDisplay().matches("[1-9]\\d{5}.*"));
      node.broadcast(payment);
      node.mine(1);
      here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      String txid = payment.txid().toDisplay();
      assertThat(here().murmur("why", txid.substring(0, 6)).exits(ExitCode.DONE).out())
          .isEqualTo(here().murmur("why", txid).out())
          .startsWith(txid + "\nin block 221\nSearched by " + node.address() + ".\n");
      assertThat(here().murmur("why", "100000").exits(ExitCode.FAILED).err())
          .contains("no block at height 100000");
    }
  }

  @Test
  void aPaymentThatIsReplacedIsSaidToBeAndKept() {
    Bytes mine = mine();
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      ChainCoin coin = someoneElses(node);
      Tx payment = new TxBuilder().spend(coin.outPoint()).pay(coin.value() - 1000, mine).build();
      Tx other =
          new TxBuilder()
              .spend(coin.outPoint())
              .pay(coin.value() - 90_000, Bytes.of(new byte[] {0x51}))
              .build();
      Ran ran =
          here()
              .doingWhen("\"complete\"", () -> node.broadcast(payment))
              .doingWhen("payment_seen", () -> node.broadcast(other))
              .interruptingWhen("payment_replaced")
              .murmur("-v", "sync", "--follow", "--connect", node.address(), "--jsonl")
              .exits(ExitCode.INTERRUPTED);
      JsonNode replaced =
          ran.lines().stream()
              .filter(line -> line.get("event").asText().equals("payment_replaced"))
              .findFirst()
              .orElseThrow();
      assertThat(replaced.get("txid").asText()).isEqualTo(payment.txid().toString());
      assertThat(replaced.get("replaced_by").asText()).isEqualTo(other.txid().toString());
      assertThat(replaced.get("replaced_at_height").isNull()).isTrue();
      // The log names peers and requests, and nothing that is the wallet's.
      assertThat(ran.err())
          .contains("got a filter of ", "requested its unconfirmed transactions")
          .doesNotContain("bcrt1", "tpub", payment.txid().toString(), other.txid().toString());
      assertBalance(here().murmur("balance", "--json").json(), BUILT.truth());
      assertThat(here().murmur("history", "--json").json().get("not_listed").asInt()).isZero();
      assertThat(here().murmur("history").out()).contains("replaced by ");
      String fate = "replaced by " + other.txid();
      assertThat(here().murmur("history", "--all").out()).contains(fate);
      assertThat(here().murmur("tx", payment.txid().toString()).out()).contains(fate);
      node.mine(1);
      here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      assertThat(here().murmur("tx", payment.txid().toString()).out())
          .contains("double-spent by " + other.txid() + " in block 221");
    }
  }

  @Test
  void aSecondSyncFailsBecauseTheWalletIsInUse() throws IOException {
    List<Ran> second = new ArrayList<>();
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      // Another sync holds this lock as long as it runs.
      LockFile lock = new LockFile(datadir.resolve("regtest/default.sqlite").toAbsolutePath());
      lock.acquire();
      try {
        second.add(here().murmur("sync", "--connect", node.address(), "--json"));
        second.add(here().murmur("balance", "--json"));
      } finally {
        lock.release();
      }
    }
    JsonNode error = second.get(0).exits(ExitCode.FAILED).json().get("error");
    assertThat(error.get("kind").asText()).isEqualTo("wallet_locked");
    // Reading needs no lock.
    second.get(1).exits(ExitCode.DONE);
  }

  @Test
  void demoAgreesWithItself() {
    JsonNode demo =
        Ran.murmur("demo", "--blocks", "160", "--txs", "6", "--json").exits(ExitCode.DONE).json();
    assertThat(demo.get("sync").get("complete").asBoolean()).isTrue();
    assertThat(demo.get("truth").get("agrees").asBoolean()).isTrue();
    assertThat(demo.get("truth").get("transactions").asInt()).isPositive();
    assertThat(demo.get("history")).hasSize(demo.get("truth").get("transactions").asInt());
    JsonNode filter = demo.get("peer_learned").get("filters").get(0);
    assertThat(filter.get("bytes").asInt()).isPositive();
    assertThat(filter.get("actual_fp").asDouble()).isLessThan(1e-6);
    String[] small = {"demo", "--blocks", "150", "--txs", "5"};
    String verdict = Ran.murmur(small).exits(ExitCode.DONE).out();
    assertThat(verdict).startsWith("It works. ").contains("agree", "knows", "With -v");
    assertThat(verdict.lines().count()).isLessThanOrEqualTo(5);
    assertThat(Ran.murmur(with(small, "-v")).exits(ExitCode.DONE).out())
        .contains("agree", "false-positive", "pending       none seen");
    Ran.murmur("demo", "--blocks", "3").exits(ExitCode.USAGE);
  }

  private static Behaviour hiding(Behaviour behaviour) {
    Behaviour lie = behaviour;
    for (WalletTruth.Entry entry : BUILT.truth().transactions()) {
      lie = lie.with(new Omits(entry.txid()));
    }
    return lie;
  }

  private static JsonNode peer(JsonNode sync, RegtestNode node) {
    for (JsonNode peer : sync.get("peers")) {
      if (peer.get("address").asText().equals(node.address())) {
        return peer;
      }
    }
    throw new AssertionError(node.address() + " is not in " + sync);
  }

  @Test
  void verifyNamesTheOmitterAndBalanceTheNumberOfPeers() {
    try (RegtestNode liar = RegtestNode.start(BUILT.chain().copy(), hiding(Behaviour.honest()));
        RegtestNode first = RegtestNode.start(BUILT.chain().copy());
        RegtestNode second = RegtestNode.start(BUILT.chain().copy())) {
      JsonNode few =
          here()
              .murmur(
                  "sync",
                  "--connect",
                  liar.address(),
                  "--connect",
                  first.address(),
                  "--verify",
                  "2",
                  "--json")
              .exits(ExitCode.NOT_SYNCED)
              .json();
      assertThat(few.get("complete").asBoolean()).isFalse();
      assertThat(few.get("seen_by").asInt()).isEqualTo(1);
      assertThat(few.get("warnings").get(0).asText()).contains("with 2 peers", "with 1 only");
      assertThat(peer(few, liar).get("misbehaviour").asText()).startsWith("OMISSION");
      assertThat(peer(few, first).get("misbehaviour").isNull()).isTrue();
      assertBalance(few.get("balance"), BUILT.truth());
      assertThat(here().murmur("balance", "--json").json().get("as_of").get("seen_by").asInt())
          .isEqualTo(1);

      JsonNode enough =
          here()
              .murmur(
                  "sync",
                  "--connect",
                  first.address(),
                  "--connect",
                  second.address(),
                  "--verify",
                  "2",
                  "--spot-check",
                  "5",
                  "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(enough.get("complete").asBoolean()).isTrue();
      assertThat(enough.get("seen_by").asInt()).isEqualTo(2);
      assertThat(here().murmur("balance", "--json").json().get("as_of").get("seen_by").asInt())
          .isEqualTo(2);
      JsonNode seen = here().murmur("status", "--json").json().get("seen");
      assertThat(seen).hasSize(1);
      assertThat(seen.get(0).get("from").asInt()).isEqualTo(1);
      assertThat(seen.get(0).get("to").asInt()).isEqualTo(220);
      assertThat(seen.get(0).get("peers").asInt()).isEqualTo(2);
      assertThat(here().murmur("status").exits(ExitCode.DONE).out())
          .contains("heights 1-220 by 2 peers");
      JsonNode why = here().murmur("why", "100", "--json").json();
      assertThat(why.get("peers")).hasSize(2);
      assertThat(here().murmur("why", "100").out())
          .contains(first.address(), second.address())
          .doesNotContain(liar.address());
    }
  }

  @Test
  void peersThatDisagreeEndWithACodeOfTheirOwn() {
    try (RegtestNode liar =
            RegtestNode.start(
                BUILT.chain().copy(), hiding(Behaviour.honest().with(Ignores.WHOLE_BLOCKS)));
        RegtestNode honest =
            RegtestNode.start(
                BUILT.chain().copy(), Behaviour.honest().with(Ignores.WHOLE_BLOCKS))) {
      JsonNode error =
          here()
              .murmur(
                  "sync",
                  "--connect",
                  liar.address(),
                  "--connect",
                  honest.address(),
                  "--verify",
                  "2",
                  "--json")
              .exits(ExitCode.PEERS_DISAGREE)
              .json()
              .get("error");
      assertThat(error.get("code").asInt()).isEqualTo(5);
      assertThat(error.get("kind").asText()).isEqualTo("peers_disagree");
      assertThat(error.get("message").asText()).contains(liar.address() + " omitted it");
    }
  }

  @Test
  void verifyAndSpotCheckWantSensibleNumbers() {
    here().murmur("sync", "--connect", "127.0.0.1:1", "--verify", "0").exits(ExitCode.USAGE);
    here().murmur("sync", "--connect", "127.0.0.1:1", "--spot-check", "-1").exits(ExitCode.USAGE);
  }
}
