package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.node.Behaviour;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The sentences of each command: {@code texts/COMMAND.txt} is its {@link Transcript}, which begins
 * with a synced wallet, {@code default}, and one that never was, {@code new}. With {@code
 * -Dmurmur.transcripts=write} the files are written anew, so that a change of wording is a diff to
 * read.
 */
class TranscriptsTest {

  private static final Path TEXTS = Path.of("src/test/resources/texts");

  /** A loopback address of its own, so that its port is free again for the next transcript. */
  private static final String HOST = "127.57.0.1";

  private static final Map<String, String> NAMES = new LinkedHashMap<>();
  private static byte[] restored = {};
  private static byte[] synced = {};
  private static int port;

  @BeforeAll
  static void sync(@TempDir Path folder) throws IOException {
    Ran.With here = Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest");
    Path file = folder.resolve("regtest/default.sqlite");
    here.stdin(DemoWallet.WORDS).murmur("restore", "--mnemonic-file", "-").exits(ExitCode.DONE);
    restored = Files.readAllBytes(file);
    try (RegtestNode node = node()) {
      port = node.port();
      here.murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      NAMES.put("NODE", node.address());
      // What it has learned, this machine has.
      NAMES.put("LOCALNODE", "127.0.0.1:" + port);
    }
    NAMES.put("NOBODY", RestoredWallet.NOBODY);
    NAMES.put("PAYEE", "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080");
    number("DESCRIPTOR", here.murmur("export", "descriptor").out().lines().toList());
    NAMES.put("XPUB", here.murmur("export", "xpub").out().strip());
    List<String> coins = new ArrayList<>();
    for (JsonNode coin : here.murmur("coins", "--json").json().get("coins")) {
      if (coin.get("spendable").asBoolean()) {
        coins.add(coin.get("txid").asText() + ":" + coin.get("vout").asInt());
      }
    }
    number("COIN", coins);
    synced = Files.readAllBytes(file);
  }

  private static void number(String name, List<String> values) {
    values.forEach(value -> NAMES.put(name + (values.indexOf(value) + 1), value));
  }

  private static RegtestNode node() {
    return RegtestNode.start(
        RestoredWallet.lived().chain().copy(),
        Behaviour.honest().with(new EndsMempool()).withCompactFilters(),
        HOST,
        port);
  }

  private static Stream<String> files() throws IOException {
    try (Stream<Path> all = Files.list(TEXTS)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @Test
  void everyCommandHasATranscript() throws IOException {
    for (String path : leaves("", InstalledTexts.root())) {
      Path file = TEXTS.resolve(path.replaceFirst(" .*", "") + ".txt");
      assertThat(file).exists();
      assertThat(Transcript.commands(Files.readString(file)))
          .as(path)
          .anyMatch(command -> command.matches("murmur( -.*)? " + path + "( .*)?"));
    }
  }

  private static List<String> leaves(String path, CommandSpec spec) {
    List<String> leaves = new ArrayList<>();
    CommandTree.below(spec)
        .forEach((name, below) -> leaves.addAll(leaves((path + " " + name).strip(), below)));
    return leaves.isEmpty() ? List.of(path) : leaves;
  }

  @ParameterizedTest
  @MethodSource("files")
  void saysTheSameAgain(String name, @TempDir Path folder) throws IOException {
    Path wallets = Files.createDirectory(folder.resolve("regtest"));
    Files.write(wallets.resolve("default.sqlite"), synced);
    Files.write(wallets.resolve("new.sqlite"), restored);
    Path file = TEXTS.resolve(name);
    String text = Files.readString(file);
    String again;
    try (RegtestNode node = node()) {
      again = new Transcript(folder, node::mine, NAMES).again(text);
    }
    assertThat(again).doesNotContain("internal error", "Exception");
    if ("write".equals(System.getProperty("murmur.transcripts"))) {
      Files.writeString(file, again);
    }
    assertThat(again).isEqualTo(text);
  }
}
