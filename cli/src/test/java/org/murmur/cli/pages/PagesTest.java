package org.murmur.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.cli.Ran;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.proxy.SocksProxy;

/**
 * Runs the commands of README.md and docs/, in a shell and a fresh folder, against embedded nodes
 * or the real one. What is not run is listed here with its reason, and nothing else is left out: a
 * new command runs with exit code 0, or is added to a list.
 */
@Timeout(180)
final class PagesTest {

  /** The tests run in the module's folder. */
  private static final Path ROOT = Path.of("..");

  /** An address of the key 1. */
  private static final String SOMEBODY = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  /** An address of the key 2. */
  private static final String SOMEBODY_ELSE = "bcrt1qq6hag67dl53wl99vzg42z8eyzfz2xlkvwk6f7m";

  private static final String ONION =
      "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion";

  /** A chain on which {@link DemoWallet} has coins to spend; nodes take copies of it. */
  private static final class Lived {
    private static final Chain CHAIN = chain();

    private static Chain chain() {
      try (RegtestNode node = RegtestNode.start(DemoWallet.chain(11, 150, 8).chain())) {
        node.mine(100);
        return node.chain();
      }
    }
  }

  private static final String FIRST_SYNC = "docs/first-sync.md";
  private static final String LAB = "docs/lab.md";
  private static final String CONNECTING = "docs/connecting.md";

  /** The blocks of {@link #LAB} that divide a study; they need GNU parallel. */
  private static final String SHARDS = LAB + ", in shards";

  private static final String MINUTES = "takes minutes";
  private static final String ROOT_USER = "needs root";
  private static final String INTERNET = "needs the internet";
  private static final String OTHER_MACHINES = "needs other machines";
  private static final String SLURM = "needs Slurm";
  private static final String KUBERNETES = "needs Kubernetes";
  private static final String PACKAGES = "needs what tools/package builds";
  private static final String BY_LAB_TEST = "takes a minute; LabCommandsTest runs it";
  private static final String BY_DEMO_TEST = "waits 10 seconds; DemoSavingTest runs it";
  private static final String ANOTHER_SIGNER = "needs a second signer; PsbtPaymentTest has one";

  /** Commands that are not run, each with the reason. */
  private static final Map<String, String> NOT_RUN =
      Map.ofEntries(
          Map.entry("README.md: mvn -q install -Dquick -DskipTests", MINUTES),
          Map.entry("README.md: ./murmur demo", BY_DEMO_TEST),
          Map.entry("README.md: ./check", MINUTES),
          Map.entry("README.md: ./murmur lab report --small", BY_LAB_TEST),
          Map.entry("docs/filter-families.md: murmur lab families", MINUTES),
          Map.entry("docs/connecting.md: ./murmur --network testnet4 sync", INTERNET),
          Map.entry("docs/connecting.md: ./murmur --network testnet4 sync --seed-node A", INTERNET),
          Map.entry(
              "docs/embedded-node.md: mvn -Dexcluded.groups=none -pl testbed -am"
                  + " -Dtest='*SemanticsTest,*ConversationTest,*AnnouncementTest,*AcceptanceTest,"
                  + "*LimitsTest,*FilterTest' -Dsurefire.failIfNoSpecifiedTests=false test",
              MINUTES),
          Map.entry("docs/install.md: tools/package", MINUTES),
          Map.entry("docs/install.md: tools/package --test", MINUTES),
          Map.entry("docs/install.md: sudo apt install ./target/dist/murmur_*.deb", ROOT_USER),
          Map.entry("docs/install.md: sudo apt remove murmur", ROOT_USER),
          Map.entry(
              "docs/install.md: tar -xzf target/dist/murmur-*.tar.gz -C ~/.local"
                  + " --strip-components=1",
              PACKAGES),
          Map.entry("docs/install.md: ~/.local/lib/murmur/make-archive", PACKAGES),
          Map.entry("docs/install.md: murmur demo", BY_DEMO_TEST),
          Map.entry("docs/lab.md: ./murmur lab report --small", BY_LAB_TEST),
          Map.entry("docs/lab.md: ./murmur lab report", MINUTES),
          Map.entry("docs/lab.md: ./murmur lab fp --connect 127.0.0.1 --network regtest", MINUTES),
          Map.entry(
              "docs/lab.md: ./murmur --network testnet4 lab probe --csv nodes.csv --share"
                  + " counts.json",
              INTERNET),
          Map.entry(
              "docs/lab.md: parallel --sshlogin a.example,b.example --return {}.json --cleanup"
                  + " 'murmur lab fp --seed 5 --json --shard {}/8 >{}.json' ::: 1 2 3 4 5 6 7 8",
              OTHER_MACHINES),
          Map.entry("docs/lab.md: sbatch --wait shards.sbatch", SLURM),
          Map.entry("docs/lab.md: kubectl apply -f shards.json", KUBERNETES),
          Map.entry(
              "docs/lab.md: kubectl wait --for=condition=complete --timeout=24h job/murmur-fp",
              KUBERNETES),
          Map.entry("docs/library.md: mvn -q install -Dquick -DskipTests", MINUTES),
          Map.entry(
              "docs/library.md: mvn -q deploy -Dquick -DskipTests"
                  + " -pl .,bom,bip37,p2p,coins,wallet,android,kotlin,regtest"
                  + " -DaltDeploymentRepository=shared::file:///shared/maven",
              MINUTES),
          Map.entry(
              "docs/library.md: mvn -q compile javadoc:aggregate -Dquick -pl"
                  + " .,bip37,p2p,coins,wallet",
              MINUTES),
          Map.entry(
              "docs/psbt.md: bitcoin-cli walletprocesspsbt \"$(cat payment.psbt)\" | jq -r .psbt"
                  + " > theirs.psbt",
              ANOTHER_SIGNER));

  /** Studies that take minutes in their usual size, and seconds with {@code --small}. */
  private static final List<String> SMALL = List.of("./murmur lab bandwidth");

  /** Samples of output that no test compares, each with the reason. */
  private static final Map<String, String> NOT_COMPARED = Map.of(CONNECTING, INTERNET);

  /** The beginning of the README's sample that docs/first-sync.md makes. */
  private static final String OF_FIRST_SYNC = "complete at height";

  /** Which command prints a sample; the sample by its first words, the command by its first. */
  private static final Map<String, String> PRINTED_BY =
      Map.of(
          "elements  target",
          "lab fp --small",
          "estimate ",
          "send " + SOMEBODY + " 0.02 --fee-rate auto");

  /** Words and numbers of the pages that stand for the reader's. */
  private static final Map<String, String> STANDS_FOR = new LinkedHashMap<>();

  static {
    STANDS_FOR.put("\\bTXID:VOUT\\b", "\"\\$COIN\"");
    STANDS_FOR.put("\\bTXID\\b", "\"\\$TXID\"");
    STANDS_FOR.put("\\bADDRESS(?= all)", "\"\\$OTHER\"");
    STANDS_FOR.put("\\bADDRESS\\b", "\"\\$ADDRESS\"");
    STANDS_FOR.put("\\bHEX\\b", "\"\\$HEX\"");
    STANDS_FOR.put("127\\.0\\.0\\.1:9050\\b", "\"\\$PROXY\"");
    STANDS_FOR.put("(?<!/)127\\.0\\.0\\.1(?![:\\d])", "\"\\$A\"");
    STANDS_FOR.put("(?<=connect )(HOST|A|a\\.example)(?=\\s|$)", "\"\\$A\"");
    STANDS_FOR.put("(?<=connect )(B|b\\.example)(?=\\s|$)", "\"\\$B\"");
    STANDS_FOR.put("(?<=seed-node )A(?=\\s|$)", "\"\\$A\"");
    STANDS_FOR.put("(?<=connect )C(?=\\s|$)", "\"\\$C\"");
    STANDS_FOR.put("pg6m…cryd\\.onion", ONION);
    // Regtest has no DNS seeds. No peer is contacted.
    STANDS_FOR.put("\\bsync --dry-run", "--network testnet4 sync --dry-run");
    // The embedded nodes have no unconfirmed payments for which a sync would wait 10 seconds.
    STANDS_FOR.put("\\bsync(?= .*--connect)(?!.*(--dry-run|\\$node))", "sync --mempool-wait 0");
  }

  private static final String NOTHING = "";
  private static final String RESTORED =
      """
      printf '%s' "$WORDS" | ./murmur restore --mnemonic-file -
      """;
  private static final String SYNCED =
      RESTORED
          + """
          ./murmur sync --mempool-wait 0 --connect "$A"
          TXID=$(./murmur history --json | jq -r '.transactions[0].txid')
          COIN=$(./murmur coins --json | jq -r '.coins[0] | "\\(.txid):\\(.vout)"')
          HEX=$(./murmur filter make "$ADDRESS" | sed -n 's/^filterload *//p')
          """;
  private static final String UNSIGNED =
      SYNCED + "./murmur send \"$ADDRESS\" 0.015 --fee-rate 2 --psbt payment.psbt\n";

  /** What happens before a page's commands; otherwise a wallet is restored and synced. */
  private static final Map<String, String> BEFORE =
      Map.of(
          "README.md",
          NOTHING,
          FIRST_SYNC,
          NOTHING,
          SHARDS,
          "parallel() { \"$GNU_PARALLEL\" \"$@\"; }\n",
          "docs/privacy.md",
          SYNCED + "./murmur --network testnet4 create\n",
          "docs/psbt.md",
          UNSIGNED + "./murmur psbt sign payment.psbt >theirs.psbt\n",
          "docs/paying.md",
          SYNCED
              + "./murmur export xpub | ./murmur -w watching watch -\n"
              + "./murmur -w watching sync --mempool-wait 0 --connect \"$A\"\n");

  /** Pages whose blocks are about different wallets: each begins in a fresh folder. */
  private static final Set<String> ALONE = Set.of("docs/paying.md", "docs/privacy.md", CONNECTING);

  /** Programs that no test runs: such a command is listed, with its reason. */
  private static final Pattern NEVER =
      Pattern.compile(
          "\\b(sudo|apt|apt-get|dpkg|mvn|curl|wget|ssh|docker|kubectl|sbatch)\\b|tools/package"
              + "|bench/run|\\./check");

  @TempDir
  @SuppressWarnings("NullAway") // JUnit sets it
  private static Path folder;

  @SuppressWarnings("NullAway") // set before all tests
  private static PageShell shell;

  @BeforeAll
  static void start() throws IOException {
    shell = new PageShell(folder);
  }

  @AfterAll
  static void stop() {
    shell.close();
  }

  private static List<FencedBlock> blocks(String page) throws IOException {
    return FencedBlock.of(page, Files.readAllLines(ROOT.resolve(page)));
  }

  private static List<String> pages() throws IOException {
    return FencedBlock.pages(ROOT).stream().map(p -> ROOT.relativize(p).toString()).toList();
  }

  /** Pages with commands, without those that need other programs. */
  static List<String> runnable() throws IOException {
    List<String> runnable = new ArrayList<>();
    for (String page : pages()) {
      if (!page.equals(FIRST_SYNC) && !commands(page).isEmpty()) {
        runnable.add(page);
      }
    }
    return runnable;
  }

  /** Whether a block is one of {@link #SHARDS}. */
  private static boolean isShards(FencedBlock block) {
    return block.page().equals(LAB)
        && block.lines().stream().anyMatch(line -> line.contains("shard"));
  }

  /** The commands of a page that are run: of each block, or of all blocks together. */
  private static List<List<String>> commands(String page) throws IOException {
    boolean shards = page.equals(SHARDS);
    List<List<String>> commands = new ArrayList<>();
    for (FencedBlock block : blocks(shards ? LAB : page)) {
      if (block.language().equals("sh") && isShards(block) == shards) {
        List<String> ofBlock =
            block.statements().stream()
                .filter(command -> !NOT_RUN.containsKey(block.page() + ": " + command))
                .map(command -> SMALL.contains(command) ? command + " --small" : command)
                .toList();
        if (!ofBlock.isEmpty()) {
          commands.add(ofBlock);
        }
      }
    }
    boolean alone = ALONE.contains(page) || commands.isEmpty();
    return alone ? commands : List.of(commands.stream().flatMap(List::stream).toList());
  }

  private static String script(String page, List<String> commands) {
    StringBuilder script = new StringBuilder("set -euo pipefail\n");
    script.append(BEFORE.getOrDefault(page, SYNCED));
    for (String command : commands) {
      assertThat(command).as("a command of %s to be listed", page).doesNotContainPattern(NEVER);
      String runs = command;
      for (Map.Entry<String, String> word : STANDS_FOR.entrySet()) {
        runs = runs.replaceAll(word.getKey(), word.getValue());
      }
      script.append(runs).append('\n');
    }
    return script.toString();
  }

  /** Every command ends with exit code 0, also one whose output another one reads. */
  private static PageShell.Result run(
      String page, List<String> commands, Map<String, String> environment) throws Exception {
    String script = script(page, commands);
    PageShell.Result result = shell.run(script, environment);
    String all = "script:\n" + script + "printed:\n" + result.printed();
    for (MurmurServer.Call call : result.calls()) {
      int code = call.ran().code();
      boolean interrupted =
          call.args().contains("--follow") && code == ExitCode.INTERRUPTED.number();
      assertThat(code == 0 || interrupted)
          .as("exit code %s of murmur %s\n%s\n%s", code, call.args(), call.ran().err(), all)
          .isTrue();
    }
    assertThat(result.code()).as(all).isZero();
    return result;
  }

  /** Each script has nodes of its own: what another one sent is not in their memory pools. */
  private static List<MurmurServer.Call> withNodes(String page, List<String> commands)
      throws Exception {
    try (RegtestNode a = RegtestNode.start(Lived.CHAIN.copy());
        RegtestNode b =
            RegtestNode.start(Lived.CHAIN.copy(), Behaviour.honest().withCompactFilters());
        RegtestNode c = RegtestNode.start(Lived.CHAIN.copy());
        SocksProxy proxy = SocksProxy.start(Map.of("node.example", a.port(), ONION, b.port()))) {
      Map<String, String> environment =
          Map.of(
              "A", a.address(),
              "B", b.address(),
              "C", c.address(),
              "PROXY", proxy.address(),
              "WORDS", DemoWallet.WORDS,
              "ADDRESS", SOMEBODY,
              "OTHER", SOMEBODY_ELSE);
      return run(page, commands, environment).calls();
    }
  }

  @ParameterizedTest
  @MethodSource("runnable")
  void runs(String page) throws Exception {
    List<MurmurServer.Call> calls = new ArrayList<>();
    for (List<String> commands : commands(page)) {
      calls.addAll(withNodes(page, commands));
    }
    assertThat(calls).isNotEmpty();
    for (FencedBlock sample : samples(page)) {
      if (!sample.lines().get(0).startsWith(OF_FIRST_SYNC)) {
        compare(sample, calls);
      }
    }
  }

  /** The recipe needs ports, and leaves no process and no folder behind. */
  @Test
  @Tag("real-node")
  void runsTheFirstSync() throws Exception {
    PageShell.Result result =
        run(FIRST_SYNC, commands(FIRST_SYNC).get(0), Map.of("MURMUR_CACHE", cache()));
    FencedBlock sample =
        samples("README.md").stream()
            .filter(block -> block.lines().get(0).startsWith(OF_FIRST_SYNC))
            .findFirst()
            .orElseThrow();
    assertThat(masked(printedBy("sync --connect", "", result.calls())))
        .isEqualTo(masked(sample.lines()));
    assertThat(result.left()).isEmpty();
  }

  /** By GNU parallel, as a task of Slurm and as pods of Kubernetes: the same bytes. */
  @Test
  @Tag("real-node")
  void runsTheShards() throws Exception {
    PageShell.Result result =
        run(
            SHARDS,
            commands(SHARDS).get(0),
            Map.of(
                "GNU_PARALLEL", parallel(),
                "SLURM_ARRAY_TASK_ID", "2",
                "SLURM_ARRAY_TASK_COUNT", "4",
                "SLURM_CPUS_PER_TASK", "1"));
    List<String> merged = printedBy("lab merge", "--json", result.calls());
    assertThat(merged).isEqualTo(printedBy("lab fp", "--seed 5 --json", result.calls()));

    FencedBlock manifest =
        blocks(LAB).stream()
            .filter(block -> block.language().equals("json"))
            .findFirst()
            .orElseThrow();
    JsonNode job = new ObjectMapper().readTree(String.join("\n", manifest.lines()));
    assertThat(job.at("/kind").asText()).isEqualTo("Job");
    assertThat(job.at("/spec/completionMode").asText()).isEqualTo("Indexed");
    JsonNode container = job.at("/spec/template/spec/containers/0");
    StringBuilder script = new StringBuilder("set -euo pipefail\n");
    for (int index = 0; index < job.at("/spec/completions").asInt(); index++) {
      script.append("export JOB_COMPLETION_INDEX=").append(index).append('\n');
      for (String part : List.of("/command/0", "/command/1", "/args/0")) {
        script.append(" '").append(container.at(part).asText()).append('\'');
      }
      script.append('\n');
    }
    script.append("murmur lab merge shards/*.json --json\n");
    PageShell.Result pods = shell.run(script.toString(), Map.of());
    assertThat(pods.code()).as(pods.printed()).isZero();
    assertThat(printedBy("lab merge", "--json", pods.calls())).isEqualTo(merged);
  }

  /** The path of GNU parallel, which tools/parallel fetches if there is none. */
  private static String parallel() throws IOException, InterruptedException {
    Process tool =
        new ProcessBuilder(ROOT.resolve("tools/parallel").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String path = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(tool.waitFor()).as("exit code of tools/parallel").isZero();
    return path;
  }

  /** Where tools/bitcoind keeps what it downloaded; HOME is another folder in the shell. */
  private static String cache() {
    String home = System.getProperty("user.home");
    return System.getenv().getOrDefault("MURMUR_CACHE", home + "/.cache/murmur");
  }

  /** What the pages say that commands print. */
  private static List<FencedBlock> samples(String page) throws IOException {
    return blocks(page).stream()
        .filter(block -> block.language().isEmpty() && !NOT_COMPARED.containsKey(page))
        .toList();
  }

  /** Every line of a sample is the beginning of a printed one, in the same order. */
  private static void compare(FencedBlock sample, List<MurmurServer.Call> calls) {
    String first = sample.lines().get(0);
    String command =
        PRINTED_BY.entrySet().stream()
            .filter(entry -> first.startsWith(entry.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no command for the sample at " + sample));
    List<String> printed = masked(shownBy(command, calls));
    int at = 0;
    for (String line : masked(sample.lines())) {
      while (at < printed.size() && !printed.get(at).startsWith(line)) {
        at++;
      }
      assertThat(at).as("%s: '%s' in %s", sample, line, printed).isLessThan(printed.size());
    }
  }

  /** The first command whose arguments begin and end like this. */
  private static Ran ranBy(String args, String last, List<MurmurServer.Call> calls) {
    return calls.stream()
        .filter(call -> call.args().startsWith(args) && call.args().endsWith(last))
        .findFirst()
        .orElseThrow(() -> new AssertionError("did not run: " + args))
        .ran();
  }

  private static List<String> printedBy(String args, String last, List<MurmurServer.Call> calls) {
    return ranBy(args, last, calls).out().lines().toList();
  }

  /** What a person sees on a terminal: the plan of a payment is on stderr, before the wait. */
  private static List<String> shownBy(String args, List<MurmurServer.Call> calls) {
    Ran ran = ranBy(args, "", calls);
    return Stream.concat(ran.err().lines(), ran.out().lines()).toList();
  }

  /** Without what differs from run to run: hashes, ports, versions, bytes, times. */
  private static List<String> masked(List<String> lines) {
    List<String> masked = new ArrayList<>();
    for (String line : lines) {
      String same = line.replaceAll("\\b[0-9a-f]{64}\\b", "HASH");
      if (line.matches("(traffic|peer|estimate) .*")) {
        same =
            same.replaceAll("/\\S+/", "/VERSION/")
                .replaceAll("\\d+(\\.\\d+)?(?! (blocks|false))", "N")
                .replaceAll("N(, N)+", "N")
                .replaceAll("\\d+ blocks paid", "N blocks paid");
      }
      masked.add(same);
    }
    return masked;
  }

  /** A command that is not run has to exist, with its options. */
  @Test
  void whatIsListedExists() throws IOException {
    Set<String> listed = new TreeSet<>(NOT_RUN.keySet());
    Set<String> small = new TreeSet<>(SMALL);
    Set<String> notCompared = new TreeSet<>(NOT_COMPARED.keySet());
    for (String page : pages()) {
      for (FencedBlock block : blocks(page)) {
        if (block.language().equals("sh")) {
          block.statements().forEach(command -> listed.remove(page + ": " + command));
          small.removeAll(block.statements());
        } else if (block.language().isEmpty()) {
          notCompared.remove(page);
        }
      }
    }
    assertThat(listed).as("listed, and in no page").isEmpty();
    assertThat(small).as("listed, and in no page").isEmpty();
    assertThat(notCompared).as("listed, and without a sample").isEmpty();
    for (String entry : NOT_RUN.keySet()) {
      String command = entry.substring(entry.indexOf(": ") + 2);
      String[] words = command.split(" ", -1);
      if (words[0].matches("(\\./)?murmur")) {
        Ran.parses(Arrays.copyOfRange(words, 1, words.length));
      } else if (words[0].startsWith("tools/")) {
        assertThat(ROOT.resolve(words[0])).isExecutable();
      }
    }
  }

  /** Commands stand in blocks that this test sees. */
  @Test
  void noCommandsStandElsewhere() throws IOException {
    Pattern command =
        Pattern.compile("^    (\\./murmur|murmur|mvn|sudo|tar|bitcoin-cli|tools/\\S+|bench/run) ");
    for (String page : pages()) {
      List<String> text = new ArrayList<>(Files.readAllLines(ROOT.resolve(page)));
      for (FencedBlock block : blocks(page)) {
        assertThat(block.language())
            .as(block.toString())
            .isIn("sh", "", "java", "kotlin", "xml", "json");
        for (int i = 0; i < block.lines().size(); i++) {
          text.set(block.line() - 1 + i, "");
        }
      }
      assertThat(text).as(page).noneMatch(line -> command.matcher(line).find());
    }
  }
}
