package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.Unsearched;
import org.murmur.wallet.sync.WalletEvent;

/** A private session that follows: what a balance cannot know before the next tick. */
@Timeout(120)
class FollowPrivatelyTest {

  private static final long VALUE = 1_000_000;
  private static final Bytes THEIRS = Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");

  @TempDir Path folder = Path.of("");

  private final BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();

  /** The first event that says that everything is known up to a height. */
  private WalletEvent.Complete completeAt(int height) throws InterruptedException {
    while (true) {
      if (events.take() instanceof WalletEvent.Complete complete && complete.height() == height) {
        return complete;
      }
    }
  }

  /** Another copy of the keys spends a coin of today, without change. */
  @Test
  void eachCompleteSaysWhichCoinsItCannotKnow() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      node.mine(110);
      Tx payment =
          new TxBuilder()
              .spend(node.blockAt(1).tx(0).outPoint(0))
              .pay(VALUE, Lives.scripts(recipe, 0, 1).get(0))
              .build();
      Tx sweep = new TxBuilder().spend(payment.outPoint(0)).pay(VALUE - 500, THEIRS).build();
      SyncOptions options =
          SyncOptions.connect(node.address())
              .preset(Preset.Kind.PRIVATE)
              .ifPrivate(guards -> guards.onePeer(true))
              .follow(true);
      CompletableFuture<?> following =
          CompletableFuture.runAsync(
              () -> {
                try {
                  wallet.sync(options, events::add);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(completeAt(110).unsearched()).isEqualTo(Unsearched.NOTHING);

      node.mine(List.of(payment));
      Unsearched coin = new Unsearched(1, VALUE, 0, Preset.Private.TICK);
      assertThat(completeAt(111).unsearched()).isEqualTo(coin);

      node.mine(List.of(sweep));
      WalletEvent.Complete swept = completeAt(112);
      assertThat(swept.balance().total()).isEqualTo(VALUE);
      assertThat(swept.unsearched()).isEqualTo(coin);

      node.mine(Preset.Private.TICK - node.height());
      WalletEvent.Complete atTick = completeAt(Preset.Private.TICK);
      assertThat(atTick.balance().total()).isZero();
      assertThat(atTick.unsearched()).isEqualTo(Unsearched.NOTHING);

      wallet.stop();
      following.get(60, TimeUnit.SECONDS);
    }
  }
}
