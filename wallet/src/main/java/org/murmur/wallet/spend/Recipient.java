package org.murmur.wallet.spend;

import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.spend.fee.OutputKind;

/**
 * An output that the user wants.
 *
 * @param script the scriptPubKey
 * @param amount in satoshi; 0 for {@link Share#ALL}
 * @param share who pays the fee, and what the recipient gets
 */
public record Recipient(Bytes script, long amount, Share share) {

  /** Bytes of data that nodes relay: before version 30, Core's limit was a script of 83 bytes. */
  public static final int MAX_DATA = 80;

  private static final int OP_RETURN = 0x6a;
  private static final int OP_PUSHDATA1 = 0x4c;
  private static final int MAX_SHORT_PUSH = 75;

  /** What a recipient gets. */
  public enum Share {
    /** The amount. The wallet pays the fee on top of it. */
    AMOUNT,

    /** The amount less a share of the fee. */
    AMOUNT_LESS_FEE,

    /** All that the chosen coins have, less the fee and the other recipients' amounts. */
    ALL
  }

  /** Checks the amount. */
  public Recipient {
    boolean data = OutputKind.of(script) == OutputKind.OP_RETURN;
    if (amount < 0 || amount > Tx.MAX_MONEY) {
      throw new IllegalArgumentException("amount " + amount + ", expected 0 to " + Tx.MAX_MONEY);
    }
    if (share == Share.ALL && amount != 0) {
      throw new IllegalArgumentException("amount " + amount + " with all, expected 0");
    }
    if (data && (amount != 0 || share != Share.AMOUNT)) {
      throw new IllegalArgumentException("amount " + amount + " to data would be lost, expected 0");
    }
  }

  /**
   * Pays an amount.
   *
   * @param script the scriptPubKey
   * @param amount in satoshi
   * @return the recipient
   */
  public static Recipient of(Bytes script, long amount) {
    return new Recipient(script, amount, Share.AMOUNT);
  }

  /**
   * Pays an amount, from which a share of the fee is subtracted.
   *
   * @param script the scriptPubKey
   * @param amount in satoshi, with the fee
   * @return the recipient
   */
  public static Recipient lessFee(Bytes script, long amount) {
    return new Recipient(script, amount, Share.AMOUNT_LESS_FEE);
  }

  /**
   * Pays everything that is there.
   *
   * @param script the scriptPubKey
   * @return the recipient
   */
  public static Recipient all(Bytes script) {
    return new Recipient(script, 0, Share.ALL);
  }

  /**
   * Writes data into the chain, in an OP_RETURN output.
   *
   * @param data at most {@value #MAX_DATA} bytes
   * @return the recipient
   * @throws IllegalArgumentException if it is longer
   */
  public static Recipient data(Bytes data) {
    if (data.length() > MAX_DATA) {
      throw new IllegalArgumentException(
          "data of " + data.length() + " bytes, expected at most " + MAX_DATA);
    }
    ByteWriter script = new ByteWriter().uint8(OP_RETURN);
    if (data.length() > MAX_SHORT_PUSH) {
      script.uint8(OP_PUSHDATA1);
    }
    return of(script.uint8(data.length()).bytes(data).toBytes(), 0);
  }

  /** Whether it is data. */
  boolean isData() {
    return OutputKind.of(script) == OutputKind.OP_RETURN;
  }
}
