package org.murmur.coins.uri;

/** A text is no payment URI, or asks for what this wallet does not do; the message says why. */
public final class PaymentUriException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** Made where URIs are read. */
  PaymentUriException(String message) {
    super(message);
  }
}
