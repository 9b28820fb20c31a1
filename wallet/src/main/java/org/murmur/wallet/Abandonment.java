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

  /** Throws a {@link WalletException} if a transaction must not be abandoned. */
  static void require(Ledger ledger, Hash256 txid) {
    Fact fact = ledger.fact(txid);
    if (fact == null || !ledger.effect(txid).concernsWallet()) {
      throw new WalletException(
          WalletException.Kind.NOT_FOUND, "the wallet knows no transaction " + txid);
    }
    if (fact.confirmation() != null) {
      throw refusal(txid, "block " + fact.height() + " holds it");
    }
    Replacement replacement = ledger.replacement(txid);
    if (replacement != null) {
      throw refusal(txid, replacement.txid() + " has replaced it");
    }
    if (fact.repute().isHeld()) {
      throw refusal(
          txid, "a peer has announced it, so it may still be mined; replace it by fee instead");
    }
    Optional<Hash256> child = ledger.heardSpender(txid);
    if (child.isPresent()) {
      throw refusal(txid, "a peer has announced " + child.get() + ", which spends its outputs");
    }
  }

  private static WalletException refusal(Hash256 txid, String reason) {
    return new WalletException(
        WalletException.Kind.TOO_LATE, "transaction " + txid + " cannot be abandoned: " + reason);
  }
}
