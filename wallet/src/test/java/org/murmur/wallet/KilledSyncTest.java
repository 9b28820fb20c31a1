package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.regtest.bitcoind.Bitcoind;
import org.murmur.regtest.bitcoind.ExpectedWallet;
import org.murmur.regtest.bitcoind.WalletLife;

/**
 * Kills the real process at random moments of a sync; the next sync must end where an undisturbed
 * one does.
 */
@Tag("real-node")
class KilledSyncTest {

  private static final long SEED = 41;
  private static final int ROUNDS = 8;
  private static final int KILLS = 2;

  /** A process of its own, cold, needs about this long for the whole. */
  private static final int LATEST_KILL_MILLIS = 1_500;

  @TempDir Path folder = Path.of("");

  /** Opens or creates a wallet and syncs it; the process that is killed. */
  public static final class Victim {

    private Victim() {}

    /**
     * Runs.
     *
     * @param arguments wallet file, words, port
     */
    public static void main(String[] arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      SyncOptions options = SyncOptions.connect("127.0.0.1:" + arguments[2]);
      System.out.println("ready");
      try (SpvWallet wallet =
          Files.exists(file)
              ? SpvWallet.open(file)
              : SpvWallet.create(
                  file, Oracle.recipe(List.of(arguments[1].split(" "))).withLookAhead(20))) {
        System.out.println("complete " + wallet.sync(options, event -> {}).complete());
      }
    }
  }

  @Test
  void aKilledSyncGoesOnWhereItWas() throws Exception {
    System.out.println("kills with seed " + SEED);
    Random random = new Random(SEED);
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(SEED));
      life.live(120);
      ExpectedWallet expected = life.settle();
      int killed = 0;
      for (int round = 0; round < ROUNDS; round++) {
        Path file = folder.resolve("wallet-" + round + ".sqlite");
        for (int i = 0; i < KILLS; i++) {
          killed += killAfter(random.nextInt(LATEST_KILL_MILLIS), file, life, node) ? 1 : 0;
        }
        SyncReport report =
            Files.exists(file)
                ? Oracle.sync(file, node)
                : Oracle.restoreAndSync(file, Oracle.recipe(life.words()), node);
        Oracle.assertSame("seed " + SEED + " round " + round, file, report, expected);
      }
      System.out.println(killed + " of " + ROUNDS * KILLS + " processes were killed at work");
      assertThat(killed).isPositive();
    }
  }

  /** Starts a sync and kills it; returns whether it was still at work. */
  private static boolean killAfter(int millis, Path file, WalletLife life, Bitcoind node)
      throws Exception {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                file.toString(),
                String.join(" ", life.words()),
                "" + node.p2pPort())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = victim.inputReader(StandardCharsets.UTF_8)) {
      // Its own word that it begins; from then on creation, headers, scan and mempool are all hit.
      out.readLine();
      boolean ended = victim.waitFor(millis, TimeUnit.MILLISECONDS);
      victim.destroyForcibly().waitFor();
      return !ended;
    }
  }
}
