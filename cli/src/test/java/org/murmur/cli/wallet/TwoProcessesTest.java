package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.Spawned;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;

/** Several processes at one wallet: one writes, a second gets an error, all may read. */
class TwoProcessesTest {

  private static final BuiltChain BUILT = DemoWallet.chain(14, 220, 4);

  @TempDir Path folder = Path.of("");

  private Path words = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    words = Files.writeString(folder.resolve("words.txt"), DemoWallet.WORDS);
  }

  private Ran.With here() {
    return Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest");
  }

  private static void isLocked(Ran ran) {
    JsonNode error = ran.exits(ExitCode.FAILED).json().get("error");
    assertThat(error.get("kind").asText()).isEqualTo("wallet_locked");
    assertThat(error.get("message").asText())
        .contains("default.sqlite", "never ends by itself")
        .containsPattern(
            "in use by another process"
                + (Files.exists(Path.of("/proc/self")) ? " \\(\\d+\\); " : "; "));
  }

  @Test
  void oneFollowsTheOthersRead() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
      try (Spawned following =
          Spawned.on(folder).start("sync", "--follow", "--connect", node.address(), "--jsonl")) {
        assertThat(following.awaitLine(line -> line.contains("\"complete\""))).isTrue();
        isLocked(here().murmur("sync", "--connect", node.address(), "--json"));
        isLocked(here().murmur("rescan", "--from", "0", "--connect", node.address(), "--json"));
        isLocked(here().murmur("address", "--new", "--json"));
        int height = 0;
        for (int i = 0; i < 40; i++) {
          node.mine(5);
          JsonNode balance = here().murmur("balance", "--json").exits(ExitCode.DONE).json();
          assertThat(balance.get("as_of").get("height").asInt()).isGreaterThanOrEqualTo(height);
          height = balance.get("as_of").get("height").asInt();
          for (String question : List.of("history", "coins", "status", "peers", "address")) {
            here().murmur(question).exits(ExitCode.DONE);
          }
        }
        assertThat(following.awaitLine(line -> line.contains("\"height\":" + node.height() + ",")))
            .isTrue();
        following.kill();
      }
      // The lock died with its holder.
      JsonNode sync =
          here().murmur("sync", "--connect", node.address(), "--json").exits(ExitCode.DONE).json();
      assertThat(sync.get("height").asInt()).isEqualTo(node.height());
      assertThat(sync.get("transactions").asInt()).isEqualTo(BUILT.truth().transactions().size());
    }
  }

  /**
   * The log of a killed process is replayed by whoever comes first; the others wait or are told.
   */
  @Test
  void manyThatComeAtOnceAreNotToldOfDamage() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
      try (Spawned following =
          Spawned.on(folder).start("sync", "--follow", "--connect", node.address(), "--jsonl")) {
        assertThat(following.awaitLine(line -> line.contains("\"complete\""))).isTrue();
        node.mine(3);
        following.kill();
      }
      String all = "for each in 1 2 3 4 5 6; do \"$@\" & done; wait";
      for (String[] asked : new String[][] {{"address", "--new"}, {"balance"}}) {
        Ran ran = Spawned.on(folder).around(List.of("bash", "-c", all, "-")).murmur(asked);
        assertThat(ran.out() + ran.err())
            .as(asked[0])
            .doesNotContain("damaged", "no wallet of this program", "failed");
        assertThat(ran.out()).as(asked[0]).isNotEmpty();
      }
    }
  }

  /** Two names of one file are one wallet, or none: locks, and SQLite's log, would be two. */
  @Test
  void twoNamesOfOneFileAreOneWallet() throws IOException {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
      Path file = folder.resolve("regtest/default.sqlite");
      Files.createSymbolicLink(file.resolveSibling("link.sqlite"), Path.of("default.sqlite"));
      Path elsewhere = Files.createDirectories(folder.resolve("elsewhere/regtest"));
      Files.createSymbolicLink(elsewhere.resolve("far.sqlite"), file);
      try (Spawned following =
          Spawned.on(folder).start("sync", "--follow", "--connect", node.address(), "--jsonl")) {
        assertThat(following.awaitLine(line -> line.contains("\"complete\""))).isTrue();
        isLocked(here().murmur("-w", "link", "address", "--new", "--json"));
        isLocked(here().murmur("-w", "link", "sync", "--connect", node.address(), "--json"));
        Ran.With there = here().datadir(folder.resolve("elsewhere"));
        isLocked(there.murmur("-w", "far", "address", "--new", "--json"));
        there.murmur("-w", "far", "balance").exits(ExitCode.DONE);
        Files.createLink(file.resolveSibling("hard.sqlite"), file);
        hasSeveralNames(here().murmur("-w", "hard", "address", "--new", "--json"));
        hasSeveralNames(here().murmur("-w", "hard", "balance", "--json"));
        following.kill();
      }
      hasSeveralNames(here().murmur("address", "--new", "--json"));
      Files.delete(file.resolveSibling("hard.sqlite"));
      try (Spawned following =
          Spawned.on(folder)
              .start("-w", "link", "sync", "--follow", "--connect", node.address(), "--jsonl")) {
        assertThat(following.awaitLine(line -> line.contains("\"complete\""))).isTrue();
        isLocked(here().murmur("address", "--new", "--json"));
      }
    }
  }

  private static void hasSeveralNames(Ran ran) {
    JsonNode error = ran.exits(ExitCode.FAILED).json().get("error");
    assertThat(error.get("kind").asText()).isEqualTo("several_names");
    assertThat(error.get("message").asText())
        .contains("2 hard links", "-samefile", "cp ", ".sqlite");
  }

  @Test
  void manyAtOnceMakeOneWalletAndSyncItOnce() {
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      List<Ran> made = atOnce("restore", "--mnemonic-file", words.toString(), "--json");
      assertThat(made).filteredOn(ran -> ran.code() == 0).hasSize(1);
      assertThat(made)
          .filteredOn(ran -> ran.code() != 0)
          .allMatch(
              ran ->
                  List.of("wallet_exists", "wallet_locked")
                      .contains(ran.json().get("error").get("kind").asText()));
      List<Ran> synced = atOnce("sync", "--connect", node.address(), "--json");
      assertThat(synced).filteredOn(ran -> ran.code() == 0).isNotEmpty();
      synced.stream().filter(ran -> ran.code() != 0).forEach(TwoProcessesTest::isLocked);
      JsonNode balance = here().murmur("balance", "--json").exits(ExitCode.DONE).json();
      assertThat(balance.get("as_of").get("complete").asBoolean()).isTrue();
      assertThat(balance.get("confirmed_sat").asLong() + balance.get("immature_sat").asLong())
          .isEqualTo(BUILT.truth().coins().stream().mapToLong(coin -> coin.value()).sum());
    }
  }

  private List<Ran> atOnce(String... arguments) {
    List<Spawned> running = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      running.add(Spawned.on(folder).start(arguments));
    }
    return running.stream().map(Spawned::ran).toList();
  }
}
