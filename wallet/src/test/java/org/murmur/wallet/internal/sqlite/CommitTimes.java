package org.murmur.wallet.internal.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoreChanges;

/**
 * Prints how long the commit of a block takes in wallets of several sizes: with no payment, with
 * ten payments, and with ten coins spent that are anywhere in the element log.
 *
 * <pre>{@code
 * mvn -o -q -pl wallet -am test-compile
 * java -cp ... org.murmur.wallet.internal.sqlite.CommitTimes [FOLDER]
 * }</pre>
 */
final class CommitTimes {

  private static final int[] SIZES = {1_000, 10_000, 100_000};
  private static final int PER_BLOCK = 40;
  private static final int PAYMENTS = 10;
  private static final int WARM_UP = 60;
  private static final int COMMITS = 30;

  private final Random random = new Random(7);
  private final FileSizes wallet;
  private final SqliteStore store;
  private int height;

  private CommitTimes(FileSizes wallet, SqliteStore store) throws Exception {
    this.wallet = wallet;
    this.store = store;
    this.height = store.height();
  }

  public static void main(String[] arguments) throws Exception {
    Path parent = Path.of(arguments.length > 0 ? arguments[0] : ".");
    // The first measures the compiler, too.
    for (int payments : IntStream.concat(IntStream.of(SIZES[0]), IntStream.of(SIZES)).toArray()) {
      Path folder = Files.createTempDirectory(parent, "murmur-commit");
      Path file = folder.resolve("w");
      FileSizes wallet = new FileSizes(payments, PER_BLOCK);
      try {
        wallet.write(file);
        try (SqliteStore store = SqliteStore.open(file)) {
          store.lock();
          new CommitTimes(wallet, store).print(payments);
        }
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(folder.resolve("w.lock"));
        Files.delete(folder);
      }
    }
  }

  private void print(int payments) throws Exception {
    List<LoggedOutPoint> coins = store.outPoints().logged();
    commit(WARM_UP, PAYMENTS, List.of());
    System.out.printf(
        Locale.ROOT,
        "%,d payments; median ms of %d commits: empty block %.1f, %d payments %.1f, %d spends"
            + " %.1f%n",
        payments,
        COMMITS,
        commit(COMMITS, 0, List.of()),
        PAYMENTS,
        commit(COMMITS, PAYMENTS, List.of()),
        PAYMENTS,
        commit(COMMITS, 0, coins));
    int expected = payments + PAYMENTS * (WARM_UP + COMMITS);
    if (store.facts().size() != expected || store.outPoints().logged().size() != expected) {
      throw new IllegalStateException("not all that was committed is there");
    }
  }

  /** The median, in milliseconds, of so many commits. */
  private double commit(int times, int payments, List<LoggedOutPoint> coins) throws Exception {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      height++;
      StoreChange change = coins.isEmpty() ? wallet.block(height, payments) : spends(coins);
      long began = System.nanoTime();
      store.write(change);
      nanos.add(System.nanoTime() - began);
    }
    nanos.sort(null);
    return nanos.get(times / 2) / 1e6;
  }

  private StoreChange spends(List<LoggedOutPoint> coins) {
    List<LoggedOutPoint> spent = new ArrayList<>();
    for (int i = 0; i < PAYMENTS; i++) {
      LoggedOutPoint coin = coins.get(random.nextInt(coins.size()));
      spent.add(
          new LoggedOutPoint(
              coin.index(), coin.outPoint(), coin.script(), coin.birth(), height, coin.mined()));
    }
    return StoreChanges.above(height - 1)
        .connected(wallet.block(height, 0).batch().connected())
        .outPoints(spent)
        .build();
  }
}
