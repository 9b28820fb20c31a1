package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.spend.InputCoin;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.coins.spend.Recipient;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LinkedScripts;
import org.murmur.wallet.internal.ledger.OwnScripts;

/** Finds out what a proposal reveals. Reads all payments of the wallet, and writes nothing. */
final class Tracing {

  /** How many groups of linked coins are tried for another choice, the smallest sums first. */
  private static final int MAX_GROUPS = 100;

  private final WalletView view;
  private final BitSet used;
  private final LinkedScripts linked;

  /** Plans the same payment with other coins. */
  @FunctionalInterface
  interface Planner {
    /** Empty if these coins cannot pay it. */
    Optional<PaymentPlan> plan(List<InputCoin> coins);
  }

  /** Reads the links so far. The books are lent as long as this is used. */
  Tracing(WalletView view) {
    this.view = view;
    this.used = view.ledger().usedScripts();
    List<Effect> effects = new ArrayList<>();
    for (Fact fact : view.ledger().transactions()) {
      if (view.ledger().status(fact.tx().txid()).counts()) {
        effects.add(view.ledger().effect(fact.tx().txid()));
      }
    }
    this.linked = LinkedScripts.of(effects);
  }

  PaymentTrace trace(PaymentPlan plan, List<InputCoin> coins, long least, Planner planner) {
    Map<Integer, Set<Integer>> groups = groups(plan);
    boolean news = groups.size() > 1;
    List<List<String>> newLinks = new ArrayList<>();
    if (news) {
      groups
          .values()
          .forEach(
              scripts ->
                  newLinks.add(
                      scripts.stream()
                          .map(script -> view.scripts().place(script).address())
                          .collect(Collectors.toList())));
    }
    return new PaymentTrace(
        newLinks,
        groupSize(plan),
        ChangeHint.of(plan),
        news
            ? apart(coins, least, planner)
                .map(other -> new PaymentTrace.Apart(outPoints(other), other.fee()))
            : Optional.empty(),
        toSelf(plan),
        List.of());
  }

  private Set<Integer> toSelf(PaymentPlan plan) {
    return view.effect(plan).received().stream()
        .map(Effect.Part::index)
        .filter(at -> !plan.outputs().get(at).isChange())
        .collect(Collectors.toSet());
  }

  /**
   * The scripts that have a history and that it names, by the groups that they are in. A new script
   * has no history that a link could reveal.
   */
  private Map<Integer, Set<Integer>> groups(PaymentPlan plan) {
    Map<Integer, Set<Integer>> groups = new LinkedHashMap<>();
    Effect effect = view.effect(plan);
    effect.spent().forEach(part -> add(groups, part.script()));
    for (Effect.Part part : effect.received()) {
      if (used.get(part.script())) {
        add(groups, part.script());
      }
    }
    return groups;
  }

  private void add(Map<Integer, Set<Integer>> groups, int script) {
    groups.computeIfAbsent(linked.groupOf(script), g -> new LinkedHashSet<>()).add(script);
  }

  private int groupSize(PaymentPlan plan) {
    Effect effect = view.effect(plan);
    LinkedScripts after = linked.with(effect);
    int group = after.groupOf(effect.spent().get(0).script());
    int derived =
        after.groups().stream()
            .filter(scripts -> scripts.get(group))
            .mapToInt(BitSet::cardinality)
            .findFirst()
            .orElse(1);
    boolean beyond =
        plan.outputs().stream()
            .anyMatch(
                output ->
                    output.isChange()
                        && view.scripts().find(output.script()) == OwnScripts.FOREIGN);
    return derived + (beyond ? 1 : 0);
  }

  /** A plan that links nothing new for the same fee or less; empty if the given one is as good. */
  Optional<PaymentPlan> better(
      PaymentPlan plan, List<InputCoin> coins, long least, Planner planner) {
    return groups(plan).size() > 1
        ? apart(coins, least, planner).filter(other -> other.fee() <= plan.fee())
        : Optional.empty();
  }

  /** The cheapest plan of those with coins of one group alone: they link nothing new. */
  private Optional<PaymentPlan> apart(List<InputCoin> coins, long least, Planner planner) {
    Map<Integer, List<InputCoin>> groups = new HashMap<>();
    for (InputCoin coin : coins) {
      if (!coin.obstacle().isPresent()) {
        int group = linked.groupOf(view.scripts().find(coin.script()));
        groups.computeIfAbsent(group, g -> new ArrayList<>()).add(coin);
      }
    }
    return groups.values().stream()
        .filter(group -> sum(group) > least)
        .sorted(Comparator.comparingLong(Tracing::sum).thenComparing(group -> first(group)))
        .limit(MAX_GROUPS)
        .map(planner::plan)
        .filter(plan -> plan.isPresent() && groups(plan.get()).size() == 1)
        .map(Optional::get)
        .min(Comparator.comparingLong(PaymentPlan::fee));
  }

  private static String first(List<InputCoin> group) {
    return group.get(0).outPoint().toString();
  }

  private static List<OutPoint> outPoints(PaymentPlan plan) {
    return plan.inputs().stream()
        .map(input -> input.coin().outPoint())
        .collect(Collectors.toList());
  }

  private static long sum(List<InputCoin> coins) {
    return coins.stream().mapToLong(InputCoin::value).sum();
  }

  /** The least amount that the recipients get, in satoshi. */
  static long least(List<Recipient> recipients) {
    return recipients.stream()
        .filter(recipient -> recipient.share() == Recipient.Share.AMOUNT)
        .mapToLong(Recipient::amount)
        .sum();
  }
}
