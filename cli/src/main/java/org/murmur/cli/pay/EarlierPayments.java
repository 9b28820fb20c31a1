package org.murmur.cli.pay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.TransactionDetail;
import org.murmur.wallet.WalletCoin;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.spend.Recipient;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;

/**
 * Payments of the wallet that pay the same and that no block holds: a crash may have left them,
 * another process may have made them just now, or they no longer count, because the user abandoned
 * or cancelled them. A peer may have one of these nevertheless.
 */
final class EarlierPayments {

  private static final int PAGE = 50;

  /** Stands for the payment that is planned. */
  private static final Hash256 PLANNED = Hash256.ZERO;

  private final SpvWallet wallet;
  private final List<TransactionDetail> payments;

  private EarlierPayments(SpvWallet wallet, List<TransactionDetail> payments) {
    this.wallet = wallet;
    this.payments = payments;
  }

  static EarlierPayments of(SpvWallet wallet, List<Recipient> recipients) throws WalletException {
    List<TransactionDetail> payments = new ArrayList<>();
    for (HistoryEntry entry : unconfirmed(wallet)) {
      Optional<TransactionDetail> known = wallet.transaction(entry.txid());
      if (known.isPresent() && isOurs(known.get()) && pays(known.get(), recipients)) {
        payments.add(known.get());
      }
    }
    return new EarlierPayments(wallet, payments);
  }

  private static boolean isOurs(TransactionDetail payment) {
    return payment.spent().size() == payment.tx().inputs().size();
  }

  /** The history ends with them. */
  private static List<HistoryEntry> unconfirmed(SpvWallet wallet) throws WalletException {
    List<HistoryEntry> found = new ArrayList<>();
    Optional<Hash256> before = Optional.empty();
    while (true) {
      Optional<HistoryPage> page = wallet.history(PAGE, before, true);
      List<HistoryEntry> entries = page.map(HistoryPage::entries).orElse(List.of());
      entries.stream().filter(entry -> entry.height().isEmpty()).forEach(found::add);
      if (entries.isEmpty() || !page.get().older() || entries.get(0).height().isPresent()) {
        return found;
      }
      before = Optional.of(entries.get(0).txid());
    }
  }

  private static boolean pays(TransactionDetail payment, List<Recipient> recipients) {
    return recipients.stream()
        .allMatch(
            recipient ->
                payment.tx().outputs().stream()
                    .anyMatch(
                        output ->
                            output.script().equals(recipient.script())
                                && isSame(output.value(), recipient, payment)));
  }

  /** Whether a payment that ordered the same could have paid this. */
  private static boolean isSame(long paid, Recipient recipient, TransactionDetail payment) {
    return switch (recipient.share()) {
      case AMOUNT -> paid == recipient.amount();
      // The fee was that of other coins, perhaps.
      case AMOUNT_LESS_FEE ->
          paid <= recipient.amount()
              && paid >= recipient.amount() - payment.fee().orElse(recipient.amount());
      case ALL -> payment.received().isEmpty();
    };
  }

  /** Why not to pay: one that waits for a block must be mined or abandoned first. */
  Optional<Failure> waiting() {
    return payments.stream()
        .filter(payment -> payment.status() == TxStatus.PENDING)
        .findFirst()
        .map(
            payment ->
                Failure.failed("already_pending", waits(payment.tx().txid(), payment.heard())));
  }

  private static String waits(Hash256 txid, boolean heard) {
    return "payment "
        + txid
        + (heard
            ? " pays the same and waits for a block: raise its fee with `murmur bump "
                + txid
                + "`, or pay twice with --again"
            : " pays the same and no peer is known to have it: send it with `murmur broadcast "
                + txid
                + "`, free its coins with `murmur abandon "
                + txid
                + "`, or pay twice with --again");
  }

  /**
   * Why not to pay: of one that no longer counts and this one, only one may be mined, so they must
   * conflict.
   */
  Optional<Failure> withoutConflict(Proposal proposal) throws WalletException {
    Map<OutPoint, Hash256> planned = spends(PLANNED, proposal.coins());
    for (TransactionDetail payment : payments) {
      Map<OutPoint, Hash256> earlier = spends(payment.tx().txid(), inputs(payment.tx()));
      if (payment.status() != TxStatus.PENDING
          && !conflict(earlier, planned)
          && mayBeMined(earlier.values())) {
        String coins = coinsInConflict(earlier);
        return Optional.of(
            Failure.failed(
                kind(payment),
                "payment "
                    + payment.tx().txid()
                    + " pays the same and "
                    + fate(payment)
                    + ". A peer may have it nevertheless, and then both would be paid. "
                    + (coins.isEmpty()
                        ? "Wait for a block"
                        : "Spend these coins, so that only one can be mined:" + coins)
                    + "; or pay twice with --again"));
      }
    }
    return Optional.empty();
  }

  private static String kind(TransactionDetail payment) {
    return switch (payment.status()) {
      case ABANDONED -> "abandoned";
      case REPLACED -> "replaced";
      default -> "dropped";
    };
  }

  private static String fate(TransactionDetail payment) {
    return switch (payment.status()) {
      case ABANDONED -> "was abandoned";
      case REPLACED ->
          "was replaced by "
              + payment.replacedBy().map(by -> by.txid().toString()).orElse("another one")
              + ", which no block holds yet";
      default -> "peers dropped it, or what it spends";
    };
  }

  /**
   * What a transaction and its unconfirmed ancestors spend.
   *
   * @return who spends each coin
   */
  private Map<OutPoint, Hash256> spends(Hash256 spender, List<OutPoint> coins)
      throws WalletException {
    Map<OutPoint, Hash256> spends = new HashMap<>();
    addSpends(spender, coins, spends);
    return spends;
  }

  private void addSpends(Hash256 spender, List<OutPoint> coins, Map<OutPoint, Hash256> spends)
      throws WalletException {
    for (OutPoint coin : coins) {
      if (spends.put(coin, spender) == null) {
        Optional<TransactionDetail> parent = wallet.transaction(coin.txid());
        if (parent.isPresent() && parent.get().confirmation().isEmpty()) {
          addSpends(coin.txid(), inputs(parent.get().tx()), spends);
        }
      }
    }
  }

  private static List<OutPoint> inputs(Tx tx) {
    return tx.inputs().stream().map(Tx.Input::outPoint).collect(Collectors.toList());
  }

  /** Whether two transactions spend one coin, or what they build on does. */
  private static boolean conflict(Map<OutPoint, Hash256> one, Map<OutPoint, Hash256> other) {
    return one.entrySet().stream()
        .anyMatch(
            spend -> {
              Hash256 spender = other.get(spend.getKey());
              return spender != null && !spender.equals(spend.getValue());
            });
  }

  /** Whether no block holds another spend of what these transactions spend. */
  private boolean mayBeMined(Collection<Hash256> chain) throws WalletException {
    for (Hash256 txid : new HashSet<>(chain)) {
      Optional<Replacement> by = wallet.transaction(txid).flatMap(TransactionDetail::replacedBy);
      if (by.isPresent() && by.get().height().isPresent()) {
        return false;
      }
    }
    return true;
  }

  /** Options that name the coins by which a payment conflicts with an earlier one. */
  private String coinsInConflict(Map<OutPoint, Hash256> earlier) throws WalletException {
    StringBuilder options = new StringBuilder();
    for (WalletCoin coin : wallet.coins()) {
      Map<OutPoint, Hash256> spend =
          coin.height().isPresent()
              ? Map.of(coin.outPoint(), PLANNED)
              : spends(PLANNED, List.of(coin.outPoint()));
      if (conflict(earlier, spend)) {
        options.append(" --coin ").append(coin.outPoint());
      }
    }
    return options.toString();
  }
}
