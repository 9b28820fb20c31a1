package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Mempool;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * A peer that got a filter knows an address of the wallet, and announces invented payments to it:
 * from thousands of inputs, with thousands of outputs, and many small ones.
 */
@Timeout(300)
final class MadeUpPaymentsTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final Bytes ANYBODY = Bytes.of(new byte[] {0x51});

  /** Of an input's 41 bytes: the most that fits into the largest transaction that nodes relay. */
  private static final int INPUTS = 2_400;

  @TempDir Path folder = Path.of("");

  private static SyncOptions to(RegtestNode... nodes) {
    List<String> addresses = new ArrayList<>();
    for (RegtestNode node : nodes) {
      addresses.add(node.address());
    }
    return SyncOptions.connect(addresses.toArray(new String[0]))
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2)));
  }

  /** Foreign coins, because the embedded node refuses spends of coins that do not exist. */
  private static Tx fanOut(RegtestNode node, int outputs) {
    int height = 1;
    while (node.chain().coin(node.blockAt(height).transactions().get(0).outPoint(0)) == null) {
      height++;
    }
    OutPoint reward = node.blockAt(height).transactions().get(0).outPoint(0);
    TxBuilder builder = new TxBuilder().spend(reward);
    for (int i = 0; i < outputs; i++) {
      builder.pay(10, ANYBODY);
    }
    return builder.build();
  }

  private static Tx payment(Tx coins, int from, int inputs, int outputs, Bytes script) {
    TxBuilder builder = new TxBuilder();
    for (int i = from; i < from + inputs; i++) {
      builder.spend(coins.outPoint(i));
    }
    for (int i = 0; i < outputs; i++) {
      builder.pay(1, script);
    }
    return builder.build();
  }

  private static void tell(RegtestNode liar, Tx tx) {
    assertThat(liar.broadcast(tx)).isInstanceOf(Mempool.Accepted.class);
  }

  private static BloomFilter lastFilter(RegtestNode node) {
    List<BloomFilter> shown = node.filtersShown();
    return shown.get(shown.size() - 1);
  }

  @Test
  void leaveLaterFiltersAndTheBalanceAsTheyWere() throws Exception {
    BuiltChain built =
        ChainBuilder.ofSeed(3)
            .blocks(300)
            .transactionsPerBlock(2)
            .wallet(Lives.lively(RECIPE, 30))
            .build();
    Bytes own = Lives.scripts(RECIPE, 0, 1).get(0);
    try (RegtestNode liar = RegtestNode.start(built.chain());
        RegtestNode honest = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      List<Tx> coins = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Tx coin = fanOut(liar, INPUTS);
        liar.mine(List.of(coin));
        coins.add(coin);
      }
      wallet.sync(to(honest), SyncListener.NONE);
      Balance before = wallet.balance();
      for (int i = 0; i < 3; i++) {
        tell(liar, payment(coins.get(i), 0, INPUTS, 1, own));
      }
      tell(liar, payment(coins.get(3), 0, 1_000, 1_000, own));
      for (int i = 0; i < INPUTS; i++) {
        tell(liar, payment(coins.get(4), i, 1, 1, own));
      }
      wallet.sync(to(liar), SyncListener.NONE);
      assertThat(wallet.balance().unconfirmed()).isPositive();
      wallet.sync(to(honest), SyncListener.NONE);
      assertThat(wallet.balance()).isEqualTo(before);
      // The flood is in the books, denied; a real payment is still seen, and found.
      Tx payment = payment(coins.get(3), 1_000, 1, 1, own);
      tell(honest, payment);
      honest.mine(List.of());
      wallet.sync(to(honest), SyncListener.NONE);
      assertThat(wallet.balance().unconfirmed()).isEqualTo(1);
      honest.mine(List.of(payment));
      SyncReport last = wallet.sync(to(honest), SyncListener.NONE);
      assertThat(last.complete()).isTrue();
      assertThat(wallet.balance())
          .isEqualTo(new Balance(before.confirmed() + 1, 0, before.immature(), 0));
      BloomFilter filter = lastFilter(honest);
      assertThat(filter.realisedRate()).isLessThan(2e-9);
    }
  }
}
