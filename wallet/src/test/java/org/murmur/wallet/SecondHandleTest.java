package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.failure.WalletException.Kind;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** Several handles of one file, and one that is closed while it is read. */
@Timeout(60)
final class SecondHandleTest {

  private static final int SYNCS = 12;

  @TempDir Path folder = Path.of("");

  /** It is told that the file is in use, or that the wallet is closed, and of no other trouble. */
  @Test
  void hearsOfNoDamage() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    Path file = folder.resolve("w");
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (RegtestNode node = RegtestNode.start();
        SpvWallet kept = SpvWallet.create(file, recipe)) {
      node.mineTo(Lives.scripts(recipe, 0, 1).get(0), 3);
      List<Future<Set<Kind>>> others = new ArrayList<>();
      others.add(threads.submit(again(done, () -> kept.coins().list().size())));
      others.add(threads.submit(again(done, () -> opened(file, SpvWallet::balance))));
      others.add(threads.submit(again(done, () -> opened(file, open -> open.receive().fresh()))));
      others.add(
          threads.submit(
              again(
                  done,
                  () -> {
                    SpvWallet wallet = SpvWallet.open(file);
                    Future<?> closing = threads.submit(wallet::close);
                    wallet.coins().list();
                    return closing.get();
                  })));
      SyncOptions peer = SyncOptions.connect(node.address());
      int synced = 0;
      while (synced < SYNCS) {
        try (SpvWallet wallet = SpvWallet.open(file)) {
          node.mine(1);
          wallet.sync(peer, SyncListener.NONE);
          synced++;
        } catch (WalletException e) {
          assertThat(e.kind()).as(e.toString()).isEqualTo(Kind.LOCKED);
        }
      }
      done.set(true);
      for (Future<Set<Kind>> other : others) {
        System.out.println("heard of " + other.get());
        assertThat(other.get()).isSubsetOf(Kind.LOCKED, Kind.CLOSED);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T opened(Path file, Function<SpvWallet, T> read) {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      return read.apply(wallet);
    }
  }

  private static Callable<Set<Kind>> again(AtomicBoolean done, Callable<?> work) {
    return () -> {
      Set<Kind> heard = EnumSet.noneOf(Kind.class);
      while (!done.get()) {
        try {
          work.call();
        } catch (WalletException e) {
          heard.add(e.kind());
        }
      }
      return heard;
    };
  }
}
