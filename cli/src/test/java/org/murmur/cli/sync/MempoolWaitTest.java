package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.Spawned;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.node.Behaviour;

/** The result does not wait for unconfirmed payments, which a node may announce much later. */
class MempoolWaitTest {

  @TempDir private Path datadir = Path.of("");

  private Ran.With here() {
    return Ran.with().datadir(datadir).environment("MURMUR_NETWORK", "regtest");
  }

  @BeforeEach
  void restore() throws IOException {
    Path words = Files.writeString(datadir.resolve("words.txt"), DemoWallet.WORDS);
    here().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  @Test
  void ctrlCEndsTheWaitAndTheSyncIsComplete() {
    try (RegtestNode node =
        RegtestNode.start(DemoWallet.chain(12, 220, 4).chain(), Behaviour.honest())) {
      String[] sync = {"sync", "--connect", node.address(), "--mempool-wait", "3600"};
      Ran ran = here().interruptingWhen("balance").murmur(sync).exits(ExitCode.DONE);
      assertThat(ran.err()).contains("waiting up to 3600 s").doesNotContain("Interrupted");
      assertThat(ran.out()).startsWith("complete at height").contains("seen by", "traffic");
      assertThat(count(ran.out(), "complete at height")).isOne();
      assertThat(count(ran.out(), "balance ")).isOne();
    }
  }

  @Test
  void theJsonObjectIsOne() {
    try (RegtestNode node =
        RegtestNode.start(DemoWallet.chain(12, 220, 4).chain(), Behaviour.honest())) {
      Ran ran =
          here().murmur("sync", "--connect", node.address(), "--mempool-wait", "0.2", "--json");
      assertThat(ran.exits(ExitCode.DONE).json().get("complete").asBoolean()).isTrue();
    }
  }

  /** The real signal: the virtual machine would end with 128 and its number. */
  @Test
  void theProcessThatIsInterruptedThenHasSucceeded() {
    try (RegtestNode node =
            RegtestNode.start(DemoWallet.chain(12, 220, 4).chain(), Behaviour.honest());
        Spawned sync =
            Spawned.on(datadir)
                .start("sync", "--connect", node.address(), "--mempool-wait", "3600")) {
      assertThat(sync.awaitLine(line -> line.startsWith("complete at height"))).isTrue();
      assertThat(sync.interrupt().ran().exits(ExitCode.DONE).out()).contains("peer ");
    }
  }

  @Test
  void withoutAWaitTheReportIsOnePiece() {
    try (RegtestNode node =
        RegtestNode.start(DemoWallet.chain(12, 220, 4).chain(), Behaviour.honest())) {
      Ran ran = here().murmur("sync", "--connect", node.address(), "--mempool-wait", "0");
      assertThat(ran.exits(ExitCode.DONE).err()).doesNotContain("waiting");
      assertThat(ran.out()).startsWith("complete at height").contains("seen by");
    }
  }
}
