package org.murmur.cli.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.TransactionDetail;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.spend.Recipient;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;

/**
 * Payments of the wallet that pay the same and that no block holds: a crash may have left them,
 * another process may have made them just now, or the user has abandoned them. A peer may have an
 * abandoned one nevertheless.
 */
final class EarlierPayments {

  private static final int PAGE = 50;

  private final List<TransactionDetail> payments;

  private EarlierPayments(List<TransactionDetail> payments) {
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
    return new EarlierPayments(payments);
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
   * Why not to pay: of an abandoned one and this one, only one may be mined, so they must spend a
   * common coin.
   */
  Optional<Failure> withoutConflict(Proposal proposal) {
    for (TransactionDetail payment : payments) {
      List<OutPoint> coins =
          payment.tx().inputs().stream().map(Tx.Input::outPoint).collect(Collectors.toList());
      if (payment.status() == TxStatus.ABANDONED
          && coins.stream().noneMatch(proposal.coins()::contains)) {
        String options =
            coins.stream().map(coin -> " --coin " + coin).collect(Collectors.joining());
        return Optional.of(
            Failure.failed(
                "abandoned",
                "payment "
                    + payment.tx().txid()
                    + " pays the same and was abandoned. A peer may have it nevertheless, and then"
                    + " both would be paid. Spend its coins, so that only one can be mined:"
                    + options
                    + "; or pay twice with --again"));
      }
    }
    return Optional.empty();
  }
}
