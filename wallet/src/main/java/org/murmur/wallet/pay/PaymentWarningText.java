package org.murmur.wallet.pay;

/** The words for {@link PaymentWarning}, in English. */
public final class PaymentWarningText {

  private PaymentWarningText() {}

  /**
   * Returns the sentence for the user.
   *
   * @param warning which
   * @return begins in lower case or with a rate, without a full stop: it follows "warning: "
   */
  public static String of(PaymentWarning warning) {
    if (warning instanceof PaymentWarning.PaidAlready w) {
      return RefusalText.of(new Refusal.PaidAlready(w.earlier()));
    }
    if (warning instanceof PaymentWarning.NotComplete) {
      return "not all blocks are scanned: a coin may be spent already";
    }
    if (warning instanceof PaymentWarning.MadeElsewhere w) {
      return "this wallet has no record that it made payment " + w.txid() + "; its keys signed it";
    }
    if (warning instanceof PaymentWarning.SamePayee w) {
      return w.payee() + " is paid " + w.times() + " times, " + w.total() + " sat together";
    }
    if (warning instanceof PaymentWarning.UnspendableKey w) {
      return w.payee() + " has a key that is not on the curve: nobody can spend what it gets";
    }
    if (warning instanceof PaymentWarning.UnknownWitness w) {
      return w.payee()
          + " is of a kind that no wallet has keys for (witness version "
          + w.version()
          + "): anybody may take what it gets";
    }
    if (warning instanceof PaymentWarning.ChangeBeyondGap w) {
      return "no block pays the "
          + w.unused()
          + " addresses before that of the change: a wallet restored from its words with a gap"
          + " limit of "
          + w.gap()
          + " would not find it";
    }
    if (warning instanceof PaymentWarning.FeeAboveAmount) {
      return "the fee is more than the amount";
    }
    if (warning instanceof PaymentWarning.FeeAboveTenth w) {
      return "the fee is " + w.fee() * 100 / w.amount() + " % of the amount";
    }
    if (warning instanceof PaymentWarning.FeeRateTooLow w) {
      return w.rate() + " is less than nodes relay: by default at least " + w.least();
    }
    if (warning instanceof PaymentWarning.FeeRateLow w) {
      return w.rate() + " is less than many nodes relay: older ones at least " + w.least();
    }
    if (warning instanceof PaymentWarning.FeeRateHigh w) {
      return "a fee rate of " + w.rate() + " is very high";
    }
    if (warning instanceof PaymentWarning.PayeeGetsLess w) {
      return "the payee gets "
          + w.now()
          + " sat and not "
          + w.before()
          + ": no other coin pays the fee";
    }
    if (warning instanceof PaymentWarning.ParentFeeUnknown w) {
      return "the fee of the payment to you is unknown and counts as 0, so both together pay more"
          + " than "
          + w.ordered();
    }
    PaymentWarning.FeeAboveOrdered w = (PaymentWarning.FeeAboveOrdered) warning;
    return "the fee is the least that replaces the payment, more than the ordered " + w.ordered();
  }
}
