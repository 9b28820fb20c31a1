package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.regtest.bitcoind.Bitcoind;
import org.murmur.regtest.bitcoind.ExpectedWallet;
import org.murmur.regtest.bitcoind.WalletLife;

/**
 * Wallets that stay connected while they live: payments, replacements and reorganisations.
 *
 * <p>Long, because a pending payment that a reorganisation throws out of the node's memory pool is
 * noticed only when something else makes the wallet ask for it.
 */
@Tag("real-node")
@Tag("long")
class FollowedLivesTest {

  // Nothing is asserted about time: this ends a test that would wait for ever.
  private static final long PATIENCE_SECONDS = 40;

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(longs = {41})
  void standsWhereTheNodesOwnWalletStands(long seed) throws Exception {
    System.out.println("followed life with seed " + seed);
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
      Path file = folder.resolve("wallet.sqlite");
      BlockingQueue<WalletEvent> events = new LinkedBlockingQueue<>();
      try (SpvWallet wallet = SpvWallet.create(file, Oracle.recipe(life.words()))) {
        CompletableFuture<SyncReport> following =
            CompletableFuture.supplyAsync(() -> follow(wallet, node, events));
        for (int round = 1; round <= 6; round++) {
          life.live(10);
          ExpectedWallet expected = life.settle();
          awaitAgreement("seed " + seed + ", round " + round, wallet, expected, events);
        }
        wallet.stop();
        SyncReport report = following.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Oracle.assertSame("seed " + seed + " " + life.happened(), file, report, life.expected());
      }
    }
  }

  private static SyncReport follow(
      SpvWallet wallet, Bitcoind node, BlockingQueue<WalletEvent> events) {
    try {
      return wallet.sync(
          Oracle.connect(node).follow(true).mempoolWait(Duration.ofSeconds(30)),
          event -> {
            if (!(event instanceof WalletEvent.Progress)) {
              events.add(event);
            }
          });
    } catch (WalletException | NoUsablePeerException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, String> told(SpvWallet wallet) throws WalletException {
    Map<String, String> told = new HashMap<>();
    for (HistoryEntry entry : wallet.history()) {
      told.put(
          entry.txid().toString(),
          (entry.height().isPresent() ? "" + entry.height().getAsInt() : "pending")
              + " "
              + entry.net());
    }
    return told;
  }

  private static void awaitAgreement(
      String what, SpvWallet wallet, ExpectedWallet expected, BlockingQueue<WalletEvent> events)
      throws Exception {
    Map<String, String> theirs = new HashMap<>();
    for (ExpectedWallet.Transaction tx : expected.transactions()) {
      theirs.put(tx.txid(), (tx.height() == null ? "pending" : tx.height()) + " " + tx.net());
    }
    int quiet = 0;
    while (!told(wallet).equals(theirs)) {
      // Not every change is an event, so look again now and then too.
      quiet = events.poll(1, TimeUnit.SECONDS) == null ? quiet + 1 : 0;
      events.clear();
      if (quiet > PATIENCE_SECONDS) {
        assertThat(told(wallet)).as(what).isEqualTo(theirs);
      }
    }
    assertThat(wallet.chain().tip().toString()).as(what).isEqualTo(expected.tip());
  }
}
