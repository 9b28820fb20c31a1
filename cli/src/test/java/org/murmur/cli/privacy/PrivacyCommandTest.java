package org.murmur.cli.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.OwnKeys;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Behaviour;

/** {@code murmur privacy}: the filters and what they disclose, field by field, and as text. */
class PrivacyCommandTest extends RestoredWallet {

  private static final BuiltChain BUILT = DemoWallet.chain(11, 220, 8);

  private void sync(String... nodes) {
    String[] command = new String[5 + 2 * nodes.length];
    command[0] = "sync";
    command[1] = "--mempool-wait";
    command[2] = "0";
    command[3] = "--verify";
    command[4] = Integer.toString(nodes.length);
    for (int i = 0; i < nodes.length; i++) {
      command[5 + 2 * i] = "--connect";
      command[6 + 2 * i] = nodes[i];
    }
    here().murmur(command).exits(ExitCode.DONE);
  }

  private JsonNode privacy(String... options) {
    String[] command = new String[2 + options.length];
    command[0] = "privacy";
    command[1] = "--json";
    System.arraycopy(options, 0, command, 2, options.length);
    return here().murmur(command).exits(ExitCode.DONE).json();
  }

  @Test
  void noPeerKnowsAnythingYet() {
    JsonNode json = privacy();
    assertThat(json.get("peers").isEmpty()).isTrue();
    assertThat(json.get("coalitions").isEmpty()).isTrue();
    assertThat(json.get("scripts_watched").asInt()).isEqualTo(2000);
    assertThat(json.get("exposure").get("chance").asDouble()).isZero();
    assertThat(here().murmur("privacy").exits(ExitCode.DONE).out())
        .startsWith("No peer has received a filter or a transaction yet");
  }

  @Test
  void saysHowOftenAFilterWasSent() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      for (int i = 0; i < 4; i++) {
        here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      }
      JsonNode shown = privacy().get("peers").get(0).get("shown");
      int sent = 0;
      for (JsonNode filter : shown) {
        sent += filter.get("times").asInt();
      }
      assertThat(sent).isEqualTo(node.filtersShown().size());
      // The second one had the coins of the first; the others were the same again.
      assertThat(shown.get(shown.size() - 1).get("times").asInt()).isEqualTo(3);
      assertThat(here().murmur("privacy", "-v").exits(ExitCode.DONE).out())
          .containsPattern("filter sent at +times +to")
          .containsPattern("Z +3  " + node.address());
    }
  }

  /** The node of {@code --pool} serves blocks, too: it learned more than their heights. */
  @Test
  void aNodeWithAFilterIsNotSaidToKnowNoAddress() {
    Behaviour both = Behaviour.honest().withCompactFilters();
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy(), both)) {
      here()
          .murmur("sync", "--privacy", "compact", "--connect", node.address())
          .exits(ExitCode.DONE);
      assertThat(here().murmur("privacy").exits(ExitCode.DONE).out()).contains("and no address");
      here().murmur("sync", "--privacy", "fast", "--connect", node.address()).exits(ExitCode.DONE);
      assertThat(here().murmur("privacy").exits(ExitCode.DONE).out())
          .contains("It learned the heights.")
          .doesNotContain("and no address");
    }
  }

  @Test
  void reportsThePeersFilters() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      sync(node.address());
      JsonNode json = privacy("--universe", "1e9");
      assertThat(json.get("network").asText()).isEqualTo("regtest");
      assertThat(json.get("wallet").asText()).isEqualTo("default");
      assertThat(json.get("universe").asDouble()).isEqualTo(1e9);
      assertThat(json.get("universe_source").asText()).isEqualTo("chosen");
      assertThat(json.get("coins").asInt()).isPositive();
      assertThat(json.get("conclusion").get(0).asText())
          .contains(node.address())
          .contains("knows this wallet");
      JsonNode peer = json.get("peers").get(0);
      assertThat(peer.get("address").asText()).isEqualTo(node.address());
      assertThat(peer.get("local").asBoolean()).isTrue();
      assertThat(peer.get("filters").asInt()).isEqualTo(node.filtersShown().size());
      assertThat(peer.get("different").asInt()).isEqualTo(node.filtersShown().size());
      BloomFilter sent = node.filtersShown().get(0);
      JsonNode shown = peer.get("shown").get(0);
      assertThat(shown.get("time").asLong()).isPositive();
      assertThat(shown.get("role").asText()).isEqualTo("everything");
      assertThat(shown.get("epoch").isNull()).isTrue();
      assertThat(shown.get("bytes").asInt()).isEqualTo(sent.parameters().bytes());
      assertThat(shown.get("bits").asInt()).isEqualTo(sent.parameters().bits());
      assertThat(shown.get("hash_functions").asInt()).isEqualTo(sent.parameters().hashFunctions());
      assertThat((int) shown.get("tweak").asLong()).isEqualTo(sent.parameters().tweak());
      assertThat(shown.get("flags").asText()).isEqualTo("all");
      assertThat(shown.get("bits_set").asInt()).isEqualTo(sent.bitsSet());
      assertThat(shown.get("load").asDouble()).isEqualTo(sent.load());
      assertThat(shown.get("actual_fp").asDouble()).isEqualTo(sent.realisedRate());
      assertThat(shown.get("estimated_elements").asDouble())
          .isEqualTo(sent.estimatedElements())
          .isCloseTo(
              shown.get("elements").asInt(),
              within(5 * shown.get("estimated_elements_sd").asDouble()));
      assertThat(shown.get("filteradds").asInt()).isEqualTo(node.elementsShown().size());
      assertThat(shown.get("strangers").asDouble())
          .isCloseTo(1e9 * sent.realisedRate(), within(1e-6));
      // M10 by hand: each of the k bits of an element is also set by one of the foreign scripts.
      int k = sent.parameters().hashFunctions();
      double covered = -Math.expm1(-shown.get("strangers").asDouble() * k / sent.bitsSet());
      assertThat(shown.get("deniability").asDouble())
          .isCloseTo(Math.pow(covered, k), withinPercentage(0.01));
      assertThat(shown.get("server_fp_at_most").asDouble())
          .isGreaterThanOrEqualTo(sent.realisedRate());
      JsonNode scripts = peer.get("scripts");
      assertThat(scripts.get("own").asInt()).isEqualTo(json.get("scripts_used").asInt());
      assertThat(scripts.get("p_1").asDouble()).isGreaterThan(0.99);
      assertThat(scripts.get("p_half").asDouble())
          .isGreaterThanOrEqualTo(scripts.get("p_all").asDouble());
      assertThat(peer.get("cluster").get("fp_to_hide").asDouble()).isBetween(0.0, 1.0);
      assertThat(peer.get("strangers_after_each").size()).isEqualTo(peer.get("filters").asInt());
      assertThat(json.get("coalitions").isEmpty()).isTrue();
    }
  }

  /** A filter holds more than what was paid: the look-ahead. */
  private int unused() {
    JsonNode peer = here().murmur("privacy", "--json").json().get("peers").get(0);
    JsonNode shown = peer.get("shown").get(0);
    int unused = shown.get("scripts").asInt() - shown.get("scripts_used").asInt();
    assertThat(peer.get("unused_scripts").asInt()).isEqualTo(unused).isPositive();
    return unused;
  }

  @Test
  void aPersonGetsAVerdictOfAFewLines() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      sync(node.address());
      String out = here().murmur("privacy").exits(ExitCode.DONE).out();
      assertThat(out)
          .startsWith(node.address() + " knows ")
          .contains("used addresses of this wallet.", "your own node", "With -v")
          .contains(unused() + " unused addresses: it will know the next payments, too")
          .doesNotContain("probability", "rate");
      assertThat(out.lines().count()).isLessThanOrEqualTo(5);
      assertThat(out.lines()).allMatch(line -> line.length() <= 100);
      assertThat(here().terminal().murmur("privacy").out().lines())
          .allMatch(line -> line.length() <= 80);
    }
  }

  @Test
  void sumsUpTheKnowledgeOfColludingPeers() throws Exception {
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        RegtestNode b = RegtestNode.start(BUILT.chain().copy());
        RegtestNode c = RegtestNode.start(BUILT.chain().copy())) {
      sync(a.address(), b.address(), c.address());
      JsonNode json = privacy();
      assertThat(json.get("peers").size()).isEqualTo(3);
      // All of them, and three pairs.
      assertThat(json.get("coalitions").size()).isEqualTo(4);
      assertThat(json.get("pairs_left_out").asInt()).isZero();
      JsonNode all = json.get("coalitions").get(0);
      assertThat(all.get("peers").size()).isEqualTo(3);
      double alone = json.get("peers").get(0).get("scripts").get("strangers").asDouble();
      assertThat(all.get("scripts").get("strangers").asDouble()).isLessThan(alone);
      assertThat(all.get("link").get("linked").asBoolean()).isTrue();
      Ran text = here().murmur("privacy", "-v").exits(ExitCode.DONE);
      assertThat(text.out())
          .contains("all 3 together")
          .contains("linked on the chain")
          .contains(a.address())
          .doesNotContain("bcrt1");
      Path svg = datadir.resolve("known.svg");
      here().murmur("privacy", "--plot", svg.toString()).exits(ExitCode.DONE);
      assertThat(Files.readString(svg)).contains("<svg").contains("<path");
      Path png = datadir.resolve("known.PNG");
      here().murmur("privacy", "--plot", png.toString()).exits(ExitCode.DONE);
      assertThat(Files.readAllBytes(png)).startsWith(0x89, 'P', 'N', 'G');
    }
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(datadir)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(file.toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
    }
    return files;
  }

  /** No peer is called, and no byte of any file changes. */
  @Test
  void aDryRunCallsNoPeerAndWritesNothing() throws Exception {
    try (ServerSocketChannel nobody = ServerSocketChannel.open()) {
      nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      nobody.configureBlocking(false);
      String address = "127.0.0.1:" + nobody.socket().getLocalPort();
      Map<String, String> before = files();
      JsonNode json =
          here()
              .murmur("sync", "--connect", address, "--dry-run", "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(json.get("dry_run").asBoolean()).isTrue();
      assertThat(json.get("elapsed_ms").isNull()).isFalse();
      assertThat(json.get("blocks").asLong()).isZero();
      assertThat(json.get("sessions_measured").asInt()).isZero();
      JsonNode filter = json.get("filters").get(0);
      assertThat(filter.get("to").get(0).asText()).isEqualTo(address);
      assertThat(filter.get("scripts").asInt()).isEqualTo(2000);
      assertThat(filter.get("fp").asDouble()).isLessThan(1e-9);
      assertThat(
              here().murmur("sync", "--connect", address, "--dry-run").exits(ExitCode.DONE).out())
          .contains("No peer was contacted");
      assertThat(nobody.accept()).isNull();
      assertThat(files()).isEqualTo(before);
      here().murmur("sync", "--dry-run").exits(ExitCode.USAGE);
      here().murmur("-w", "none", "sync", "--connect", address, "--dry-run").exits(ExitCode.FAILED);
    }
  }

  /** In any spelling: the filters of one spelling count for the machine. */
  @Test
  void oneMachineIsOnePeer() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      String[] spellings = {"127.0.0.1", "localhost", "LocalHost", "[::ffff:127.0.0.1]"};
      for (String spelling : spellings) {
        sync(spelling + node.address().substring(node.address().lastIndexOf(':')));
        node.mine(1);
      }
      JsonNode json = privacy();
      assertThat(json.get("peers")).hasSize(1);
      assertThat(json.get("coalitions")).isEmpty();
      assertThat(json.get("peers").get(0).get("filters").asInt())
          .isEqualTo(node.filtersShown().size());
      assertThat(json.get("peers").get(0).get("known").asInt())
          .isEqualTo(json.get("scripts_used").asInt());
      assertThat(json.get("exposure").get("peers").asInt()).isZero();
      assertThat(json.get("conclusion").toString()).contains("No peer on the internet");
    }
  }

  private JsonNode dryRun(String... options) {
    String[] command = new String[3 + options.length];
    command[0] = "sync";
    command[1] = "--dry-run";
    command[2] = "--json";
    System.arraycopy(options, 0, command, 3, options.length);
    return here().murmur(command).exits(ExitCode.DONE).json();
  }

  /** Peers that are to be found have no names yet; their filters are known. */
  @Test
  void aDryRunWithoutConnectForetellsTheSame() {
    JsonNode named =
        dryRun("--connect", "192.0.2.1", "--connect", "192.0.2.2", "--connect", "192.0.2.3");
    JsonNode found = dryRun("--seed-node", "192.0.2.9");
    JsonNode filter = found.get("filters").get(0);
    assertThat(filter.get("to")).extracting(JsonNode::asText).containsExactly(standIns(3));
    assertThat(found.get("filters")).hasSize(1);
    for (String same : new String[] {"headers", "blocks", "passes", "bytes_sent"}) {
      assertThat(found.get(same)).as(same).isEqualTo(named.get(same));
    }
    for (String same : new String[] {"bytes", "hash_functions", "flags", "scripts", "fp"}) {
      assertThat(filter.get(same)).as(same).isEqualTo(named.get("filters").get(0).get(same));
    }
    assertThat(found.get("after")).hasSize(3);
    assertThat(found.get("after").get(2).get("peers").get(0).asText()).isEqualTo("peer 3");
    assertThat(found.get("after").get(2).get("scripts"))
        .isEqualTo(named.get("after").get(2).get("scripts"));
    assertThat(found.get("warnings"))
        .extracting(JsonNode::asText)
        .contains(
            "peer 1, peer 2, peer 3: to be found with seed node 192.0.2.9:18444, gossip; up to two"
                + " more peers serve headers and get no filter");
    assertThat(
            here()
                .murmur("sync", "--dry-run", "--seed-node", "192.0.2.9", "--verify", "4")
                .exits(ExitCode.DONE)
                .out())
        .contains("would send peer 1 and peer 2 and peer 3 and peer 4 a new filter each: 2000");
    JsonNode guarded = dryRun("--seed-node", "192.0.2.9", "--privacy", "private").get("filters");
    assertThat(guarded).hasSize(2);
    assertThat(guarded.get(0).get("role").asText()).isEqualTo("scripts");
    assertThat(guarded.get(0).get("to").get(0).asText()).isEqualTo("peer 1");
    assertThat(guarded.get(1).get("role").asText()).isEqualTo("outpoints");
    assertThat(guarded.get(1).get("to").get(0).asText()).isEqualTo("peer 2");
  }

  private static String[] standIns(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "peer " + i).toArray(String[]::new);
  }

  /** The seeds of a network that has some, and headers that would all be fetched again. */
  @Test
  void aDryRunFromGenesisForetellsAllHeaders() {
    Path words = datadir.resolve("words.txt");
    Ran.with()
        .datadir(datadir)
        .murmur(
            "--network",
            "signet",
            "restore",
            "--birthday",
            "225000",
            "--mnemonic-file",
            words.toString())
        .exits(ExitCode.DONE);
    JsonNode usual = onSignet("--json").json();
    JsonNode all = onSignet("--json", "--from-genesis").json();
    int height = usual.get("estimated_height").asInt();
    assertThat(all.get("estimated_height").asInt()).isBetween(height, height + 1);
    assertThat(usual.get("headers").asInt()).isEqualTo(height - 221_759);
    assertThat(all.get("headers").asInt()).isEqualTo(all.get("estimated_height").asInt());
    assertThat(all.get("bytes_received").asLong() - usual.get("bytes_received").asLong())
        .isGreaterThanOrEqualTo(221_759 * 81L);
    assertThat(onSignet("--from-genesis").out())
        .contains("(from height 0 to about")
        .contains("peer 1, peer 2, peer 3: to be found with DNS seeds, gossip");
  }

  private Ran onSignet(String... options) {
    String[] command = new String[4 + options.length];
    command[0] = "--network";
    command[1] = "signet";
    command[2] = "sync";
    command[3] = "--dry-run";
    System.arraycopy(options, 0, command, 4, options.length);
    return Ran.with().datadir(datadir).murmur(command).exits(ExitCode.DONE);
  }

  /** A dry run of the private preset shows the private preset's filters, or says it cannot. */
  @Test
  void neverForetellsAnotherPresetThanTheSyncWouldUse() {
    Ran ran =
        here()
            .murmur(
                "sync",
                "--privacy",
                "private",
                "--connect",
                "127.0.0.1:1",
                "--connect",
                "127.0.0.1:2",
                "--dry-run",
                "--json");
    JsonNode filters = ran.exits(ExitCode.DONE).json().get("filters");
    assertThat(filters.get(0).get("role").asText()).isEqualTo("scripts");
    assertThat(filters.get(0).get("to").get(0).asText()).isEqualTo("127.0.0.1:1");
    assertThat(filters.get(0).get("flags").asText()).isEqualTo("none");
    assertThat(filters.get(1).get("role").asText()).isEqualTo("outpoints");
    assertThat(filters.get(1).get("to").get(0).asText()).isEqualTo("127.0.0.1:2");
  }

  /**
   * After a private sync: each guard one role, the pair test only together, the same bytes again.
   */
  @Test
  void reportsTheKnowledgeOfGuards() throws Exception {
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        RegtestNode b = RegtestNode.start(BUILT.chain().copy())) {
      for (int i = 0; i < 2; i++) {
        here()
            .murmur(
                "sync",
                "--privacy",
                "private",
                "--mempool-wait",
                "0",
                "--connect",
                a.address(),
                "--connect",
                b.address())
            .exits(ExitCode.DONE);
      }
      JsonNode json = privacy();
      assertThat(json.get("peers").size()).isEqualTo(2);
      for (JsonNode peer : json.get("peers")) {
        assertThat(peer.get("pairs").isNull()).isTrue();
        assertThat(peer.get("named_in_clear").asInt()).isZero();
        RegtestNode node = peer.get("address").asText().equals(a.address()) ? a : b;
        assertThat(peer.get("filters").asInt()).isEqualTo(node.filtersShown().size());
        assertThat(peer.get("different").asInt())
            .isEqualTo((int) node.filtersShown().stream().distinct().count());
        String role = node == a ? "scripts" : "outpoints";
        peer.get("shown").forEach(f -> assertThat(f.get("role").asText()).isEqualTo(role));
      }
      // The number behind the role is the epoch's, and no count.
      assertThat(here().murmur("privacy", "-v").exits(ExitCode.DONE).out())
          .contains("scripts epoch 0", "outpoints epoch 0", "our estimate, not counted");
      JsonNode together = json.get("coalitions").get(0).get("pairs");
      assertThat(together.get("own").asInt()).isPositive();
      assertThat(together.get("strangers").asDouble()).isPositive();
      for (JsonNode filter : json.get("next").get("filters")) {
        assertThat(filter.get("shown_before").asBoolean()).isTrue();
      }
    }
  }

  /** The next sync sends the announced filters, and its cost was measured. */
  @Test
  void foretellsTheNextFilter() throws Exception {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      sync(node.address());
      JsonNode next = privacy().get("next");
      node.mine(7);
      Map<String, String> before = files();
      JsonNode dry =
          here()
              .murmur("sync", "--connect", node.address(), "--dry-run", "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(files()).isEqualTo(before);
      assertThat(dry.get("filters")).isEqualTo(next.get("filters"));
      assertThat(dry.get("after")).isEqualTo(next.get("after"));
      assertThat(dry.get("sessions_measured").asInt()).isEqualTo(1);
      assertThat(dry.get("warnings").get(0).asText()).contains("unknown");
      here()
          .murmur("sync", "--connect", node.address(), "--mempool-wait", "0")
          .exits(ExitCode.DONE);
      JsonNode shown = privacy().get("peers").get(0).get("shown");
      JsonNode last = shown.get(shown.size() - 1);
      JsonNode foretold = next.get("filters").get(0);
      assertThat(shown.size()).isGreaterThan(1);
      for (String field :
          new String[] {"bytes", "hash_functions", "flags", "elements", "scripts"}) {
        assertThat(last.get(field)).as(field).isEqualTo(foretold.get(field));
      }
      assertThat(last.get("actual_fp").asDouble())
          .isBetween(foretold.get("fp").asDouble() / 4, foretold.get("fp").asDouble() * 4);
      double left = next.get("after").get(0).get("pairs").get("strangers").asDouble();
      assertThat(left)
          .isLessThan(privacy().get("peers").get(0).get("scripts").get("strangers").asDouble());
    }
  }

  private String[] privately(String command, RegtestNode... nodes) {
    List<String> words =
        new ArrayList<>(List.of(command, "--privacy", "private", "--mempool-wait", "0"));
    for (RegtestNode node : nodes) {
      words.add("--connect");
      words.add(node.address());
    }
    return words.toArray(String[]::new);
  }

  /** Spends the wallet's first coin, to an unused address of its own and to a foreign one. */
  private Tx payment() {
    JsonNode coin = here().murmur("coins", "--json").json().get("coins").get(0);
    String fresh = here().murmur("address", "--json").json().get("address").asText();
    assertThat(fresh).isNotEqualTo(coin.get("address").asText());
    return OwnKeys.signed(
        here(),
        new TxBuilder()
            .spend(
                new OutPoint(
                    Hash256.ofDisplay(coin.get("txid").asText()), coin.get("vout").asInt()))
            .pay(10_000, script(fresh))
            .pay(coin.get("value_sat").asLong() - 20_000, Bytes.ofHex("0014" + "ab".repeat(20)))
            .build());
  }

  private static Bytes script(String address) {
    return Address.parse(address, KeyNetwork.REGTEST).scriptPubKey();
  }

  private static JsonNode peer(JsonNode privacy, RegtestNode node) {
    for (JsonNode peer : privacy.get("peers")) {
      if (peer.get("address").asText().equals(node.address())) {
        return peer;
      }
    }
    throw new AssertionError("nothing is said of " + node.address() + ": " + privacy);
  }

  /** There is no noise around a payment that a peer fetched: it knows the addresses in it. */
  @Test
  void aPeerThatFetchedAPaymentKnowsItsAddresses() {
    try (RegtestNode a = RegtestNode.start(BUILT.chain().copy());
        RegtestNode b = RegtestNode.start(BUILT.chain().copy());
        RegtestNode c = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur(privately("sync", a, b)).exits(ExitCode.DONE);
      Tx payment = payment();
      String port = c.address().substring(c.address().lastIndexOf(':'));
      JsonNode sent =
          here()
              .murmur("broadcast", payment.raw().toHex(), "--connect", "localhost" + port, "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(sent.get("taken_by")).hasSize(1);
      JsonNode json = privacy();
      assertThat(json.get("peers")).hasSize(3);
      assertThat(peer(json, c).get("named_in_clear").asInt()).isEqualTo(2);
      assertThat(peer(json, c).get("known").asInt()).isEqualTo(2);
      assertThat(peer(json, c).get("filters").asInt()).isZero();
      JsonNode told = peer(json, c).get("payments");
      assertThat(told).hasSize(1);
      assertThat(told.get(0).get("txid").asText()).isEqualTo(payment.txid().toDisplay());
      assertThat(told.get(0).get("addresses").asInt()).isEqualTo(2);
      assertThat(peer(json, a).get("named_in_clear").asInt()).isZero();
      assertThat(peer(json, b).get("named_in_clear").asInt()).isZero();
      for (JsonNode coalition : json.get("coalitions")) {
        boolean withIt = coalition.get("peers").toString().contains(c.address());
        assertThat(coalition.get("named_in_clear").asInt()).isEqualTo(withIt ? 2 : 0);
      }
      // It knows most, so it comes first, and got no filter.
      String line = c.address() + " knows 2 addresses without any filter";
      assertThat(json.get("conclusion").get(0).asText()).startsWith(c.address() + " knows this");
      assertThat(json.get("conclusion").toString()).contains(line);
      assertThat(here().murmur("privacy", "-v").exits(ExitCode.DONE).out()).contains(line);
      Path svg = datadir.resolve("known.svg");
      here().murmur("privacy", "--plot", svg.toString()).exits(ExitCode.DONE);
      assertThat(svg).isNotEmptyFile();
    }
  }

  @Test
  void namesTheErrorInItsOptions() {
    assertThat(here().murmur("privacy", "--universe", "0").exits(ExitCode.USAGE).err())
        .contains("universe 0.0, expected");
    assertThat(here().murmur("privacy", "--plot", "x.gif").exits(ExitCode.USAGE).err())
        .contains(".svg or .png");
    here().murmur("-w", "none", "privacy").exits(ExitCode.FAILED);
  }
}
