package org.murmur.wallet;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Prints what two wallets of one chain of empty blocks receive, and how much they hold in memory.
 * The embedded nodes are in the same process, so only the differences count.
 *
 * <pre>{@code
 * mvn -o -q -pl wallet -am test-compile
 * java -Xmx1500m -cp ... org.murmur.wallet.TwoWallets [BLOCKS] [alone]
 * }</pre>
 */
final class TwoWallets {

  private TwoWallets() {}

  /**
   * Measures.
   *
   * @param arguments how many blocks, and whether the wallets do not share
   */
  public static void main(String[] arguments) throws Exception {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 400_000;
    boolean alone = arguments.length > 1;
    Chain chain =
        ChainBuilder.ofSeed(7)
            .blocks(count)
            .transactionsPerBlock(0)
            .spacing(Duration.ofSeconds(60))
            .build()
            .chain();
    Path folder = Files.createTempDirectory("murmur-two");
    Storage shared = Storage.jdbc().sharing(new SharedHeaders());
    WalletRecipe recipe =
        Lives.recipe(OutputType.P2WPKH).withBirthday(new Birthday.AtHeight(count - 10));
    // Two nodes of one chain: both announce its blocks.
    try (RegtestNode node = RegtestNode.start(chain);
        RegtestNode other = RegtestNode.start(chain);
        SpvWallet one = SpvWallet.create(folder.resolve("one"), recipe, shared);
        SpvWallet two =
            SpvWallet.create(
                folder.resolve("two"),
                recipe,
                alone ? Storage.jdbc().sharing(new SharedHeaders()) : shared)) {
      SyncOptions options = SyncOptions.connect(node.address(), other.address());
      sayMemory("open");
      sync(one, options);
      sync(two, options);
      one.asOf(SpvWallet::balance);
      two.asOf(SpvWallet::balance);
      sayMemory("synced and read");
      Map<Integer, CountDownLatch> reached = new ConcurrentHashMap<>();
      for (int more = 0; more <= 3; more++) {
        reached.put(count + more, new CountDownLatch(2));
      }
      for (SpvWallet wallet : List.of(one, two)) {
        wallet.start(options.follow(true), Runnable::run, event -> heard(event, reached));
      }
      Objects.requireNonNull(reached.get(count)).await();
      sayMemory("following");
      node.mine(1);
      Objects.requireNonNull(reached.get(count + 1)).await();
      sayMemory("after a block");
      node.reorg(1, 3, RegtestNode.Orphaned.FORGOTTEN);
      Objects.requireNonNull(reached.get(count + 3)).await();
      sayMemory("after a reorganisation");
    }
  }

  private static void heard(SyncEvent event, Map<Integer, CountDownLatch> reached) {
    if (event instanceof WalletEvent.Complete complete) {
      reached.getOrDefault(complete.height(), new CountDownLatch(0)).countDown();
    }
  }

  private static void sync(SpvWallet wallet, SyncOptions options) throws Exception {
    SyncReport report = wallet.sync(options, event -> {});
    System.out.printf(
        Locale.ROOT,
        "synced to %,d: %,d bytes received, %,d ms%n",
        report.height(),
        report.bytesReceived(),
        report.elapsed().toMillis());
  }

  private static void sayMemory(String what) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    System.out.printf(Locale.ROOT, "both %-24s %,d KiB%n", what, least / 1024);
  }
}
