package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.internal.store.LockFile;

/** Wallets are renamed and deleted by name; nothing else is. */
class WalletsCommandTest {

  @TempDir private Path datadir = Path.of("");

  @BeforeEach
  void restore() throws IOException {
    Path words = Files.writeString(datadir.resolve("words.txt"), DemoWallet.WORDS);
    for (String name : List.of("one", "two")) {
      here()
          .murmur("-w", name, "restore", "--mnemonic-file", words.toString())
          .exits(ExitCode.DONE);
    }
  }

  private Ran.With here() {
    return Ran.with().datadir(datadir).environment("MURMUR_NETWORK", "regtest");
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(datadir.resolve("regtest"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".lock"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theListSaysWhatIsInThem() throws Exception {
    try (RegtestNode node = RegtestNode.start(DemoWallet.chain(11, 150, 8).chain())) {
      here()
          .murmur("-w", "one", "sync", "--connect", node.address(), "--mempool-wait", "0")
          .exits(ExitCode.DONE);
    }
    Files.writeString(datadir.resolve("regtest/bad.sqlite"), "no wallet");
    JsonNode all = here().murmur("wallets", "--json").exits(ExitCode.DONE).json().get("wallets");
    assertThat(all.get(0).get("error").asText()).contains("bad.sqlite");
    assertThat(all.get(1).get("as_of").get("complete").asBoolean()).isTrue();
    assertThat(all.get(1).get("as_of").get("height").asInt()).isEqualTo(150);
    long satoshi = all.get(1).get("total_sat").asLong();
    assertThat(satoshi).isPositive();
    assertThat(here().murmur("--unit", "sats", "wallets").out().lines())
        .hasSize(3)
        .contains("regtest    two  never synced")
        .anyMatch(
            line ->
                line.startsWith(
                    "regtest    one  " + satoshi + " sat, height 150, complete, seen by 1 peer"));
  }

  @Test
  void theListSaysWhichOnesOnlyWatchAndWhichHaveAPassword() throws IOException {
    Path password = Files.writeString(datadir.resolve("password.txt"), "correct horse");
    here()
        .murmur("-w", "locked", "create", "--password-file", password.toString())
        .exits(ExitCode.DONE);
    String xpub = here().murmur("-w", "one", "export", "xpub").exits(ExitCode.DONE).out().strip();
    here().murmur("-w", "watching", "watch", xpub).exits(ExitCode.DONE);
    assertThat(here().murmur("wallets").exits(ExitCode.DONE).out().lines())
        .containsExactly(
            "regtest    locked    never synced, with a password",
            "regtest    one       never synced",
            "regtest    two       never synced",
            "regtest    watching  never synced, watch-only");
    JsonNode all = here().murmur("wallets", "--json").json().get("wallets");
    assertThat(all.get(0).get("encrypted").asBoolean()).isTrue();
    assertThat(all.get(3).get("watch_only").asBoolean()).isTrue();
  }

  @Test
  void aRenamedWalletIsTheSame() throws IOException {
    String address = here().murmur("-w", "one", "address", "--json").json().toString();
    here().murmur("wallets", "rename", "one", "savings").exits(ExitCode.DONE);
    assertThat(files()).containsExactly("savings.sqlite", "two.sqlite");
    assertThat(here().murmur("-w", "savings", "address", "--json").json()).hasToString(address);
    here().murmur("-w", "one", "address").exits(ExitCode.FAILED, "no_such_wallet");
  }

  @Test
  void noNameIsTakenTwice() throws IOException {
    here().murmur("wallets", "rename", "one", "two").exits(ExitCode.FAILED, "wallet_exists");
    here().murmur("wallets", "rename", "none", "three").exits(ExitCode.FAILED, "no_such_wallet");
    here().murmur("wallets", "rename", "one", "../x").exits(ExitCode.USAGE);
    assertThat(files()).containsExactly("one.sqlite", "two.sqlite");
  }

  @Test
  void onlyTheTypedNameDeletes() throws IOException {
    here().typing("y").murmur("wallets", "delete", "one").exits(ExitCode.FAILED, "cancelled");
    assertThat(files()).containsExactly("one.sqlite", "two.sqlite");
    here().typing("one").murmur("wallets", "delete", "one").exits(ExitCode.DONE);
    assertThat(files()).containsExactly("two.sqlite");
  }

  @Test
  void withoutATerminalItWantsYes() throws IOException {
    here().murmur("wallets", "delete", "one").exits(ExitCode.FAILED, "no_terminal");
    here().murmur("wallets", "delete", "one", "--yes").exits(ExitCode.DONE);
    assertThat(files()).containsExactly("two.sqlite");
  }

  @Test
  void aDamagedWalletCanBeDeleted() throws IOException {
    Files.writeString(datadir.resolve("regtest/one.sqlite"), "no wallet");
    Files.writeString(datadir.resolve("regtest/one.sqlite-journal"), "");
    here().typing("one").murmur("wallets", "delete", "one").exits(ExitCode.DONE);
    assertThat(files()).containsExactly("two.sqlite");
  }

  @Test
  void aWalletInUseStays() throws IOException {
    LockFile lock = new LockFile(datadir.resolve("regtest/one.sqlite").toAbsolutePath());
    lock.acquire();
    try {
      here().murmur("wallets", "delete", "one", "--yes").exits(ExitCode.FAILED);
      here().murmur("wallets", "rename", "one", "three").exits(ExitCode.FAILED);
    } finally {
      lock.release();
    }
    assertThat(files()).containsExactly("one.sqlite", "two.sqlite");
  }
}
