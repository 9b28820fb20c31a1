package org.murmur.lab.privacy.adversaries;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.privacy.BlockCost;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.ScriptClusters;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.lab.privacy.clients.WalletState;
import org.murmur.regtest.chain.Dice;

/**
 * One wallet's life with Murmur's compact preset, and the conclusions of those who serve its
 * blocks. No peer gets a script. A peer sees heights: of the blocks with the wallet's transactions,
 * and of those whose filter matches by chance. Any script in such a block may be the wallet's.
 *
 * <p>The life is a scan, and a restore that scans again. A model: false matches come at the rate of
 * BIP-0158, the same in both scans, and blocks are asked of random peers. Effectively immutable.
 */
public final class BlockSurveillance {

  /** The rate at which a foreign script matches a filter of a block. */
  public static final double FALSE_MATCHES = 1.0 / GolombCodedSet.Parameters.BASIC_M;

  private final SyntheticChain chain;
  private final OwnWallet wallet;
  private final long negatives;
  private final BitSet fetched = new BitSet();
  private final int own;

  /** By scan, and then by peer: the heights that it served. */
  private final List<List<BitSet>> served = new ArrayList<>();

  /**
   * Makes a life.
   *
   * @param universe how many scripts an adversary can test
   * @param peers how many peers share the blocks
   * @param watched how many scripts the wallet tests against each filter
   */
  public BlockSurveillance(
      SyntheticChain chain, int universe, OwnWallet wallet, int peers, int watched, Dice dice) {
    this.chain = chain;
    this.wallet = wallet;
    this.negatives = universe - (long) wallet.keys().size();
    WalletState.at(chain, wallet, chain.height())
        .transactions()
        .forEach(tx -> fetched.set(chain.heightOf(tx)));
    own = fetched.cardinality();
    double byChance = BlockCost.matchChance(FALSE_MATCHES, watched);
    for (int height = 1; height <= chain.height(); height++) {
      if (dice.fraction() < byChance) {
        fetched.set(height);
      }
    }
    for (int scan = 0; scan < 2; scan++) {
      List<BitSet> each = new ArrayList<>();
      for (int peer = 0; peer < peers; peer++) {
        each.add(new BitSet());
      }
      fetched.stream().forEach(height -> each.get(dice.below(peers)).set(height));
      served.add(each);
    }
  }

  /** Returns how many blocks have a transaction of the wallet. */
  public int own() {
    return own;
  }

  /** Returns the heights of the blocks that a scan fetches. */
  public BitSet fetched() {
    return (BitSet) fetched.clone();
  }

  /**
   * Returns the score of every adversary. One that sees all fetches drops a script that is also in
   * another block; one of several peers cannot. The observer of all traffic (A4) also follows which
   * scripts were spent together (A6).
   */
  public Map<Adversary, Score> scores(Surveillance.Linkage linkage) {
    List<BitSet> first = served.get(0);
    BitSet both = or(first.get(0), served.get(1).get(0));
    Map<Adversary, Score> scores = new EnumMap<>(Adversary.class);
    scores.put(Adversary.A1, score(chain.scriptsAt(first.get(0)), first.get(0)));
    scores.put(Adversary.A2, score(chain.scriptsAt(both), both));
    BitSet only = onlyFetched();
    Score groups = score(linked(only, linkage.inputs(), 1), fetched);
    scores.put(Adversary.A4, groups);
    if (first.size() > 1) {
      BitSet two = or(first.get(0), first.get(1));
      scores.put(Adversary.A3, score(chain.scriptsAt(two), two));
    } else {
      scores.put(Adversary.A1B, score(only, fetched));
      scores.put(Adversary.A6, groups);
      double most = Surveillance.MOST;
      scores.put(Adversary.A6_MOST, score(linked(only, linkage.inputs(), most), fetched));
      scores.put(Adversary.A6_CHANGE, score(linked(only, linkage.withChange(), most), fetched));
    }
    return scores;
  }

  private static BitSet or(BitSet one, BitSet other) {
    BitSet either = (BitSet) one.clone();
    either.or(other);
    return either;
  }

  /** The scripts that are in fetched blocks and in no other one, also not before the scan. */
  private BitSet onlyFetched() {
    BitSet only = chain.scriptsAt(fetched);
    only.stream().filter(script -> !isOnlyFetched(script)).forEach(only::clear);
    return only;
  }

  private boolean isOnlyFetched(int script) {
    for (int coin = chain.firstCoinOf(script); coin >= 0; coin = chain.nextCoin(coin)) {
      if (!fetched.get(chain.heightOf(chain.txOf(coin)))
          || (chain.isSpent(coin) && !fetched.get(chain.heightOf(chain.spender(coin))))) {
        return false;
      }
    }
    return true;
  }

  /** The clusters of at least two scripts of which a share is among some. */
  private static BitSet linked(BitSet some, ScriptClusters clusters, double share) {
    Map<Integer, Integer> found = new HashMap<>();
    some.stream().forEach(script -> found.merge(clusters.of(script), 1, Integer::sum));
    BitSet all = new BitSet();
    found.forEach(
        (cluster, count) -> {
          int size = clusters.sizeOf(cluster);
          if (size > 1 && count >= Surveillance.needed(share, size)) {
            clusters.forEach(cluster, all::set);
          }
        });
    return all;
  }

  private Score score(BitSet scripts, BitSet blocks) {
    long own = scripts.stream().filter(one -> chain.owner(one) == wallet.user()).count();
    long foreign = scripts.cardinality() - own;
    return Score.of(
        blocks.cardinality(), own, foreign, wallet.keys().size() - own, negatives, Double.NaN);
  }
}
