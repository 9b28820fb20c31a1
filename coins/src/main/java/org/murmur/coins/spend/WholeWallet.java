package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.SpendOutcome.RelayRule;
import org.murmur.coins.spend.fee.TxWeight;

/**
 * The most that the wallet can pay: all coins that are worth their fee, as far as nodes relay the
 * payment. If this does not suffice, nothing does.
 */
final class WholeWallet {

  /** Coins of so little value that the payment may be better off without them. */
  private static final int MAX_TRIMMED = 30;

  private static final int MAX_PASSES = 3;

  private final PaymentOrder order;
  private final Terms terms;
  private final Drafts drafts;
  private long tooHeavy;
  private long tooLong;

  WholeWallet(PaymentOrder order, Terms terms, Drafts drafts) {
    this.order = order;
    this.terms = terms;
    this.drafts = drafts;
  }

  /** The payment that leaves most, or the reason why there is none. */
  Draft draft(List<InputCoin> named, List<InputCoin> usable) {
    List<InputCoin> coins = filled(named, usable);
    return explained(trimmed(coins, coins.subList(named.size(), coins.size())));
  }

  private static Draft better(Draft draft, Draft than) {
    if (draft.isPayable() != than.isPayable()) {
      return draft.isPayable() ? draft : than;
    }
    return draft.surplus() > than.surplus() ? draft : than;
  }

  /** Says that a limit of the nodes is the reason, if it is. */
  private Draft explained(Draft best) {
    if (order.sweeps() && tooHeavy > 0) {
      return best.refusedFor(RelayRule.TOO_HEAVY);
    }
    long missing = Math.max(0, -best.surplus());
    if (missing == 0) {
      return best;
    }
    if (tooHeavy >= missing) {
      return best.refusedFor(RelayRule.TOO_HEAVY);
    }
    return tooHeavy + tooLong >= missing ? best.refusedFor(RelayRule.CHAIN_TOO_LONG) : best;
  }

  /** The coins of each pending transaction, and all of them: they share what ancestors need. */
  private static List<List<InputCoin>> pending(List<InputCoin> coins) {
    List<InputCoin> all =
        coins.stream().filter(InputCoin::isUnconfirmed).collect(Collectors.toList());
    Map<Hash256, List<InputCoin>> byTransaction =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    coin -> coin.outPoint().txid(), TreeMap::new, Collectors.toList()));
    List<List<InputCoin>> sets = new ArrayList<>(byTransaction.values());
    sets.add(all);
    return sets;
  }

  /** Leaves out coins of little value where that helps, and then each pending transaction. */
  private Draft trimmed(List<InputCoin> whole, List<InputCoin> coins) {
    List<List<InputCoin>> doubtful = new ArrayList<>();
    for (int i = coins.size() - 1; i >= Math.max(0, coins.size() - MAX_TRIMMED); i--) {
      doubtful.add(List.of(coins.get(i)));
    }
    doubtful.addAll(pending(coins));
    Draft best = drafts.of(whole, Algorithm.ALL);
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      for (List<InputCoin> some : doubtful) {
        List<InputCoin> fewer = new ArrayList<>(best.coins());
        if (fewer.removeAll(some)) {
          best = better(drafts.of(fewer, Algorithm.ALL), best);
        }
      }
    }
    return best;
  }

  /** The most valuable coins first, until nodes would not relay more. */
  private List<InputCoin> filled(List<InputCoin> named, List<InputCoin> usable) {
    List<InputCoin> coins = new ArrayList<>(named);
    int room = terms.maxInputWeight() - weight(named);
    for (InputCoin coin : worth(usable)) {
      int weight = TxWeight.ofInput(coin.size());
      if (weight > room) {
        tooHeavy += terms.effectiveValue(coin);
      } else if (coin.isUnconfirmed() && !isRelayedWith(coin, coins)) {
        tooLong += terms.effectiveValue(coin);
      } else {
        coins.add(coin);
        room -= weight;
      }
    }
    return coins;
  }

  /**
   * A pending transaction that pays well helps its ancestors, even if its coin is worth nothing.
   */
  private List<InputCoin> worth(List<InputCoin> usable) {
    return usable.stream()
        .filter(coin -> coin.isUnconfirmed() || terms.effectiveValue(coin) >= 0)
        .sorted(Comparator.comparingLong(this::surplusAlone).reversed())
        .collect(Collectors.toList());
  }

  private long surplusAlone(InputCoin coin) {
    return terms.effectiveValue(coin) - terms.ancestorFee(List.of(coin));
  }

  private boolean isRelayedWith(InputCoin coin, List<InputCoin> others) {
    List<InputCoin> coins = new ArrayList<>(others);
    coins.add(coin);
    int weight = terms.weight(coins, true);
    return order.pending().admits(Terms.parents(coins), TxWeight.vsize(weight));
  }

  private static int weight(List<InputCoin> coins) {
    return coins.stream().mapToInt(coin -> TxWeight.ofInput(coin.size())).sum();
  }
}
