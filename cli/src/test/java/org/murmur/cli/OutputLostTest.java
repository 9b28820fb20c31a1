package org.murmur.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What is printed and does not arrive, of every command; and what programs read of it, in the C
 * locale. No class but one writes on stdout, and it is checked where all commands end.
 */
class OutputLostTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
  private static final String LOST = "what was printed did not all arrive";
  private static final String LABEL = "Caf\u00e9 \u2026 \u20ac \ud83d\ude00";

  private final Map<String, String> names = new HashMap<>();

  /** A line for each command; of a long study its help, which ends in the same place. */
  private static final List<String> LINES =
      List.of(
          "help sync",
          "completion bash",
          "man",
          "demo --blocks 150 --txs 5",
          "node --port 0 --blocks 1",
          "filter make $PAYEE",
          "filter size --elements 100 --fp 0.001",
          "filter decode $FILTER",
          "filter test $FILTER 99108ad8ed9bb6274d3980bab5a85c048f0950c8",
          "filter match $FILTER --tx $RAW",
          "lab fp --small --trials=2 --queries=2000 --stream-blocks=1 --served-blocks=2 --out $DIR",
          "lab merge $DIR/fp.json",
          "lab report $DIR/fp.json --out $DIR",
          "lab bandwidth --help",
          "lab families --help",
          "lab privacy --help",
          "lab simulate --worlds 1",
          "lab probe --connect $NODE",
          "create -w a",
          "restore -w b --mnemonic-file $WORDS",
          "watch -w c $PAYEE",
          "export mnemonic",
          "sync --connect $NODE --mempool-wait 0",
          "rescan --from 100 --connect $NODE --mempool-wait 0",
          "address",
          "balance",
          "history",
          "coins",
          "tx $TX",
          "label",
          "freeze $COIN",
          "unfreeze $COIN",
          "why $TX",
          "status",
          "peers",
          "privacy",
          "wallets",
          "proof show $CONFIRMED",
          "proof verify $PROOF",
          "psbt show $PSBT",
          "psbt sign $PSBT --yes --again",
          "psbt combine $PSBT",
          "psbt finalize $PSBT",
          "message sign $ADDRESS text",
          "message verify $ADDRESS AAAA text",
          "send $PAYEE 0.001 --again --fee-rate 2 --dry-run --connect $NODE",
          "bump $TX --fee-rate 50 --dry-run --connect $NODE",
          "cancel $TX --fee-rate 50 --dry-run --connect $NODE",
          "broadcast $TX --connect $NODE",
          "abandon $UNSENT",
          "passwd --new-password-file $WORDS",
          "wallets rename default default2",
          "wallets delete default2 --yes");

  @Test
  void theCommandsAreThese() {
    Set<String> found = new TreeSet<>();
    find("", InstalledTexts.root(), found);
    assertThat(found.stream().filter(path -> lines(path) != 1)).isEmpty();
    assertThat(LINES).hasSameSizeAs(found);
  }

  private static long lines(String path) {
    return LINES.stream()
        .filter(line -> (line + " ").startsWith(path + " "))
        // `wallets` is a command, and others are below it.
        .filter(line -> !path.equals("wallets") || line.equals("wallets"))
        .count();
  }

  private static void find(String path, CommandSpec spec, Set<String> found) {
    if (CommandTree.below(spec).isEmpty() || path.equals("wallets")) {
      found.add(path);
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  /** Coins, a pending payment, an unsigned one, and what commands read. */
  private void live(RegtestNode node) throws IOException {
    murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
    names.put("$NODE", node.address());
    names.put("$DIR", Files.createDirectories(datadir.resolve("lab")).toString());
    names.put("$WORDS", datadir.resolve("words.txt").toString());
    names.put("$PAYEE", PAYEE);
    names.put("$FILTER", "03614e9b050000000000000001");
    String[] send = {"send", PAYEE, "0.002", "--fee-rate", "2", "--connect", node.address()};
    Path psbt = datadir.resolve("x.psbt");
    murmur(with(send, "--psbt", psbt.toString())).exits(ExitCode.DONE);
    names.put("$PSBT", psbt.toString());
    JsonNode history = murmur("history", "--json").json().get("transactions");
    String confirmed = history.get(0).get("txid").asText();
    names.put("$CONFIRMED", confirmed);
    names.put("$PROOF", murmur("proof", "show", confirmed).out().strip());
    murmur("label", confirmed, LABEL).exits(ExitCode.DONE);
    JsonNode sent = murmur(with(send, "--yes", "--json", "--again")).exits(ExitCode.DONE).json();
    names.put("$TX", sent.get("txid").asText());
    String[] sign = {"send", PAYEE, "0.003", "--fee-rate", "2", "--offline", "--yes", "--json"};
    names.put("$UNSENT", murmur(sign).exits(ExitCode.DONE).json().get("txid").asText());
    names.put("$RAW", sent.get("hex").asText());
    names.put("$ADDRESS", murmur("address", "--json").json().get("address").asText());
    JsonNode coin = murmur("coins", "--json").json().get("coins").get(0);
    names.put("$COIN", coin.get("txid").asText() + ":" + coin.get("vout").asInt());
  }

  private static String[] with(String[] words, String... more) {
    String[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return all;
  }

  private String[] words(String line) {
    return Arrays.stream(line.split(" ", -1))
        .map(
            word -> {
              String named = word;
              for (Map.Entry<String, String> each : names.entrySet()) {
                named = named.replace(each.getKey(), each.getValue());
              }
              return named;
            })
        .toArray(String[]::new);
  }

  @Test
  void noCommandSucceedsIfItsOutputIsLost() throws IOException {
    try (RegtestNode node = node()) {
      live(node);
      for (String line : LINES) {
        boolean stays = line.startsWith("node");
        Ran.With full = stays ? here().full().interrupting() : here().full();
        Ran ran = full.murmur(words(line));
        assertThat(ran.exits(ExitCode.FAILED).err()).as(line).contains(LOST);
        if (!line.startsWith("wallets ") && !stays && !line.startsWith("demo")) {
          Ran json = here().full().murmur(with(words(line.replace("-w ", "-w j")), "--json"));
          assertThat(json.exits(ExitCode.FAILED).err()).as(line + " --json").contains(LOST);
        }
      }
    }
  }

  /** The cause of a failed command is not lost with its JSON. */
  @Test
  void anErrorIsSaidSomewhere() {
    Ran ran = here().full().murmur("tx", "00", "--json");
    assertThat(ran.exits(ExitCode.FAILED).err()).contains("00", LOST).doesNotContain("repeat");
  }

  @Test
  void whatProgramsReadIsUtf8InTheCLocale() throws IOException {
    try (RegtestNode node = node()) {
      live(node);
    }
    for (String line :
        List.of("history --csv", "label export -", "history --json", "label --jsonl")) {
      Ran ran = here().charset(StandardCharsets.US_ASCII).murmur(words(line));
      String out = ran.exits(ExitCode.DONE).out();
      boolean ascii = out.chars().allMatch(c -> c < 0x80);
      assertThat(out).as(line).contains(ascii ? "Caf\\u00e9" : LABEL);
    }
    for (String line : List.of("status --html -", "completion fish", "man")) {
      String utf8 = here().murmur(words(line)).exits(ExitCode.DONE).out();
      String out = here().charset(StandardCharsets.US_ASCII).murmur(words(line)).out();
      // A page has the time in it.
      assertThat(out.replaceAll("[0-9]", "")).as(line).isEqualTo(utf8.replaceAll("[0-9]", ""));
    }
  }

  /** So every command comes to the check at the end, and none prints CSV as a text. */
  @Test
  void nothingElseWritesOnStdout() {
    writers().check(MainCode.of("org.murmur.cli"));
  }

  private static ArchRule writers() {
    return noClasses()
        .that()
        .doNotBelongToAnyOf(Output.class, Surroundings.class, Murmur.class, InstalledTexts.class)
        .should()
        .accessTargetWhere(
            new DescribedPredicate<JavaAccess<?>>("writes on stdout") {
              @Override
              public boolean test(JavaAccess<?> access) {
                String owner = access.getTargetOwner().getName();
                String name = access.getTarget().getName();
                return (owner.equals(Surroundings.class.getName()) && name.equals("stdout"))
                    || (owner.equals(System.class.getName()) && name.equals("out"));
              }
            });
  }

  /** A new command that prints by itself. */
  static final class NewDoor extends Action {
    @Override
    protected ExitCode run() {
      surroundings().stdout().println("text");
      return ExitCode.DONE;
    }
  }

  @Test
  void aNewDoorIsFound() {
    assertThat(
            writers().evaluate(new ClassFileImporter().importClasses(NewDoor.class)).hasViolation())
        .isTrue();
  }

  /** The real stdout, on a device that is always full. */
  @Test
  void aFullDiskEndsWith1AndSaysWhy() throws IOException {
    try (RegtestNode node = node()) {
      live(node);
    }
    for (String line :
        List.of(
            "create -w full",
            "export mnemonic",
            "label export -",
            "psbt sign $PSBT --yes --again",
            "history --csv",
            "--version",
            "history --json")) {
      // Not given again as JSON: nothing would arrive.
      Ran ran;
      try (Spawned spawned =
          Spawned.on(datadir)
              .around(List.of("bash", "-c", "exec \"$@\" >/dev/full", "-"))
              .start(words(line))) {
        ran = spawned.ran();
      }
      assertThat(ran.exits(ExitCode.FAILED).err())
          .as(line)
          .contains(LOST + " (No space left on device)");
      if (line.startsWith("create")) {
        assertThat(ran.err()).contains("murmur export mnemonic");
      }
    }
  }

  /** `sync --follow --jsonl | head -1`, without a block or payment that would be written. */
  @Test
  void aFollowerEndsWhenItsReaderHasGone() {
    try (RegtestNode node = node()) {
      String head = "\"$@\" | head -n 1; exit ${PIPESTATUS[0]}";
      Ran ran =
          Spawned.on(datadir)
              .around(List.of("bash", "-c", head, "-"))
              .murmur("sync", "--follow", "--jsonl", "--connect", node.address());
      assertThat(ran.exits(ExitCode.FAILED).err()).contains(LOST + " (Broken pipe)");
      assertThat(ran.out().lines()).hasSize(1);
      // It kept what it had, and let the wallet go.
      assertThat(
              murmur("balance", "--json")
                  .exits(ExitCode.DONE)
                  .json()
                  .at("/as_of/complete")
                  .asBoolean())
          .isTrue();
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
    }
  }
}
