package org.murmur.wallet;

import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;

/** The coins of a wallet, and which of them payments may spend. Thread safe, as the wallet is. */
public final class WalletCoins {

  private final BooksAccess access;
  private final WalletLabels labels;

  WalletCoins(BooksAccess access) {
    this.access = access;
    this.labels = new WalletLabels(access);
  }

  /**
   * Lists what can be spent, now or when it is confirmed and mature.
   *
   * @return oldest first, pending ones last
   * @throws WalletException if the file cannot be read
   */
  public List<WalletCoin> list() {
    return access.list(Listings::coins);
  }

  /**
   * Excludes a coin from payments until {@link #unfreeze}. The file keeps that by outpoint, so it
   * survives reorganisations and rescans. The coin still counts in the balance.
   *
   * @param coin one of {@link #list}
   * @return false if it was frozen before
   * @throws WalletException of kind NOT_FOUND if the wallet has no such coin; of kind TOO_LATE if
   *     it is spent; else if the wallet cannot be written
   */
  public boolean freeze(OutPoint coin) {
    return access.write(
        () -> {
          LabelRef ref = LabelRef.of(coin);
          if (labels.of(ref).frozen()) {
            return false;
          }
          requireCoin(coin);
          labels.put(ref, label -> label.withSpendable(Optional.of(false)), WalletCoins::freed);
          return true;
        });
  }

  /**
   * Lets payments spend a coin again. A frozen coin that is spent by now can be named, too.
   *
   * @param coin which
   * @return false if it was not frozen
   * @throws WalletException of kind NOT_FOUND if it is not frozen and the wallet has no such coin;
   *     of kind TOO_LATE if it is not frozen and spent; else if the wallet cannot be written
   */
  public boolean unfreeze(OutPoint coin) {
    return access.write(
        () -> {
          LabelRef ref = LabelRef.of(coin);
          if (!labels.of(ref).frozen()) {
            requireCoin(coin);
            return false;
          }
          Optional<Boolean> said =
              access.read(view -> view.labels().isFrozenByOthers(ref))
                  ? Optional.of(true)
                  : Optional.empty();
          labels.put(ref, label -> label.withSpendable(said), WalletCoins::freed);
          return true;
        });
  }

  private static Label freed(Label label) {
    return label.withSpendable(Optional.empty());
  }

  private void requireCoin(OutPoint coin) {
    access.look(view -> require(view.ledger(), coin));
  }

  /** Throws if an outpoint is no coin of the wallet. */
  private static void require(Ledger ledger, OutPoint coin) {
    Fact fact = ledger.fact(coin.txid());
    boolean own =
        fact != null
            && ledger.effect(coin.txid()).received().stream()
                .anyMatch(part -> part.outPoint().equals(coin));
    if (!own) {
      throw new WalletException(WalletException.Kind.NOT_FOUND, "the wallet has no coin " + coin);
    }
    Optional<Hash256> spender = ledger.spender(coin);
    if (spender.isPresent()) {
      throw new WalletException(
          WalletException.Kind.TOO_LATE,
          "coin " + coin + " is spent by transaction " + spender.get());
    }
    if (!ledger.status(coin.txid()).counts()) {
      throw new WalletException(
          WalletException.Kind.TOO_LATE,
          "coin " + coin + " does not count: its transaction was replaced or dropped");
    }
  }
}
