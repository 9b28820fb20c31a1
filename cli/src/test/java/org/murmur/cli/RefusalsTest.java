package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;

/** Impossible requests are refused with a message, and secrets are not shown. */
class RefusalsTest {

  private static final BuiltChain BUILT = DemoWallet.chain(7, 120, 2);

  @TempDir Path folder = Path.of("");
  private Path words = Path.of("");

  @BeforeEach
  void writeWords() throws IOException {
    words = Files.writeString(folder.resolve("words.txt"), DemoWallet.WORDS);
  }

  private Ran.With here() {
    return Ran.with().datadir(folder.resolve("data")).environment("MURMUR_NETWORK", "regtest");
  }

  private void restore(String... more) {
    String[] args = {"restore", "--mnemonic-file", words.toString()};
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    here().murmur(all).exits(ExitCode.DONE);
  }

  private Path data(String name) {
    return folder.resolve("data").resolve(name);
  }

  @Test
  void aFileInAnotherNetworksFolderIsRefusedByName() throws IOException {
    restore();
    Files.createDirectories(data("testnet4"));
    Files.move(data("regtest/default.sqlite"), data("testnet4/default.sqlite"));
    for (String command : new String[] {"address", "balance", "history"}) {
      Ran ran = here().murmur(command, "--network", "testnet4").exits(ExitCode.FAILED);
      assertThat(ran.out()).isEmpty();
      assertThat(ran.err())
          .contains("wallet of regtest, not of testnet4", "--network regtest")
          .contains(data("testnet4/default.sqlite").toString());
    }
  }

  @Test
  void aBirthdayAboveTheTipIsNotComplete() {
    restore("--birthday", "5000");
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      Ran ran = here().murmur("sync", "--json", "--connect", node.address());
      ran.exits(ExitCode.NOT_SYNCED);
      assertThat(ran.json().get("complete").asBoolean()).isFalse();
      assertThat(ran.json().get("warnings").toString()).contains("no block was scanned");
      assertThat(here().murmur("status", "--json").json().toString())
          .doesNotContain("\"complete\":true");
    }
  }

  @Test
  void heightsAboveTheTipAreErrors() {
    restore();
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      here().murmur("why", "500").exits(ExitCode.FAILED, "not_found");
      assertThat(here().murmur("why", "120").exits(ExitCode.DONE).out())
          .startsWith("Block 120\nSearched by ");
      here()
          .murmur("rescan", "--from", "999999", "--connect", node.address())
          .exits(ExitCode.FAILED, "bad_input");
    }
    here().murmur("rescan", "--from", "99999999", "--connect", "h").exits(ExitCode.USAGE);
  }

  @Test
  void foldersAndLocksAreForTheirOwnerOnly() throws IOException {
    restore();
    assertThat(permissions(data("regtest"))).isEqualTo("rwx------");
    assertThat(permissions(data("regtest/default.sqlite"))).isEqualTo("rw-------");
    assertThat(permissions(data("regtest/default.sqlite.lock"))).isEqualTo("rw-------");
    Files.setPosixFilePermissions(
        data("regtest/default.sqlite.lock"), PosixFilePermissions.fromString("rw-r--r--"));
    here().murmur("address", "--new").exits(ExitCode.DONE);
    assertThat(permissions(data("regtest/default.sqlite.lock"))).isEqualTo("rw-------");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restore|zebra zebra wrong",
        "restore|zebra|wrong|legal",
        "restore|--words|zebra zebra wrong",
        "restore|--mnemonic=zebra wrong",
        "create|--gap=zebra-wrong-zebra-wrong-zebra-wrong",
        "export|zebra zebra wrong",
        "zebra zebra wrong|balance"
      })
  void noArgumentThatMayBeASecretIsRepeated(String line) {
    Ran ran = here().murmur(line.split("[|]")).exits(ExitCode.USAGE);
    assertThat(ran.out() + ran.err()).doesNotContain("zebra", "wrong", "legal");
  }

  @Test
  void theLogOfASyncHasNeitherTxidsNorAmounts() {
    restore();
    try (RegtestNode node = RegtestNode.start(BUILT.chain().copy())) {
      Ran ran = here().murmur("sync", "-v", "-v", "--connect", node.address());
      ran.exits(ExitCode.DONE);
      for (var entry : here().murmur("history", "--json").json().get("transactions")) {
        assertThat(ran.err()).doesNotContain(entry.get("txid").asText());
      }
      assertThat(ran.err()).doesNotContain("confirmed  ");
    }
  }
}
