package org.murmur.coins.message;

/** The result of verifying a signed message (BIP-0322). */
public sealed interface MessageVerdict {

  /** The three answers of BIP-0322. */
  enum State {
    /** The key of the address signed the message. */
    VALID,

    /** It did not, or the signature was changed. */
    INVALID,

    /** No error was found, but not everything could be verified. Treat it as not signed. */
    INCONCLUSIVE
  }

  /** Why a signature is not valid. */
  enum Reason {
    /** The text is not base64, or was cut off. */
    NOT_BASE64(State.INVALID, "the signature is not base64, or a character of it is missing"),

    /** The bytes are neither witness stack, transaction nor legacy signature. */
    MALFORMED(State.INVALID, "the signature is cut off, or is not the signature of a message"),

    /** A simple signature for an address that is not of native segwit. */
    SIMPLE_NEEDS_SEGWIT(
        State.INVALID,
        "it is a simple signature, which is for native segwit addresses only; ask for the format"
            + " full"),

    /** A legacy signature for an address that is not P2PKH. */
    LEGACY_NEEDS_P2PKH(
        State.INVALID,
        "it is a legacy signature, which is for P2PKH addresses only; ask for one of BIP322"),

    /** The transaction spends another {@code to_spend}. */
    OTHER_MESSAGE_OR_ADDRESS(State.INVALID, "it was made for another message or address"),

    /** The transaction has another output than BIP-0322 says. */
    OTHER_OUTPUTS(State.INVALID, "its transaction has other outputs than BIP322 says"),

    /** The key or the script does not have the hash in the address. */
    OTHER_KEY(State.INVALID, "it was made with a key of another address, or for another message"),

    /** Items are missing or too many. */
    NOT_SATISFIED(State.INVALID, "it does not satisfy the script of the address"),

    /** A signature does not verify. */
    WRONG_SIGNATURE(
        State.INVALID, "the key of the address did not sign this message, or the text was changed"),

    /** It also claims coins, which must be looked up. */
    PROOF_OF_FUNDS(
        State.INCONCLUSIVE, "it is a proof of funds: its coins cannot be looked up here"),

    /**
     * A legacy signature by the key of a segwit address with one key: BIP-0137 and other programs
     * allow it, BIP-0322 does not.
     */
    LEGACY_OF_SEGWIT(
        State.INCONCLUSIVE,
        "the key of the address signed the message, but in the legacy form, which not every program"
            + " accepts for this type of address: ask for a signature of BIP322"),

    /** A script that is not run here. */
    UNKNOWN_SCRIPT(
        State.INCONCLUSIVE,
        "the script of the address is none that can be verified here; verify it with a full node"),

    /** Rules that are not made yet may decide about this version. */
    UNKNOWN_VERSION(
        State.INCONCLUSIVE,
        "the version of its transaction is neither 0 nor 2; new rules may apply");

    private final State state;
    private final String text;

    Reason(State state, String text) {
      this.state = state;
      this.text = text;
    }

    /** {@return the reason in words, a clause without a full stop} */
    public String text() {
      return text;
    }
  }

  /** {@return the answer, one of three} */
  State state();

  /**
   * The key of the address signed the message.
   *
   * @param format of the signature
   * @param lockTime 0, or when the signature begins to be valid: a height below 500,000,000, else
   *     seconds since 1970
   * @param sequence 0, or the age that the spent output must have (BIP-0068); unsigned 32 bits
   */
  record Valid(MessageFormat format, long lockTime, long sequence) implements MessageVerdict {

    @Override
    public State state() {
      return State.VALID;
    }
  }

  /**
   * The signature is not valid, or nobody here can say.
   *
   * @param reason why
   */
  record NotValid(Reason reason) implements MessageVerdict {

    @Override
    public State state() {
      return reason.state;
    }
  }
}
