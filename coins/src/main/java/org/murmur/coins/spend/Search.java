package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.spend.SpendOutcome.InsufficientFunds;
import org.murmur.coins.spend.fee.TxWeight;

/**
 * Searches the coins of a payment: among the best ones first, then among more. Each time several
 * algorithms choose, and the choice with the least waste wins. Inputs of one kind are preferred to
 * mixed ones, because mixed ones identify the wallet.
 */
final class Search {

  /** The fee of a set is not quite the sum of its parts; a few more satoshi are asked for then. */
  private static final int MAX_ATTEMPTS = 4;

  /**
   * Random draws, of which the one with the least waste counts. With one draw as in Core, 1,000
   * payments left 7 % more coins for the same fees.
   */
  private static final int DRAWS = 8;

  /**
   * The most that a payment costs, in percent of the cheapest choice found. Waste alone has no
   * limit: below the long-term rate it prefers any number of small coins, and anybody can send
   * those.
   */
  private static final int MAX_PERCENT = 130;

  /** The most that it costs to leave nothing at an address, in percent of the fee without. */
  private static final int MAX_WHOLE_PERCENT = 105;

  private static final Comparator<Draft> BEST =
      Comparator.comparingLong(Draft::waste).thenComparingLong(Draft::fee);

  private final PaymentOrder order;
  private final Terms terms;
  private final Drafts drafts;
  private final Draws draws;
  private final List<InputCoin> named;
  private final List<InputCoin> usable;
  private final long goodChange;

  Search(PaymentOrder order, Terms terms, Draws draws) {
    this.order = order;
    this.terms = terms;
    this.draws = draws;
    drafts = new Drafts(order, terms);
    named = order.coins().stream().filter(order::isNamed).collect(Collectors.toList());
    usable = Eligibility.usable(order);
    goodChange = terms.drawGoodChange(draws) + terms.changeFee();
  }

  /** The best payment, or one with a problem. */
  Draft run() {
    if (!named.isEmpty()) {
      Draft draft = drafts.of(named, Algorithm.NAMED);
      if (draft.isPayable() || !order.allowsOthers()) {
        return draft;
      }
    }
    if (!order.sweeps()) {
      List<InputCoin> worth =
          usable.stream()
              .filter(terms::isWorthLater)
              .collect(Collectors.toCollection(ArrayList::new));
      List<Group> single = Group.ofOne(worth);
      List<Group> whole = Group.ofScripts(worth, draws);
      for (Eligibility eligibility : Eligibility.values()) {
        Optional<Draft> best = among(eligibility, single);
        if (best.isPresent()) {
          return whole(eligibility, whole, best.get());
        }
      }
      Optional<Draft> lastResort = lastResort();
      if (lastResort.isPresent()) {
        return lastResort.get();
      }
    }
    return new WholeWallet(order, terms, drafts).draft(named, usable);
  }

  /** Coins of a script separately, because nodes might not relay one of them. */
  private Optional<Draft> lastResort() {
    List<Group> single = Group.ofOne(usable);
    for (Eligibility eligibility : List.of(Eligibility.CONFIRMED, Eligibility.LAST)) {
      List<Group> eligible =
          single.stream()
              .filter(group -> eligibility.admits(group, order.pending()))
              .collect(Collectors.toList());
      Optional<Draft> best = best(payable(eligible));
      if (best.isPresent()) {
        return best.map(draft -> drafts.of(draft.coins(), Algorithm.LAST_RESORT));
      }
    }
    return Optional.empty();
  }

  /** Nothing is left at an address if that costs little: a later payment would link the rest. */
  private Draft whole(Eligibility eligibility, List<Group> groups, Draft best) {
    if (!order.spendsScriptsTogether()) {
      return best;
    }
    return among(eligibility, groups)
        .filter(draft -> costsAtMost(draft, MAX_WHOLE_PERCENT, best.fee()))
        .orElse(best);
  }

  private Optional<Draft> among(Eligibility eligibility, List<Group> groups) {
    List<Group> eligible = new ArrayList<>();
    Map<OutputKind, List<Group>> byKind = new LinkedHashMap<>();
    for (Group group : groups) {
      if (eligibility.admits(group, order.pending())) {
        eligible.add(group);
        byKind.computeIfAbsent(group.kind(), kind -> new ArrayList<>()).add(group);
      }
    }
    List<Draft> payable = new ArrayList<>();
    byKind.values().forEach(kind -> payable.addAll(payable(kind)));
    if (payable.isEmpty() && byKind.size() > 1 && eligibility.mixesKinds()) {
      payable.addAll(payable(eligible));
    }
    return best(payable);
  }

  /** The least waste, of those that cost little more than the cheapest. */
  private static Optional<Draft> best(List<Draft> payable) {
    long least = payable.stream().mapToLong(Draft::fee).min().orElse(0);
    return payable.stream().filter(draft -> costsAtMost(draft, MAX_PERCENT, least)).min(BEST);
  }

  private static boolean costsAtMost(Draft draft, int percent, long fee) {
    return draft.fee() * 100 <= fee * percent;
  }

  private List<Draft> payable(List<Group> groups) {
    List<Candidate> candidates = candidates(groups);
    int inputs = named.size() + groups.stream().mapToInt(group -> group.coins().size()).sum();
    long extra = 0;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Goal goal = goal(inputs, extra);
      List<Draft> found = drafts(usual(candidates, goal), groups);
      if (inputsAreDear() || found.stream().noneMatch(Draft::isPayable)) {
        long smallest = terms.minChange() + terms.changeFee();
        found.addAll(drafts(Selections.anyChange(candidates, goal, smallest), groups));
      }
      long missing = found.stream().mapToLong(Search::missing).min().orElse(0);
      found.removeIf(draft -> !draft.isPayable());
      if (!found.isEmpty() || missing == 0) {
        return found;
      }
      extra += missing;
    }
    return List.of();
  }

  /** Above the long-term rate, smaller change may cost less than the inputs for good change. */
  private boolean inputsAreDear() {
    return order.fees().rate().compareTo(order.fees().longTerm()) > 0;
  }

  private static long missing(Draft draft) {
    return draft.problem().orElse(null) instanceof InsufficientFunds funds
        ? funds.missing()
        : Long.MAX_VALUE;
  }

  private Goal goal(int inputs, long extra) {
    long target = terms.amounts() + extra - value(named);
    if (!order.subtractsFee()) {
      target += terms.outputsFee(inputs);
    }
    int weight = named.stream().mapToInt(coin -> TxWeight.ofInput(coin.size())).sum();
    return new Goal(
        Math.max(0, target), goodChange, terms.costOfChange(), terms.maxInputWeight() - weight);
  }

  private List<Choice> usual(List<Candidate> candidates, Goal goal) {
    List<Choice> choices = new ArrayList<>();
    if (!order.subtractsFee()) {
      Selections.changeless(candidates, goal).ifPresent(choices::add);
    }
    for (int i = 0; i < DRAWS; i++) {
      Selections.drawn(candidates, goal, terms.changeFee(), draws).ifPresent(choices::add);
    }
    Selections.lightest(candidates, goal).ifPresent(choices::add);
    return choices;
  }

  private List<Draft> drafts(List<Choice> choices, List<Group> groups) {
    List<Draft> found = new ArrayList<>();
    for (Choice choice : choices) {
      List<InputCoin> coins = new ArrayList<>(named);
      choice.chosen().forEach(candidate -> coins.addAll(groups.get(candidate.number()).coins()));
      found.add(drafts.of(coins, choice.algorithm()));
    }
    return found;
  }

  private List<Candidate> candidates(List<Group> groups) {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      List<InputCoin> coins = groups.get(i).coins();
      long ancestorFee = terms.ancestorFee(coins);
      long value = value(coins);
      int weight = coins.stream().mapToInt(coin -> TxWeight.ofInput(coin.size())).sum();
      if (value > 0) {
        candidates.add(new Candidate(i, value, weight, terms.waste(weight) + ancestorFee));
      }
    }
    return candidates;
  }

  /**
   * The value that coins add to a payment. Where recipients pay the fee, they count with all they
   * have.
   */
  private long value(List<InputCoin> coins) {
    return order.subtractsFee()
        ? coins.stream().mapToLong(InputCoin::value).sum()
        : coins.stream().mapToLong(terms::effectiveValue).sum() - terms.ancestorFee(coins);
  }
}
