package org.murmur.lab.privacy.adversaries;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.privacy.Distinguisher;
import org.murmur.bip37.privacy.Linkability;

/**
 * The link adversary holds filters of several wallets of one client. It links filters of one wallet
 * by equal bytes, or because they share more scripts than expected by chance (M12).
 *
 * @param sameBytes the pairs of sessions of one wallet that show the same filter
 * @param sessions the number of pairs of sessions of one wallet
 * @param filters the number of different filters it holds
 * @param found the pairs of different filters of one wallet that it links
 * @param missed the pairs of different filters of one wallet that it does not link
 * @param mistaken the pairs of filters of two wallets that it links
 * @param apart the number of pairs of filters of two wallets, linked or not
 * @param auc the chance that a pair of one wallet overlaps more than a pair of two
 */
public record LinkScores(
    int sameBytes,
    int sessions,
    int filters,
    int found,
    int missed,
    int mistaken,
    int apart,
    double auc) {

  /** A filter, its wallet, and the scripts of other users that match it. */
  private record Held(int wallet, Surveillance life, BloomFilter filter, BitSet strangers) {}

  /**
   * Tests all pairs.
   *
   * @param lives lives of wallets with the same client, already swept
   * @param universe the number of scripts the adversary can test
   */
  public static LinkScores of(List<Surveillance> lives, int universe) {
    List<Held> all = new ArrayList<>();
    int sameBytes = 0;
    int sessions = 0;
    for (int wallet = 0; wallet < lives.size(); wallet++) {
      List<List<BloomFilter>> each = lives.get(wallet).sessions();
      Surveillance life = lives.get(wallet);
      Set<BloomFilter> distinct = new LinkedHashSet<>();
      for (int i = 0; i < each.size(); i++) {
        distinct.addAll(each.get(i));
        for (int j = 0; j < i; j++) {
          sessions++;
          sameBytes += shareOne(each.get(i), each.get(j)) ? 1 : 0;
        }
      }
      for (BloomFilter filter : distinct) {
        all.add(new Held(wallet, life, filter, life.matching(filter).strangers()));
      }
    }
    return of(all, sameBytes, sessions, universe);
  }

  private static boolean shareOne(Collection<BloomFilter> one, List<BloomFilter> other) {
    for (BloomFilter a : one) {
      for (BloomFilter b : other) {
        if (Linkability.same(a, b)) {
          return true;
        }
      }
    }
    return false;
  }

  private static LinkScores of(List<Held> all, int sameBytes, int sessions, int universe) {
    List<Double> together = new ArrayList<>();
    List<Double> apart = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        boolean one = all.get(i).wallet() == all.get(j).wallet();
        (one ? together : apart).add(overlap(all.get(i), all.get(j), universe));
      }
    }
    int found = linked(together);
    int mistaken = linked(apart);
    double auc =
        together.isEmpty() || apart.isEmpty()
            ? 0.5
            : Distinguisher.of(scores(together), scores(apart), Linkability.LINKED).auc();
    return new LinkScores(
        sameBytes,
        sessions,
        all.size(),
        found,
        together.size() - found,
        mistaken,
        apart.size(),
        auc);
  }

  /**
   * Standard deviations above chance of the scripts that match both filters, including the own
   * scripts of the one or two wallets.
   */
  private static double overlap(Held one, Held other, int universe) {
    BitSet both = (BitSet) one.strangers().clone();
    both.and(other.strangers());
    int joint = both.cardinality() + one.life().ownIn(one.filter(), other.filter());
    if (one.wallet() != other.wallet()) {
      joint += other.life().ownIn(one.filter(), other.filter());
    }
    return Linkability.counted(
            joint, universe, one.filter().realisedRate(), other.filter().realisedRate())
        .value();
  }

  private static int linked(List<Double> overlaps) {
    return (int) overlaps.stream().filter(z -> z > Linkability.LINKED).count();
  }

  private static double[] scores(List<Double> overlaps) {
    return overlaps.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
