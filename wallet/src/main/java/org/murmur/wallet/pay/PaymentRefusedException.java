package org.murmur.wallet.pay;

/** A payment that cannot be made as it was ordered. Nothing was signed, written or sent. */
public final class PaymentRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Refusal reason;

  private PaymentRefusedException(Refusal reason) {
    super(reason.toString());
    this.reason = reason;
  }

  static PaymentRefusedException because(Refusal reason) {
    return new PaymentRefusedException(reason);
  }

  /**
   * Returns why.
   *
   * @return the reason with its data
   */
  public Refusal reason() {
    return reason;
  }
}
