package org.murmur.wallet.pay;

/**
 * A payment that cannot be made as it was ordered. Nothing was signed, written or sent.
 *
 * <p>Its message has no amounts, addresses or txids, so that a crash log has none. {@link
 * Refusal#text} is the sentence for the user.
 */
public final class PaymentRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Refusal reason;

  private PaymentRefusedException(Refusal reason) {
    super(reason.cause());
    this.reason = reason;
  }

  static PaymentRefusedException because(Refusal reason) {
    return new PaymentRefusedException(reason);
  }

  /** {@return why, the reason with its data; {@link Refusal#text} words it} */
  public Refusal reason() {
    return reason;
  }
}
