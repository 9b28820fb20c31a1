package org.murmur.lab.privacy.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlockSizesTest {

  private final SyntheticChain tiny = SyntheticChain.of(new ChainPlan(7, 4, 3, 2, List.of(1), 100));
  private final BlockSizes sizes = new BlockSizes(tiny, new Elements(tiny));

  private int transactions(int height) {
    return tiny.firstTx(height + 1) - tiny.firstTx(height);
  }

  @Test
  void aHeaderHas80BytesAndACount() {
    assertThat(sizes.headers()).isEqualTo(3 * 81);
  }

  /** Message header 24, block header 80, count 1; the coinbase and the others have 300 each. */
  @Test
  void aWholeBlockByHand() {
    for (int height = 1; height <= 3; height++) {
      BitSet one = new BitSet();
      one.set(height);
      assertThat(sizes.compact(one) - sizes.compact(new BitSet()))
          .isEqualTo(24 + 80 + 1 + 300 * (1 + transactions(height)));
    }
  }

  /**
   * Of a filter: its hash 32, message header 24, type and block 33, two sizes of 1, and the code.
   * An element takes 20 bits and a quotient; all quotients together are at most N·M / 2^19, 1.5·N.
   */
  @Test
  void filtersByHand() {
    long least = 0;
    long most = 0;
    for (int height = 1; height <= 3; height++) {
      // And the coinbase's script.
      int elements = 1 + tiny.scriptsAt(height).cardinality();
      least += 32 + 24 + 33 + 2 + elements * 20 / 8;
      most += 32 + 24 + 33 + 2 + (elements * 215 / 10 + 7) / 8;
    }
    assertThat(sizes.compact(new BitSet())).isBetween(least, most);
  }

  /**
   * Nothing matches: message header 24, block header and count 84, one hash 32, one byte of flags,
   * and the sizes of both, 1 each.
   */
  @Test
  void aFilteredBlockByHand() {
    assertThat(sizes.filtered(1e-15, Set.of())).isCloseTo(3 * 143, within(1e-6));
  }

  /** An own transaction costs itself, 24 + 300, and hashes beside it. */
  @Test
  void anOwnTransactionIsSent() {
    int tx = tiny.firstTx(1);
    assertThat(transactions(1)).isPositive();
    double more = sizes.filtered(1e-15, Set.of(tx)) - 3 * 143;
    assertThat(more).isBetween(324.0, 324 + 32.0 * transactions(1));
  }

  @Test
  void theScriptsOfABlock() {
    BitSet expected = new BitSet();
    for (int tx = tiny.firstTx(2); tx < tiny.firstTx(3); tx++) {
      for (int coin = tiny.firstCoin(tx); coin < tiny.firstCoin(tx + 1); coin++) {
        expected.set(tiny.scriptOf(coin));
      }
      for (int input = tiny.firstInput(tx); input < tiny.firstInput(tx + 1); input++) {
        expected.set(tiny.scriptOf(tiny.spent(input)));
      }
    }
    assertThat(tiny.scriptsAt(2)).isEqualTo(expected);
    BitSet both = tiny.scriptsAt(1);
    both.or(expected);
    BitSet heights = new BitSet();
    heights.set(1, 3);
    assertThat(tiny.scriptsAt(heights)).isEqualTo(both);
  }
}
