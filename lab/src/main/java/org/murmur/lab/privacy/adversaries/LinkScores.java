package org.murmur.lab.privacy.adversaries;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.internal.privacy.Distinguisher;
import org.murmur.bip37.internal.privacy.Linkability;

/**
 * The link adversary holds filters of several wallets of one client. It links filters of one wallet
 * by equal bytes, or because they share more scripts than expected by chance (M12).
 *
 * @param sameBytes the pairs of sessions of one wallet that show the same filter
 * @param sessions the number of pairs of sessions of one wallet
 * @param overlaps the pairs of different filters that it links: right if they are of one wallet,
 *     and wrong if they are of two
 */
public record LinkScores(int sameBytes, int sessions, Score overlaps) {

  /** The number of different filters it holds. */
  public int filters() {
    return overlaps.filters();
  }

  /** A filter, its wallet, and the scripts of other users that match it. */
  private record Held(int wallet, Surveillance life, BloomFilter filter, BitSet strangers) {}

  /**
   * Tests all pairs of lives of wallets with the same client, already swept, by an adversary that
   * can test so many scripts.
   */
  public static LinkScores of(List<Surveillance> lives, int universe) {
    Pairs pairs = new Pairs(held(lives), universe);
    int sameBytes = 0;
    int sessions = 0;
    for (Surveillance life : lives) {
      sameBytes += sameBytes(life);
      sessions += sessions(life);
    }
    return pairs.scores(sameBytes, sessions, wallet -> true);
  }

  /**
   * Tests all pairs likewise, and returns for each wallet those that contain a filter of it; so
   * each pair of two wallets is counted at both.
   */
  public static List<LinkScores> each(List<Surveillance> lives, int universe) {
    Pairs pairs = new Pairs(held(lives), universe);
    List<LinkScores> each = new ArrayList<>();
    for (int i = 0; i < lives.size(); i++) {
      int wallet = i;
      Surveillance life = lives.get(i);
      each.add(pairs.scores(sameBytes(life), sessions(life), one -> one == wallet));
    }
    return each;
  }

  private static List<Held> held(List<Surveillance> lives) {
    List<Held> all = new ArrayList<>();
    for (int wallet = 0; wallet < lives.size(); wallet++) {
      Surveillance life = lives.get(wallet);
      Set<BloomFilter> distinct = new LinkedHashSet<>();
      life.sessions().forEach(distinct::addAll);
      for (BloomFilter filter : distinct) {
        all.add(new Held(wallet, life, filter, life.matching(filter).strangers()));
      }
    }
    return all;
  }

  private static int sessions(Surveillance life) {
    int count = life.sessions().size();
    return count * (count - 1) / 2;
  }

  private static int sameBytes(Surveillance life) {
    List<List<BloomFilter>> each = life.sessions();
    int same = 0;
    for (int i = 0; i < each.size(); i++) {
      for (int j = 0; j < i; j++) {
        same += shareOne(each.get(i), each.get(j)) ? 1 : 0;
      }
    }
    return same;
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

  /** The overlaps of all pairs. */
  private static final class Pairs {

    private final List<Held> all;
    private final double[][] overlaps;

    Pairs(List<Held> all, int universe) {
      this.all = all;
      this.overlaps = new double[all.size()][];
      for (int i = 0; i < overlaps.length; i++) {
        overlaps[i] = new double[i];
        for (int j = 0; j < i; j++) {
          overlaps[i][j] = overlap(all.get(i), all.get(j), universe);
        }
      }
    }

    /** The pairs with a filter of some wallets. */
    LinkScores scores(int sameBytes, int sessions, IntPredicate wallets) {
      List<Double> together = new ArrayList<>();
      List<Double> apart = new ArrayList<>();
      for (int i = 0; i < overlaps.length; i++) {
        for (int j = 0; j < i; j++) {
          int one = all.get(i).wallet();
          int other = all.get(j).wallet();
          if (wallets.test(one) || wallets.test(other)) {
            (one == other ? together : apart).add(overlaps[i][j]);
          }
        }
      }
      int found = linked(together);
      int mistaken = linked(apart);
      double auc =
          together.isEmpty() || apart.isEmpty()
              ? 0.5
              : Distinguisher.of(
                      LinkScores.scores(together), LinkScores.scores(apart), Linkability.LINKED)
                  .auc();
      int filters = (int) all.stream().filter(held -> wallets.test(held.wallet())).count();
      int missed = together.size() - found;
      return new LinkScores(
          sameBytes,
          sessions,
          new Score(filters, found, mistaken, missed, apart.size(), Double.NaN, auc));
    }
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
