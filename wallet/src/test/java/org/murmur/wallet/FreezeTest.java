package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.chain.Birthday;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.keys.OutputType;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** Coins that the user excludes from payments. */
@Timeout(120)
final class FreezeTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private static BuiltChain chain() {
    return ChainBuilder.ofSeed(5)
        .blocks(150)
        .transactionsPerBlock(3)
        .wallet(Lives.lively(RECIPE, 30))
        .build();
  }

  private static SyncOptions to(RegtestNode node) {
    return SyncOptions.connect(node.address()).mempoolWait(Duration.ofMillis(100));
  }

  private static List<OutPoint> frozen(SpvWallet wallet) throws WalletException {
    return wallet.coins().stream()
        .filter(WalletCoin::frozen)
        .map(WalletCoin::outPoint)
        .collect(Collectors.toList());
  }

  /** The last one that came in: a reorganisation takes it out of its block. */
  private static OutPoint youngest(SpvWallet wallet) throws WalletException {
    return wallet.coins().stream()
        .filter(coin -> coin.height().isPresent() && !coin.coinbase())
        .max(Comparator.comparingInt(coin -> coin.height().getAsInt()))
        .orElseThrow()
        .outPoint();
  }

  @Test
  void staysFrozenUntilItIsFreed() throws Exception {
    try (RegtestNode node = RegtestNode.start(chain().chain())) {
      OutPoint coin;
      Balance balance;
      try (SpvWallet wallet = SpvWallet.create(file(), RECIPE)) {
        wallet.sync(to(node), SyncListener.NONE);
        assertThat(frozen(wallet)).isEmpty();
        coin = youngest(wallet);
        balance = wallet.balance();
        assertThat(wallet.freeze(coin)).isTrue();
        assertThat(wallet.freeze(coin)).isFalse();
        assertThat(frozen(wallet)).containsExactly(coin);
        assertThat(wallet.balance()).isEqualTo(balance);
      }
      node.reorg(145, 146, RegtestNode.Orphaned.TO_MEMPOOL);
      try (SpvWallet wallet = SpvWallet.open(file())) {
        assertThat(frozen(wallet)).containsExactly(coin);
        wallet.sync(to(node), SyncListener.NONE);
        WalletCoin now = coin(wallet, coin);
        assertThat(now.height()).as("the reorganisation took its block").isEmpty();
        assertThat(now.frozen()).isTrue();
        wallet.rescan(new Birthday.AtHeight(0), to(node), SyncListener.NONE);
        assertThat(frozen(wallet)).containsExactly(coin);
        assertThat(wallet.unfreeze(coin)).isTrue();
        assertThat(wallet.unfreeze(coin)).isFalse();
        assertThat(frozen(wallet)).isEmpty();
      }
    }
  }

  private static WalletCoin coin(SpvWallet wallet, OutPoint outPoint) throws WalletException {
    return wallet.coins().stream()
        .filter(coin -> coin.outPoint().equals(outPoint))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void saysWhyAnOutpointIsNoCoin() throws Exception {
    try (RegtestNode node = RegtestNode.start(chain().chain());
        SpvWallet wallet = SpvWallet.create(file(), RECIPE)) {
      wallet.sync(to(node), SyncListener.NONE);
      OutPoint unknown = new OutPoint(Hash256.ZERO, 7);
      WalletException none =
          catchThrowableOfType(WalletException.class, () -> wallet.freeze(unknown));
      assertThat(none.kind()).isEqualTo(WalletException.Kind.NOT_FOUND);
      assertThat(none).hasMessageContaining("has no coin " + unknown);
      TransactionDetail spending = spending(wallet);
      OutPoint spent = spending.spent().get(0).coin();
      for (boolean freeze : new boolean[] {true, false}) {
        WalletException gone =
            catchThrowableOfType(
                WalletException.class,
                () -> {
                  boolean changed = freeze ? wallet.freeze(spent) : wallet.unfreeze(spent);
                  assertThat(changed).isFalse();
                });
        assertThat(gone.kind()).isEqualTo(WalletException.Kind.BAD_INPUT);
        assertThat(gone).hasMessageContaining("is spent by transaction " + spending.tx().txid());
      }
      OutPoint foreign = new OutPoint(spent.txid(), 4_000);
      assertThat(catchThrowableOfType(WalletException.class, () -> wallet.freeze(foreign)).kind())
          .isEqualTo(WalletException.Kind.NOT_FOUND);
    }
  }

  private static TransactionDetail spending(SpvWallet wallet) throws WalletException {
    for (var entry : wallet.history()) {
      TransactionDetail detail = wallet.transaction(entry.txid()).orElseThrow();
      if (!detail.spent().isEmpty()) {
        return detail;
      }
    }
    throw new AssertionError("nothing was spent");
  }
}
