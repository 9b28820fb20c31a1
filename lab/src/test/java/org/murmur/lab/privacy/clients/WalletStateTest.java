package org.murmur.lab.privacy.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;

/** A wallet at a height, against a walk over every coin of the chain. */
class WalletStateTest {

  private final SyntheticChain chain =
      SyntheticChain.of(new ChainPlan(4, 60, 80, 8, List.of(1, 10, 40), 2_000));

  private int heightOf(int coin) {
    return chain.heightOf(chain.txOf(coin));
  }

  @Test
  void hasTheCoinsThatPaidItsUserSoFar() {
    for (OwnWallet wallet : chain.wallets()) {
      for (int height = 0; height <= chain.height(); height += 7) {
        int at = height;
        List<Integer> expected =
            IntStream.range(0, chain.coins())
                .filter(coin -> chain.owner(chain.scriptOf(coin)) == wallet.user())
                .filter(coin -> heightOf(coin) <= at)
                .boxed()
                .toList();
        WalletState state = WalletState.at(chain, wallet, height);
        assertThat(state.coins()).as("at %d", height).isEqualTo(expected);
        assertThat(state.receive() + state.change())
            .isEqualTo(
                (int) expected.stream().map(coin -> chain.scriptOf(coin)).distinct().count());
      }
    }
  }

  @Test
  void coinsAreSpentByInputsUpToThatHeight() {
    OwnWallet wallet = chain.wallets().get(2);
    int spent = 0;
    for (int height = 0; height <= chain.height(); height += 13) {
      WalletState state = WalletState.at(chain, wallet, height);
      for (int coin : state.coins()) {
        boolean spentByNow = false;
        for (int tx = 0; tx < chain.firstTx(chain.height() + 1); tx++) {
          for (int input = chain.firstInput(tx); input < chain.firstInput(tx + 1); input++) {
            spentByNow |= chain.spent(input) == coin && chain.heightOf(tx) <= height;
          }
        }
        assertThat(state.isSpent(coin)).isEqualTo(spentByNow);
        spent += spentByNow ? 1 : 0;
      }
    }
    assertThat(spent).isPositive();
  }

  @Test
  void keysAreInTheOrderOfTheirFirstUse() {
    for (OwnWallet wallet : chain.wallets()) {
      for (OwnWallet.Key key : wallet.keys()) {
        assertThat(heightOf(chain.firstCoinOf(key.script()))).isEqualTo(key.height());
      }
      assertThat(wallet.keys())
          .isSortedAccordingTo(java.util.Comparator.comparing(OwnWallet.Key::height));
      assertThat(wallet.usedAt(-1)).isZero();
      assertThat(wallet.usedAt(chain.height())).isEqualTo(wallet.keys().size());
    }
  }
}
