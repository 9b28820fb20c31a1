package org.murmur.wallet;

import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.ledger.Replacement;

/**
 * Decides which transactions may be abandoned: those that neither a block nor a peer is known to
 * hold.
 */
final class Abandonment {

  private Abandonment() {}

  /** Why a transaction must not be abandoned; empty if it may be. */
  static Optional<WalletException> refusal(Ledger ledger, Hash256 txid) {
    Fact fact = ledger.fact(txid);
    if (fact == null || !ledger.effect(txid).concernsWallet()) {
      return refusal(WalletException.Kind.NOT_FOUND, "the wallet knows no transaction " + txid);
    }
    if (fact.confirmation() != null) {
      return refusal(txid, "block " + fact.height() + " holds it");
    }
    Replacement replacement = ledger.replacement(txid);
    if (replacement != null) {
      return refusal(txid, replacement.txid() + " has replaced it");
    }
    if (fact.repute().isHeld()) {
      return refusal(
          txid, "a peer has announced it, so it may still be mined; replace it by fee instead");
    }
    return ledger
        .heardSpender(txid)
        .flatMap(
            child -> refusal(txid, "a peer has announced " + child + ", which spends its outputs"));
  }

  private static Optional<WalletException> refusal(Hash256 txid, String reason) {
    return refusal(
        WalletException.Kind.BAD_INPUT, "transaction " + txid + " cannot be abandoned: " + reason);
  }

  private static Optional<WalletException> refusal(WalletException.Kind kind, String message) {
    return Optional.of(new WalletException(kind, message));
  }
}
