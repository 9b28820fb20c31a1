package org.murmur.coins.message;

/** A message that is not signed: the text, the format or the keys do not fit. */
public final class MessageException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** The text has half a character, which UTF-8 cannot write. */
    NOT_TEXT("the message holds half a character, which UTF-8 cannot write"),

    /** A simple signature has no place for the redeem script or the key of this address. */
    NEEDS_FULL(
        "a simple signature is for native segwit addresses only (P2WPKH, P2TR);"
            + " this address needs the format full"),

    /** A legacy signature is defined for P2PKH only. */
    LEGACY_NEEDS_P2PKH(
        "a legacy signature is for P2PKH addresses only; this address needs the format full,"
            + " or simple if it is of native segwit"),

    /** The wallet's key does not give the script of the address. */
    SCRIPT_OF_ANOTHER_KEY(
        "the words do not give the key of this address: is the passphrase right?");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  private final Reason reason;

  MessageException(Reason reason) {
    super(reason.text);
    this.reason = reason;
  }

  /** {@return why} */
  public Reason reason() {
    return reason;
  }
}
