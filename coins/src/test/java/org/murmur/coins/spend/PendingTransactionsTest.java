package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.PendingTransactions.Pending;
import org.murmur.coins.spend.fee.FeeRate;

/** Small families of pending transactions, of 100 vB each; rates are worked out at 10 sat/vB. */
final class PendingTransactionsTest {

  private static final FeeRate TEN = FeeRate.satPerVb(10);

  private static Pending pending(int number, long fee, int... parents) {
    Set<Hash256> ids =
        IntStream.of(parents).mapToObj(TestScripts::txid).collect(Collectors.toSet());
    return new Pending(TestScripts.txid(number), ids, fee, 100);
  }

  private static Set<Hash256> ids(int... numbers) {
    return IntStream.of(numbers).mapToObj(TestScripts::txid).collect(Collectors.toSet());
  }

  private static long deficit(PendingTransactions pending, Set<Hash256> parents) {
    return pending.deficit(parents, pending.notMinedAt(TEN), TEN);
  }

  /** Two children of one parent, and a grandchild of both. */
  private static PendingTransactions diamond() {
    return PendingTransactions.of(
        List.of(
            pending(1, 100, 99), pending(2, 100, 1), pending(3, 100, 1), pending(4, 100, 2, 3)));
  }

  @Test
  void countsEachAncestorOnce() {
    assertThat(diamond().withAncestors(ids(4))).isEqualTo(ids(1, 2, 3, 4));
    assertThat(diamond().withAncestors(ids(2, 3))).isEqualTo(ids(1, 2, 3));
    assertThat(diamond().withDescendants(ids(2))).isEqualTo(ids(2, 4));
    assertThat(diamond().withAncestors(ids(99))).isEmpty();
    assertThat(deficit(diamond(), ids(2, 3))).isEqualTo(2_700);
  }

  @Test
  void needsNothingForThoseThatAreMinedAnyway() {
    PendingTransactions rich = PendingTransactions.of(List.of(pending(1, 1_000)));
    assertThat(deficit(rich, ids(1))).isZero();
    assertThat(deficit(PendingTransactions.of(List.of(pending(1, 999))), ids(1))).isEqualTo(1);
    assertThat(deficit(rich, Set.of())).isZero();
  }

  /** A child with 2,000 sat pays for its parent; both are mined, and help no other transaction. */
  @Test
  void theSurplusOfAnotherPackageDoesNotHelp() {
    PendingTransactions family =
        PendingTransactions.of(List.of(pending(1, 0), pending(2, 9_000, 1), pending(3, 400, 2)));
    assertThat(deficit(family, ids(3))).isEqualTo(600);
  }

  /** A second child with 2,000 sat has the parent mined: ours pays for itself only. */
  @Test
  void anotherChildPaysForTheParent() {
    PendingTransactions poor = PendingTransactions.of(List.of(pending(1, 100)));
    assertThat(deficit(poor, ids(1))).isEqualTo(900);
    PendingTransactions family =
        PendingTransactions.of(List.of(pending(1, 100), pending(2, 2_000, 1)));
    assertThat(deficit(family, ids(1))).isZero();
  }

  @Test
  void admitsTwentyFiveOfAFamily() {
    List<Pending> star = new ArrayList<>(List.of(pending(1, 100)));
    for (int i = 2; i <= 24; i++) {
      star.add(pending(i, 100, 1));
    }
    assertThat(PendingTransactions.of(star).admits(ids(24), 100)).isTrue();
    star.add(pending(25, 100, 1));
    assertThat(PendingTransactions.of(star).admits(ids(24), 100)).isFalse();
    assertThat(PendingTransactions.of(star).admits(ids(98), 100)).isTrue();
  }

  @Test
  void admitsAHundredAndOneKilobytes() {
    Pending large = new Pending(TestScripts.txid(1), Set.of(), 100, 100_900);
    PendingTransactions family = PendingTransactions.of(List.of(large));
    assertThat(family.admits(ids(1), 100)).isTrue();
    assertThat(family.admits(ids(1), 101)).isFalse();
  }

  /** Two parents of 50,500 vB each: neither has a large package before their common child. */
  @Test
  void countsTheSizeOfAllAncestors() {
    PendingTransactions parents =
        PendingTransactions.of(
            List.of(
                new Pending(TestScripts.txid(1), Set.of(), 100, 50_500),
                new Pending(TestScripts.txid(2), Set.of(), 100, 50_400)));
    assertThat(parents.admits(ids(1, 2), 100)).isTrue();
    assertThat(parents.admits(ids(1, 2), 101)).isFalse();
    assertThat(parents.admits(ids(1), 101)).isTrue();
  }
}
