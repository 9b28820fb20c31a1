package org.murmur.coins.spend;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.KeyNetwork;

/**
 * An output that the user wants: an address and what it gets, or data. There is no other way to
 * one, so that nobody pays a script of another network. Immutable.
 */
public final class Recipient {

  /** Bytes of data that nodes relay: before version 30, Core's limit was a script of 83 bytes. */
  public static final int MAX_DATA = 80;

  private static final int OP_RETURN = 0x6a;

  /** The amount of a recipient. */
  public enum Share {
    /** The amount. The wallet pays the fee on top of it. */
    AMOUNT,

    /** The amount less a share of the fee. */
    AMOUNT_LESS_FEE,

    /** All that the chosen coins have, less the fee and the other recipients' amounts. */
    ALL
  }

  private final Bytes script;
  private final @Nullable Address address;
  private final long amount;
  private final Share share;

  private Recipient(Bytes script, @Nullable Address address, long amount, Share share) {
    this.script = script;
    this.address = address;
    this.amount = amount;
    this.share = share;
  }

  /**
   * Pays an amount.
   *
   * @param address of the wallet's network
   * @param amount what it gets
   * @return the recipient
   */
  public static Recipient of(Address address, Amount amount) {
    return new Recipient(address.scriptPubKey(), address, amount.satoshi(), Share.AMOUNT);
  }

  /**
   * Pays an amount, from which a share of the fee is subtracted.
   *
   * @param address of the wallet's network
   * @param amount what it gets, with the fee
   * @return the recipient
   */
  public static Recipient lessFee(Address address, Amount amount) {
    return new Recipient(address.scriptPubKey(), address, amount.satoshi(), Share.AMOUNT_LESS_FEE);
  }

  /**
   * Pays everything that is there.
   *
   * @param address of the wallet's network
   * @return the recipient
   */
  public static Recipient all(Address address) {
    return new Recipient(address.scriptPubKey(), address, 0, Share.ALL);
  }

  /** An output that is there already. */
  static Recipient of(Bytes script, long amount) {
    return new Recipient(script, null, amount, Share.AMOUNT);
  }

  /** The wallet itself. */
  static Recipient all(Bytes script) {
    return new Recipient(script, null, 0, Share.ALL);
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
    return of(Scripts.push(new ByteWriter().uint8(OP_RETURN), data).toBytes(), 0);
  }

  /**
   * Checks that it can be paid on a network.
   *
   * @param network the wallet's
   * @throws AddressException if its address is of another one
   */
  public void requireOf(KeyNetwork network) {
    if (address != null) {
      address.requireOf(network);
    }
  }

  /** {@return the output script: of the address, or with the data} */
  public Bytes script() {
    return script;
  }

  /** {@return the amount, in satoshi; 0 for {@link Share#ALL} and for data} */
  public long amount() {
    return amount;
  }

  /** {@return what it gets, and whether it pays the fee} */
  public Share share() {
    return share;
  }

  /** Whether it is data. */
  boolean isData() {
    return OutputKind.of(script) == OutputKind.OP_RETURN;
  }
}
