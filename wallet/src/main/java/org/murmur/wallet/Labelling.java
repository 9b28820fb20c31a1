package org.murmur.wallet;

import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.books.WalletView;
import org.murmur.wallet.label.Label;
import org.murmur.wallet.label.LabelRef;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.Ledger;
import org.murmur.wallet.ledger.TxStatus;

/**
 * Writes what the user notes: labels, and which coins are frozen.
 *
 * @param access reads and writes the books
 */
record Labelling(BooksAccess access) {

  boolean freeze(OutPoint coin) throws WalletException {
    return access.write(
        () -> {
          Label label = stored(coin);
          if (label.frozen()) {
            return false;
          }
          requireCoin(coin);
          put(label.withSpendable(Optional.of(false)));
          return true;
        });
  }

  boolean unfreeze(OutPoint coin) throws WalletException {
    return access.write(
        () -> {
          Label label = stored(coin);
          if (!label.frozen()) {
            requireCoin(coin);
            return false;
          }
          put(label.withSpendable(Optional.empty()));
          return true;
        });
  }

  private Label stored(OutPoint coin) throws WalletException {
    return access.read(view -> view.labels().of(LabelRef.of(coin)));
  }

  private void put(Label label) throws WalletException {
    access.call(
        () -> {
          access.books().writeStore(store -> store.putLabels(List.of(label)));
          return true;
        });
  }

  private void requireCoin(OutPoint coin) throws WalletException {
    Optional<WalletException> refusal = access.read(view -> refusal(view, coin));
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  /** Why an outpoint is no coin of the wallet; empty if it is one. */
  private static Optional<WalletException> refusal(WalletView view, OutPoint coin) {
    Ledger ledger = view.ledger();
    Fact fact = ledger.fact(coin.txid());
    boolean own =
        fact != null
            && ledger.effect(coin.txid()).received().stream()
                .anyMatch(part -> part.outPoint().equals(coin));
    if (!own) {
      return refusal(WalletException.Kind.NOT_FOUND, "the wallet has no coin " + coin);
    }
    Optional<String> spent =
        ledger.spender(coin).map(txid -> "coin " + coin + " is spent by transaction " + txid);
    if (spent.isPresent()) {
      return refusal(WalletException.Kind.BAD_INPUT, spent.get());
    }
    TxStatus status = ledger.status(coin.txid());
    return status == TxStatus.CONFIRMED || status == TxStatus.PENDING
        ? Optional.empty()
        : refusal(
            WalletException.Kind.BAD_INPUT,
            "coin " + coin + " does not count: its transaction was replaced or dropped");
  }

  private static Optional<WalletException> refusal(WalletException.Kind kind, String message) {
    return Optional.of(new WalletException(kind, message));
  }
}
