package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Words are the wallet only with the usual options; what is said of them is true. */
class WordsAndMoreTest extends RestoredWallet {

  /** Every option of a wallet of words, and a value that makes another wallet; empty for none. */
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("--scripts", "bip86,bip44"),
          Map.entry("--account", "5"),
          Map.entry("--passphrase-file", "PASSPHRASE"),
          Map.entry("--gap", "77"),
          // A faster start, the first sync's work, and the form in the file.
          Map.entry("--birthday", ""),
          Map.entry("--from-genesis", ""),
          Map.entry("--look-ahead", ""),
          Map.entry("--password-file", ""),
          Map.entry("--mnemonic-file", ""),
          Map.entry("--words", ""));

  /** Whoever adds an option says whether the words alone are still the wallet. */
  @Test
  void theOptionsAreThese() {
    TreeSet<String> found = new TreeSet<>();
    for (String command : new String[] {"create", "restore"}) {
      CommandSpec spec = CommandTree.below(InstalledTexts.root()).get(command);
      for (OptionSpec option : Objects.requireNonNull(spec).options()) {
        if (!option.inherited() && !option.usageHelp()) {
          found.add(option.longestName());
        }
      }
    }
    assertThat(found).isEqualTo(new TreeSet<>(OPTIONS.keySet()));
  }

  private Path passphrase() throws IOException {
    return Files.writeString(datadir.resolve("passphrase"), "caf\u00e9");
  }

  private String[] words(String line) throws IOException {
    String passphrase = passphrase().toString();
    return Arrays.stream(line.split(" ", -1))
        .map(word -> word.equals("PASSPHRASE") || word.equals("FILE") ? passphrase : word)
        .toArray(String[]::new);
  }

  /** The command that is said to restore a wallet makes it of its words. */
  @Test
  void theRestoreCommandIsRight() throws IOException {
    List<String> lines = new ArrayList<>(List.of("create", "create --words 24"));
    OPTIONS.forEach(
        (option, value) -> {
          if (!value.isEmpty()) {
            String command = option.equals("--gap") ? "restore --mnemonic-file WORDS" : "create";
            lines.add(command + " " + option + " " + value);
          }
        });
    lines.add("create --scripts bip49 --account 7 --passphrase-file PASSPHRASE");
    int number = 0;
    for (String line : lines) {
      String name = "w" + number++;
      String made = line.replace("WORDS", datadir.resolve("words.txt").toString());
      JsonNode wallet = murmur(words("-w " + name + " --json " + made)).exits(ExitCode.DONE).json();
      JsonNode exported = murmur("-w", name, "export", "mnemonic", "--json").json();
      assertThat(exported.get("restore")).as(line).isEqualTo(wallet.get("restore"));
      Path backup = datadir.resolve("backup");
      Files.writeString(backup, exported.get("mnemonic").asText());
      String restore = wallet.get("restore").asText().replaceFirst("^murmur ", "");
      JsonNode again =
          murmur(words("-w " + name + "b --json " + restore + " --mnemonic-file " + backup))
              .exits(ExitCode.DONE)
              .json();
      for (String field : new String[] {"descriptors", "gap", "address", "passphrase_used"}) {
        assertThat(again.get(field)).as(line + ", " + field).isEqualTo(wallet.get(field));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "create, true",
    "create --words 24, true",
    "create --scripts bip86, false",
    "'create --scripts bip84,bip86', false",
    "create --account 5, false",
    "create --passphrase-file PASSPHRASE, false"
  })
  void wordsAreTheWalletOnlyIfTheyAre(String line, boolean alone) throws IOException {
    String out = murmur(words("-w x " + line)).exits(ExitCode.DONE).out();
    assertThat(out.contains(" words are the wallet")).isEqualTo(alone);
    assertThat(out.contains("murmur --network regtest restore --")).isEqualTo(!alone);
    boolean passphrase = line.contains("passphrase");
    assertThat(out.contains("words and the passphrase are the wallet")).isEqualTo(passphrase);
    assertThat(out.contains("Anybody who has them can spend")).isEqualTo(alone);
    Ran exported = murmur("-w", "x", "export", "mnemonic").exits(ExitCode.DONE);
    assertThat(exported.out().lines()).hasSize(1);
    assertThat(exported.err().contains("restore --")).isEqualTo(!alone);
    Ran deleted = here().typing("no").murmur("wallets", "delete", "x");
    assertThat(deleted.err()).contains("murmur --network regtest restore");
    assertThat(deleted.err().contains("--passphrase-file")).isEqualTo(passphrase);
  }

  @Test
  void anEmptyRestoreSaysWhatElseToTry() {
    try (RegtestNode node = RegtestNode.start(lived().chain().copy())) {
      String words = datadir.resolve("words.txt").toString();
      murmur("-w", "x", "restore", "--mnemonic-file", words, "--account", "9").exits(ExitCode.DONE);
      Ran ran = murmur("-w", "x", "sync", "--connect", node.address(), "--mempool-wait", "0");
      assertThat(ran.exits(ExitCode.DONE).err())
          .contains(
              "no payment was found",
              "--scripts bip44,bip49,bip86",
              "--account 0",
              "--passphrase-file FILE",
              "--gap 100")
          .doesNotContain("--birthday");
      Ran json = murmur("-w", "x", "sync", "--connect", node.address(), "--json");
      assertThat(json.json().get("try_also")).hasSize(4);
      // Each is an option that restore takes.
      for (JsonNode option : json.json().get("try_also")) {
        String other = option.asText().replace("FILE", words).replace(",bip86", "");
        List<String> line = new ArrayList<>(List.of("-w", other.replaceAll("\\W", "")));
        line.addAll(List.of("restore", "--mnemonic-file", words));
        line.addAll(List.of(other.split(" ", -1)));
        murmur(line.toArray(String[]::new)).exits(ExitCode.DONE);
      }
      Ran full = murmur("sync", "--connect", node.address(), "--mempool-wait", "0");
      assertThat(full.exits(ExitCode.DONE).err()).doesNotContain("no payment was found");
      // An xpub that was never used: its words, account and passphrase are not here.
      String key = murmur("-w", "x", "export", "xpub").out().strip();
      murmur("-w", "y", "watch", key, "--birthday", "50").exits(ExitCode.DONE);
      Ran watched = murmur("-w", "y", "sync", "--connect", node.address(), "--json");
      assertThat(watched.json().get("try_also").toString())
          .contains("--gap", "--birthday")
          .doesNotContain("--account", "passphrase");
    }
  }

  /** A wallet that was made today has no past to be looked for. */
  @Test
  void aNewWalletHasNoPast() throws Exception {
    String[] create = {"--network", "testnet4", "create", "--json"};
    String file = Ran.with().datadir(datadir).murmur(create).json().get("file").asText();
    try (SpvWallet wallet = SpvWallet.open(Path.of(file))) {
      assertThat(wallet.info().origin().others()).isEmpty();
    }
    String words = datadir.resolve("words.txt").toString();
    String[] restore = {
      "--network", "testnet4", "-w", "x", "restore", "--mnemonic-file", words, "--json"
    };
    String old = Ran.with().datadir(datadir).murmur(restore).json().get("file").asText();
    try (SpvWallet wallet = SpvWallet.open(Path.of(old))) {
      assertThat(wallet.info().origin().others()).isNotEmpty();
    }
  }
}
