package org.murmur.wallet;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** Payments of a branch that a real node has left, with the node's own wallet as the oracle. */
@Tag("real-node")
@Timeout(300)
final class LostBranchTest {

  private static final long SEED = 22;

  /** Core puts transactions back from this many blocks at most when a branch is invalidated. */
  private static final int PUT_BACK = 10;

  @TempDir Path folder = Path.of("");

  /** No pool holds them, and Core does not answer {@code mempool} if nothing matches. */
  @Test
  void transactionsThatTheNodeDroppedNoLongerCount() throws Exception {
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(SEED));
      life.live(101);
      life.settle();
      mineAll(node);
      node.mine(PUT_BACK + 1);
      Path file = sync(life, node);
      life.reorg(101 + PUT_BACK, WalletLife.Kind.REORG_EMPTY);
      Oracle.assertSame("seed " + SEED, file, again(file, node), life.current());
    }
  }

  /**
   * To a peer without noban the node announces nothing for seconds, and serves the transactions it
   * put back.
   */
  @Test
  void transactionsThatTheNodePutBackStillCount() throws Exception {
    try (Bitcoind node = Bitcoind.setup().withoutPermissions().start()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(SEED));
      life.live(20);
      life.settle();
      mineAll(node);
      Path file = sync(life, node);
      life.reorg(PUT_BACK / 2, WalletLife.Kind.REORG_EMPTY);
      Oracle.assertSame("seed " + SEED, file, again(file, node), life.current());
    }
  }

  private static void mineAll(Bitcoind node) {
    while (!node.rpc().call("getrawmempool").isEmpty()) {
      node.mine(1);
    }
  }

  private Path sync(WalletLife life, Bitcoind node) throws Exception {
    Path file = folder.resolve("w");
    try (SpvWallet wallet = SpvWallet.create(file, Oracle.recipe(life.words()))) {
      SyncReport report = wallet.sync(options(node), event -> {});
      Oracle.assertSame("before", file, report, life.current());
    }
    return file;
  }

  private static SyncReport again(Path file, Bitcoind node) throws Exception {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      return wallet.sync(options(node), event -> {});
    }
  }

  private static SyncOptions options(Bitcoind node) {
    return Oracle.connect(node).limits(limits -> limits.mempoolWait(Duration.ofSeconds(3)));
  }
}
