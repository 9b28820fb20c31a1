package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.internal.fee.Dust;
import org.murmur.coins.spend.Recipient.Share;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.coins.spend.fee.TxWeight;

/** Whether a payment is possible, by trying every subset of the coins. */
final class AllSubsets {

  private final PaymentOrder request;
  private final List<InputCoin> named = new ArrayList<>();
  private final List<InputCoin> optional = new ArrayList<>();
  private final Set<Hash256> notMined;

  AllSubsets(PaymentOrder request) {
    this.request = request;
    notMined = request.pending().notMinedAt(request.fees().rate());
    for (InputCoin coin : request.coins()) {
      if (request.isNamed(coin)) {
        named.add(coin);
      } else if (request.allowsOthers() && isAllowed(coin)) {
        optional.add(coin);
      }
    }
  }

  private boolean isAllowed(InputCoin coin) {
    boolean change = coin.own() && request.allowsUnconfirmedChange();
    return !coin.frozen()
        && (!coin.coinbase() || coin.confirmations() >= 101)
        && (coin.confirmations() > 0 || change);
  }

  boolean isSmall() {
    return optional.size() <= 9;
  }

  /** Coins that can pay it. */
  Optional<List<InputCoin>> solution() {
    for (int bits = 0; bits < 1 << optional.size(); bits++) {
      List<InputCoin> coins = new ArrayList<>(named);
      for (int i = 0; i < optional.size(); i++) {
        if ((bits >> i & 1) == 1) {
          coins.add(optional.get(i));
        }
      }
      if (!coins.isEmpty() && canPay(coins)) {
        return Optional.of(coins);
      }
    }
    return Optional.empty();
  }

  /** Without change, which costs more; amounts that pay the fee must be able to pay for change. */
  private boolean canPay(List<InputCoin> coins) {
    List<Bytes> scripts = request.recipients().stream().map(Recipient::script).toList();
    List<InputSize> sizes = coins.stream().map(InputCoin::size).toList();
    int weight = TxWeight.of(sizes, scripts);
    if (weight > 400_000 || TxWeight.stripped(sizes, scripts) < 65 || !isRelayed(coins, weight)) {
      return false;
    }
    long rate = request.fees().rate().satPerKvb();
    long vsize = (weight + 3L) / 4;
    // Parts are rounded up to satoshi, the whole to virtual bytes: one of them to spare.
    long spare = coins.size() + (rate + 999) / 1_000;
    long fee = (rate * vsize + 999) / 1_000 + ancestorFee(coins) + spare;
    long left = coins.stream().mapToLong(InputCoin::value).sum();
    for (Recipient recipient : request.recipients()) {
      left -= recipient.amount();
    }
    return switch (share()) {
      case AMOUNT -> left >= fee;
      case ALL -> left - fee >= dustOfAll();
      case AMOUNT_LESS_FEE -> left >= 0 && sharesSuffice(fee + new Terms(request).changeFee());
    };
  }

  private Share share() {
    return request.recipients().stream()
        .map(Recipient::share)
        .filter(share -> share != Share.AMOUNT)
        .findFirst()
        .orElse(Share.AMOUNT);
  }

  private long dustOfAll() {
    return request.recipients().stream()
        .filter(recipient -> recipient.share() == Share.ALL)
        .mapToLong(recipient -> Dust.threshold(recipient.script()))
        .sum();
  }

  private boolean sharesSuffice(long fee) {
    List<Recipient> payers =
        request.recipients().stream()
            .filter(recipient -> recipient.share() == Share.AMOUNT_LESS_FEE)
            .toList();
    long rest = fee % payers.size();
    for (Recipient payer : payers) {
      long amount = payer.amount() - fee / payers.size() - rest;
      rest = 0;
      if (amount < Dust.threshold(payer.script())) {
        return false;
      }
    }
    return true;
  }

  private long ancestorFee(Collection<InputCoin> coins) {
    FeeRate rate = request.fees().rate();
    return request.pending().deficit(parents(coins), notMined, rate);
  }

  private static Set<Hash256> parents(Collection<InputCoin> coins) {
    Set<Hash256> parents = new HashSet<>();
    coins.stream()
        .filter(coin -> coin.confirmations() == 0)
        .forEach(coin -> parents.add(coin.outPoint().txid()));
    return parents;
  }

  /** Each package with the payment in it: at most 25 transactions and 101,000 vB. */
  boolean isRelayed(Collection<InputCoin> coins, int weight) {
    PendingTransactions pending = request.pending();
    Set<Hash256> ancestors = pending.withAncestors(parents(coins));
    return Stream.concat(
            Stream.of(ancestors),
            ancestors.stream().map(each -> pending.withDescendants(Set.of(each))))
        .filter(each -> !ancestors.isEmpty())
        .allMatch(
            each -> each.size() + 1 <= 25 && pending.vsize(each) + (weight + 3L) / 4 <= 101_000);
  }
}
