package org.murmur.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;

/** {@code murmur status --html}: the file, and what it says of a wallet that was synced. */
class StatusHtmlTest extends RestoredWallet {

  private Path page() {
    return datadir.resolve("page.html");
  }

  @Test
  void aWalletThatWasNeverSyncedSaysWhatToDo() throws IOException {
    murmur("status", "--html", page().toString()).exits(ExitCode.DONE);
    assertThat(Files.readString(page()))
        .contains("<b>Not synced yet</b>", "<code>murmur sync</code>")
        .contains("No sync has fetched anything yet.", "none has learned anything");
  }

  @Test
  void aSyncedWalletShowsWhoServedItAndWhatItCost() throws IOException {
    try (RegtestNode node = node()) {
      murmur("sync", "--mempool-wait", "0", "--connect", node.address()).exits(ExitCode.DONE);
      Ran ran = murmur("--unit", "sat", "status", "--html", page().toString());
      ran.exits(ExitCode.DONE);
      assertThat(ran.out()).startsWith("as of        height 129, complete");
      assertThat(ran.err()).contains("drew " + page());
      String html = Files.readString(page());
      String balance = String.valueOf(murmur("balance", "--json").json().get("total_sat").asLong());
      assertThat(html).contains("<b>Complete</b> to block 129", balance + " sat");
      assertThat(html)
          .contains(node.address())
          .contains("129 blocks")
          .doesNotContain("<rect class=\"gap");
      assertThat(html).contains("Block headers", "Filters sent to peers", "Matched transactions");
      String known =
          murmur("privacy", "-v").exits(ExitCode.DONE).out().lines().findFirst().orElseThrow();
      assertThat(html).contains(known).contains("<code>murmur sync --verify 2</code>");
    }
  }

  @Test
  void guardsAreNotCompared() throws IOException {
    try (RegtestNode one = node();
        RegtestNode two = node()) {
      here()
          .murmur(
              "sync",
              "--mempool-wait",
              "0",
              "--privacy",
              "private",
              "--connect",
              one.address(),
              "--connect",
              two.address())
          .exits(ExitCode.DONE);
      murmur("status", "--html", page().toString()).exits(ExitCode.DONE);
      assertThat(Files.readString(page()))
          .contains("<b>Complete</b>", one.address(), two.address())
          .contains("<rect class=\"part\"")
          .doesNotContain("--verify");
    }
  }

  @Test
  void stdoutGetsThePageAlone() {
    Ran ran = murmur("status", "--html", "-").exits(ExitCode.DONE);
    assertThat(ran.out()).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    assertThat(ran.out().split("</html>", -1)).hasSize(2);
  }

  @Test
  void twoAnswersAreRefused() {
    Ran json = murmur("status", "--json", "--html", page().toString()).exits(ExitCode.USAGE);
    assertThat(json.out()).contains("--json and --html are two answers");
    murmur("status", "--jsonl", "--html", "-").exits(ExitCode.USAGE);
    assertThat(murmur("status", "--force").exits(ExitCode.USAGE).err())
        .contains("--force needs --html FILE");
    assertThat(page()).doesNotExist();
  }

  @Test
  void aPageIsItsOwnersAndReplacesNothingElse() throws IOException {
    murmur("status", "--html", page().toString()).exits(ExitCode.DONE);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(page())))
        .isEqualTo("rw-------");
    murmur("status", "--html", page().toString()).exits(ExitCode.DONE);
    Files.writeString(page(), "<!DOCTYPE html><p>my diary</p>");
    Ran refused = murmur("status", "--html", page().toString()).exits(ExitCode.FAILED);
    assertThat(refused.err()).contains("is no page of murmur status; --force overwrites it");
    assertThat(page()).hasContent("<!DOCTYPE html><p>my diary</p>");
    murmur("status", "--html", page().toString(), "--force").exits(ExitCode.DONE);
    assertThat(Files.readString(page())).contains("Wallet <bdi>default</bdi>");
  }

  @Test
  void aFolderIsNoFile() {
    murmur("status", "--force", "--html", datadir.toString()).exits(ExitCode.FAILED);
    Path missing = datadir.resolve("not/there.html");
    assertThat(murmur("status", "--html", missing.toString()).exits(ExitCode.FAILED).err())
        .contains("there is no folder");
  }
}
