package org.murmur.lab.privacy.adversaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The value of an adversary's yes and no, compared with counting by hand. */
class ScoreTest {

  /** The chance that a script of the wallet ranks above one of others, over all pairs. */
  @ParameterizedTest
  @CsvSource({"3, 1, 1, 4", "0, 0, 5, 7", "5, 0, 0, 9", "2, 6, 3, 6", "1, 5, 0, 5"})
  void yesAndNoRankPairs(int tp, int fp, int fn, int negatives) {
    double wins = 0;
    for (int own = 0; own < tp + fn; own++) {
      for (int other = 0; other < negatives; other++) {
        int ownRank = own < tp ? 1 : 0;
        int otherRank = other < fp ? 1 : 0;
        if (ownRank == otherRank) {
          wins += 0.5;
        } else {
          wins += ownRank > otherRank ? 1 : 0;
        }
      }
    }
    Score score = Score.of(2, tp, fp, fn, negatives, Double.NaN);
    assertThat(score.auc()).isCloseTo(wins / ((tp + fn) * negatives), within(1e-12));
  }

  /** Picked among all subsets, each as likely: three of the wallet's and four decoys. */
  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void allTrueCountsSubsets(int picked) {
    int all = 0;
    int right = 0;
    for (int subset = 0; subset < 1 << 7; subset++) {
      if (Integer.bitCount(subset) == picked) {
        all++;
        right += (subset & ~0b111) == 0 ? 1 : 0;
      }
    }
    assertThat(Score.allTrue(3, 4, picked)).isCloseTo(right / (double) all, within(1e-12));
  }

  @Test
  void aWalletWithFewScriptsIsPickedAsFarAsItGoes() {
    assertThat(Score.allTrue(2, 5, 10)).isEqualTo(Score.allTrue(2, 5, 2));
    assertThat(Score.allTrue(2, 0, 10)).isEqualTo(1);
  }

  @Test
  void suspectsAreSetsOfOwnAndForeignScripts() {
    Suspects one = new Suspects(bits(0, 1), bits(10, 11, 12));
    Suspects other = new Suspects(bits(1, 2), bits(12, 13));
    assertThat(one.and(other)).isEqualTo(new Suspects(bits(1), bits(12)));
    assertThat(one.or(other)).isEqualTo(new Suspects(bits(0, 1, 2), bits(10, 11, 12, 13)));
    assertThat(one.without(other)).isEqualTo(new Suspects(bits(0), bits(10, 11)));
    assertThat(one.where(own -> own > 0, stranger -> stranger % 2 == 0))
        .isEqualTo(new Suspects(bits(1), bits(10, 12)));
    assertThat(one).as("unchanged").isEqualTo(new Suspects(bits(0, 1), bits(10, 11, 12)));
    assertThat(one.and(Suspects.none())).isEqualTo(Suspects.none());
  }

  private static BitSet bits(int... places) {
    BitSet set = new BitSet();
    for (int place : places) {
      set.set(place);
    }
    return set;
  }
}
