package org.murmur.lab.privacy.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;

class SyntheticChainTest {

  private static final long SEED = 20261121;

  private final SyntheticChain chain =
      SyntheticChain.of(new ChainPlan(SEED, 3_000, 400, 100, List.of(1, 10, 50, 200), 300_000));

  @Test
  void theSameSeedGivesTheSameChain() {
    ChainPlan plan = ChainPlan.small(7);
    assertThat(SyntheticChain.of(plan))
        .usingRecursiveComparison()
        .isEqualTo(SyntheticChain.of(plan))
        .ignoringFields("plan")
        .isNotEqualTo(SyntheticChain.of(ChainPlan.small(8)));
  }

  @Test
  void theNumbersOfTransactionsInputsAndOutputsAreThoseAskedFor() {
    // Five standard deviations of each mean, from the distributions of privacy.md 5.1.
    int transactions = chain.transactions();
    double ours = 5 * Math.sqrt(100.0 / 400);
    assertThat(transactions / 400.0).isCloseTo(100, within(ours + 1));
    int first = chain.firstTx(1);
    int end = chain.firstTx(401);
    int one = 0;
    int two = 0;
    long inputs = (long) chain.firstInput(end) - chain.firstInput(first);
    for (int tx = first; tx < end; tx++) {
      int outputs = chain.firstCoin(tx + 1) - chain.firstCoin(tx);
      assertThat(outputs).isBetween(1, 20);
      one += outputs == 1 ? 1 : 0;
      two += outputs == 2 ? 1 : 0;
    }
    double n = transactions;
    assertThat(two / n).isCloseTo(0.75, within(5 * Math.sqrt(0.75 * 0.25 / n)));
    assertThat(one / n).isCloseTo(0.15, within(5 * Math.sqrt(0.15 * 0.85 / n)));
    // 1 + the mean of a geometric number; its variance is 0.45 / 0.55^2.
    assertThat(inputs / n).isCloseTo(1 + 0.45 / 0.55, within(5 * Math.sqrt(0.45 / 0.3025 / n)));
  }

  @Test
  void theKindsOfScriptsAreThoseAskedFor() {
    int[] counts = new int[Kind.values().length];
    for (int user = 4; user < 3_000; user++) {
      counts[chain.kindOfUser(user).code()]++;
    }
    for (Kind kind : Kind.values()) {
      double share = kind.percent() / 100.0;
      assertThat(counts[kind.code()] / 2996.0)
          .as(kind.name())
          .isCloseTo(share, within(5 * Math.sqrt(share * (1 - share) / 2996)));
    }
  }

  @Test
  void coinsAreSpentOnceTheOldestFirstByTheirOwner() {
    Set<Integer> spent = new HashSet<>();
    int[] newestSpent = new int[3_000];
    Arrays.fill(newestSpent, -1);
    for (int tx = 0; tx < chain.firstTx(401); tx++) {
      int owner = -1;
      for (int input = chain.firstInput(tx); input < chain.firstInput(tx + 1); input++) {
        int coin = chain.spent(input);
        assertThat(spent.add(coin)).isTrue();
        assertThat(chain.spender(coin)).isEqualTo(tx);
        assertThat(coin).isLessThan(chain.firstCoin(tx));
        int user = chain.owner(chain.scriptOf(coin));
        assertThat(owner < 0 || owner == user).isTrue();
        owner = user;
        assertThat(coin).isGreaterThan(newestSpent[user]);
        newestSpent[user] = coin;
      }
    }
    assertThat(spent).hasSizeGreaterThan(chain.transactions());
  }

  @Test
  void eachWalletUsesAsManyScriptsAsPlannedAndTheyAreItsOwn() {
    assertThat(chain.wallets()).extracting(w -> w.keys().size()).containsExactly(1, 10, 50, 200);
    for (OwnWallet wallet : chain.wallets()) {
      Set<Integer> truth = new HashSet<>();
      for (int script = 0; script < chain.scripts(); script++) {
        if (chain.owner(script) == wallet.user()) {
          truth.add(script);
        }
      }
      assertThat(wallet.keys()).extracting(OwnWallet.Key::script).hasSameElementsAs(truth);
      for (OwnWallet.Key key : wallet.keys()) {
        assertThat(chain.firstSeen(key.script())).isEqualTo(key.height());
      }
      assertThat(wallet.usedAt(400)).isEqualTo(wallet.keys().size());
    }
    OwnWallet large = chain.wallets().get(3);
    // Evenly spread: half of them in the first half, within five standard deviations and a bit.
    assertThat(large.usedAt(200)).isBetween(60, 140);
    assertThat(large.keys()).filteredOn(OwnWallet.Key::change).hasSizeBetween(20, 100);
  }

  @Test
  void scriptsOfAHeightAreThoseWithLowerNumbers() {
    for (int script = 1; script < chain.scripts(); script++) {
      assertThat(chain.firstSeen(script - 1)).isLessThanOrEqualTo(chain.firstSeen(script));
    }
  }

  @Test
  void paymentsGoToUsedScriptsAsOftenAsAskedFor() {
    // Each payment and each change, of which 0.85 and 0.9 are fresh, from height 1 on.
    int coins = chain.coins() - chain.firstCoin(chain.firstTx(1));
    long fresh =
        IntStream.range(0, chain.scripts()).filter(script -> chain.firstSeen(script) > 0).count();
    double changes = chain.transactions() * 0.85;
    double expected = (0.85 * (coins - changes) + 0.9 * changes) / coins;
    // A user's first payment can only go to a fresh script, hence a little more.
    assertThat(fresh / (double) coins).isBetween(expected - 0.01, expected + 0.02);
  }

  @Test
  void elementsAreDifferentAndAlwaysTheSame() {
    Elements elements = new Elements(chain);
    assertThat(elements.universe()).isEqualTo(300_000);
    Set<Bytes> seen = new HashSet<>();
    byte[] buffer = new byte[Elements.MAX_BYTES];
    for (int script = 0; script < 20_000; script++) {
      int length = elements.script(script, buffer);
      assertThat(seen.add(Bytes.of(buffer, 0, length))).isTrue();
      length = elements.publicKey(script, buffer);
      assertThat(seen.add(Bytes.of(buffer, 0, length))).isTrue();
      assertThat(buffer[0]).isIn((byte) 2, (byte) 3);
    }
    Elements again = new Elements(chain);
    byte[] other = new byte[Elements.MAX_BYTES];
    assertThat(again.outPoint(77, other)).isEqualTo(elements.outPoint(77, buffer));
    assertThat(other).startsWith(Arrays.copyOf(buffer, 36));
  }

  @Test
  void aPlanWithNonsenseIsRefused() {
    assertThatThrownBy(() -> new ChainPlan(1, 2, 10, 10, List.of(1), 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("users 2, expected at least 3");
  }
}
