package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.Misdeed;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * A peer adds 3.9 MB of made-up witness data to every transaction, which no txid covers: a process
 * with a small heap syncs, and its file stays small.
 */
class PaddedWitnessTest {

  /** Together 273 MB of padding. */
  private static final int PAYMENTS = 70;

  private static final long MAX_FILE_BYTES = 3_000_000;

  @TempDir Path folder = Path.of("");

  /** The program for the small heap. */
  static final class Small {

    private Small() {}

    /**
     * Syncs, and prints the result.
     *
     * @param arguments the file and the node's address
     */
    public static void main(String[] arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      try (SpvWallet wallet = SpvWallet.create(file, Lives.recipe(OutputType.P2WPKH))) {
        SyncReport report =
            wallet.sync(
                SyncOptions.connect(arguments[1])
                    .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2))),
                SyncListener.NONE);
        boolean stripped = true;
        for (HistoryEntry entry : wallet.history().list()) {
          stripped &= !wallet.history().transaction(entry.txid()).orElseThrow().tx().hasWitness();
        }
        System.out.println(report.complete() + " " + stripped + " " + report.balance());
      }
    }
  }

  @Test
  void costsNeitherMemoryNorDisk() throws Exception {
    BuiltChain built =
        ChainBuilder.ofSeed(15)
            .blocks(200)
            .transactionsPerBlock(3)
            .wallet(Lives.lively(Lives.recipe(OutputType.P2WPKH), PAYMENTS))
            .build();
    Behaviour padding = Behaviour.honest().with(Misdeed.PADDED_WITNESS);
    Path output = folder.resolve("output");
    Path file = folder.resolve("wallet.sqlite");
    try (RegtestNode node = RegtestNode.start(built.chain(), padding)) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx80m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Small.class.getName(),
                  file.toString(),
                  node.address())
              .redirectOutput(output.toFile())
              .redirectErrorStream(true)
              .start();
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(Files.readString(output).trim())
        .isEqualTo("true true " + Lives.balance(built.truth()));
    assertThat(Files.size(file)).isLessThan(MAX_FILE_BYTES);
  }
}
