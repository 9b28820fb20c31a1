package org.murmur.coins.psbt;

/** A PSBT that is well-formed, and that a role refuses nevertheless. */
public final class PsbtException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** The transaction has no inputs yet. */
    NO_INPUTS("the transaction has no inputs yet"),

    /** One input needs a lock time as a height, another needs one as a time (BIP-0370). */
    LOCK_TIMES_CONFLICT("no lock time satisfies all inputs"),

    /** A signature or script is in the transaction that a PSBT is to be made of. */
    ALREADY_SIGNED("the transaction is already signed"),

    /** The previous transaction in the PSBT has another txid than the input spends. */
    OTHER_TRANSACTION("the previous transaction is not the one that the input spends"),

    /** The previous transaction has no output of that index. */
    NO_SUCH_OUTPUT("the previous transaction has no such output"),

    /** The PSBT states the spent output twice, and differently. */
    UTXO_CONTRADICTION("witness_utxo differs from the output of the previous transaction"),

    /** The output that an input spends is not in the PSBT. */
    UTXO_MISSING("the PSBT does not state the spent output"),

    /**
     * Inputs without witness data need the whole previous transaction (BIP-0174), and so does every
     * input of the wallet but one before it signs, except for taproot.
     */
    PREVIOUS_TRANSACTION_MISSING("the previous transaction is missing, which proves the value"),

    /** The redeem script does not have the hash that the spent output asks for. */
    OTHER_REDEEM_SCRIPT("the redeem script does not match the spent output"),

    /** The witness script does not have the hash that the spent output asks for. */
    OTHER_WITNESS_SCRIPT("the witness script does not match the spent output"),

    /** The internal key and the Merkle root do not give the key of the taproot output. */
    OTHER_INTERNAL_KEY("the taproot internal key does not match the spent output"),

    /** Two inputs spend the same output. */
    SPENT_TWICE("two inputs spend the same output"),

    /** A value is negative or above 21,000,000 BTC, or a sum is. */
    VALUE_OUT_OF_RANGE("a value is out of range"),

    /** The outputs are worth more than the inputs. */
    NEGATIVE_FEE("the outputs are worth more than the inputs"),

    /** The signature would not commit to all inputs and outputs. */
    SIGHASH_TYPE("only signatures of all inputs and outputs (ALL, DEFAULT) are made and accepted"),

    /** The wallet's key does not give the script of its coin. */
    SCRIPT_OF_ANOTHER_KEY("the wallet's key does not give the script of the spent output"),

    /** A signature in the PSBT does not verify. */
    BAD_SIGNATURE("a signature does not verify"),

    /** PSBTs to be combined are of different versions or transactions. */
    NOT_THE_SAME("the PSBTs are not of the same transaction and version"),

    /** Signatures are missing, or the script is not one that can be finalised. */
    NOT_COMPLETE("an input is not completely signed");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** {@return the rule in words; it begins in lower case, and has no full stop} */
    public String text() {
      return text;
    }
  }

  private final Reason reason;
  private final int input;

  PsbtException(Reason reason) {
    super(reason.text);
    this.reason = reason;
    this.input = -1;
  }

  PsbtException(Reason reason, int input) {
    super("input " + input + ": " + reason.text);
    this.reason = reason;
    this.input = input;
  }

  /** {@return why} */
  public Reason reason() {
    return reason;
  }

  /** {@return the input at fault, its index from 0, or -1 if it is about none} */
  public int input() {
    return input;
  }
}
