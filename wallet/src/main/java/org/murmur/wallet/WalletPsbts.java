package org.murmur.wallet;

import java.util.Optional;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.psbt.PsbtException;
import org.murmur.coins.psbt.PsbtSigner;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.PsbtReview;
import org.murmur.wallet.pay.PsbtTerms;

/**
 * Partially signed transactions (BIP-0174) of a wallet and other signers. All methods throw {@link
 * WalletException} if the file cannot be read. Thread safe.
 */
public final class WalletPsbts {

  private final BooksAccess access;
  private final Sessions sessions;

  WalletPsbts(BooksAccess access, Sessions sessions) {
    this.access = access;
    this.sessions = sessions;
  }

  /**
   * Finds out what a partially signed transaction does: which inputs and outputs are the wallet's,
   * what it pays, what is missing, and why it should not be signed. Spent outputs that the wallet
   * knows are filled in.
   *
   * @param psbt from anywhere
   * @return what to look at before {@link #sign signing}
   * @throws PsbtException if it contradicts itself or the wallet's transactions, or has a wrong
   *     signature
   */
  public PsbtReview review(Psbt psbt) {
    return access.read(view -> review(view, psbt));
  }

  private PsbtReview review(WalletView view, Psbt psbt) {
    PsbtReview review = new Listings(view).review(psbt);
    return review.isOurs()
        ? review.beside(access.planning(view).earlier(review.summary().tx().toTx()))
        : review;
  }

  /**
   * Writes an unsigned payment for another signer. The wallet remembers it: the same is not paid
   * again, {@linkplain PaymentOrder#again unless that is ordered}, except with a coin of it.
   *
   * @param proposal made by this wallet
   * @return the payment with what the wallet knows about its inputs and outputs
   * @throws PaymentRefusedException as {@link WalletPayments#sign} does; nothing was written
   * @throws WalletException of kind LOCKED while another process writes, WRONG_THREAD in a
   *     listener; else if the file cannot be written
   */
  public Psbt export(Proposal proposal) {
    return sessions.give(
        () ->
            access.read(
                view -> {
                  access.planning(view).check(proposal);
                  return new Listings(view).updated(Psbt.create(proposal.unsigned()));
                }),
        psbt -> Optional.of(proposal.unsigned()));
  }

  /**
   * Adds what the wallet knows about its inputs and outputs, for other signers.
   *
   * @param psbt from anywhere
   * @return with the spent outputs, redeem scripts and key origins of the wallet's scripts
   * @throws PsbtException if it contradicts itself or the wallet's transactions
   */
  public Psbt update(Psbt psbt) {
    return access.list(listings -> listings.updated(psbt));
  }

  /**
   * {@linkplain #review Reviews} a partially signed transaction, and signs the wallet's inputs if
   * its user allows it. Reserves nothing. The wallet remembers the payment: the same is not paid
   * again unless that is allowed, except with a coin of it.
   *
   * @param psbt from anywhere
   * @param terms what the user allows; {@link PsbtTerms#USUAL} for what a payment may do, too
   * @param credentials what opens the words
   * @return with the wallet's signatures; as it was if it has no input of the wallet
   * @throws PaymentRefusedException if the fee is too high or not known, a coin is reserved, or an
   *     earlier payment pays the same, and the terms do not allow it; nothing was signed
   * @throws PsbtException if it lies, or wants other signatures than ALL or DEFAULT
   * @throws WalletException of kind NO_SECRET if the wallet only watches, of kind WRONG_PASSWORD or
   *     WRONG_PASSPHRASE; of kind LOCKED while another process writes, WRONG_THREAD in a listener;
   *     else if the file cannot be written
   */
  public PsbtSigner.Result sign(Psbt psbt, PsbtTerms terms, Credentials credentials) {
    try (WordKeys keys = new WalletKeys(access).open(credentials)) {
      return sessions.give(
          () ->
              access.read(view -> review(view, psbt).sign(terms, new Listings(view)::ownKey, keys)),
          result ->
              result.signed().isEmpty()
                  ? Optional.empty()
                  : Optional.of(result.psbt().unsignedTx().toTx()));
    }
  }
}
