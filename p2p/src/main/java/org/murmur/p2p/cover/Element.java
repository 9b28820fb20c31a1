package org.murmur.p2p.cover;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;

/**
 * Something a peer is asked to look for: one entry of the append-only element log.
 *
 * <p>Its index in the log never changes, and neither does its data; its birth and end may.
 */
public sealed interface Element {

  /** An end that has not come: the coin is unspent. */
  int OPEN = Integer.MAX_VALUE;

  /** A birth that follows the wallet's birthday, whatever height that turns out to be. */
  int AT_BIRTHDAY = -1;

  /**
   * What is put into a filter.
   *
   * @return a script's one element, or 36 bytes of an outpoint
   */
  Bytes data();

  /**
   * The first height that must be covered.
   *
   * @return a height, or {@link #AT_BIRTHDAY}
   */
  int birth();

  /**
   * The last height that must be covered.
   *
   * @return a height, or {@link #OPEN}
   */
  int end();

  /**
   * Whether frozen epochs look for it: not what anybody can make up for free. A transaction that no
   * block holds costs nothing, and to look for its inputs, or for its outputs, would tell who made
   * it up that the script it pays is the wallet's.
   *
   * @return true for scripts, and for confirmed outputs whose spend is not confirmed
   */
  default boolean isForEpochs() {
    return this instanceof Script
        || (this instanceof OwnOutPoint coin && coin.confirmed() && coin.end() == OPEN);
  }

  /**
   * A script of the wallet, to be looked for from the birthday on however late it was derived.
   *
   * @param data hash160, script hash, or output key; one element a script
   * @param epoch which epoch of scripts it belongs to, where filters hold epochs
   */
  record Script(Bytes data, int epoch) implements Element {

    /**
     * Makes one of the first epoch.
     *
     * @param data hash160, script hash, or output key; one element a script
     */
    public Script(Bytes data) {
      this(data, 0);
    }

    @Override
    public int birth() {
      return AT_BIRTHDAY;
    }

    @Override
    public int end() {
      return OPEN;
    }
  }

  /**
   * An output of the wallet, whose spend is looked for.
   *
   * @param outPoint which
   * @param script index in the log of the script it pays, for what {@code UPDATE_ALL} covers
   * @param birth height of its transaction's block, or tip + 1 when it was unconfirmed
   * @param end height of its confirmed spend, or {@link Element#OPEN}
   * @param confirmed whether its transaction is proven to be in a block of the active chain
   */
  record OwnOutPoint(OutPoint outPoint, int script, int birth, int end, boolean confirmed)
      implements Element {

    /**
     * Makes one that a block paid.
     *
     * @param outPoint which
     * @param script index in the log of the script it pays
     * @param birth height of its transaction's block
     * @param end height of its confirmed spend, or {@link Element#OPEN}
     */
    public OwnOutPoint(OutPoint outPoint, int script, int birth, int end) {
      this(outPoint, script, birth, end, true);
    }

    @Override
    public Bytes data() {
      return outPoint.toBytes();
    }
  }

  /**
   * An input of a pending payment to the wallet: who spends it otherwise replaces the payment.
   *
   * @param outPoint which
   * @param birth the tip + 1 when the payment was seen
   * @param end {@link Element#OPEN} while pending, the settling height after
   */
  record PendingInput(OutPoint outPoint, int birth, int end) implements Element {
    @Override
    public Bytes data() {
      return outPoint.toBytes();
    }
  }
}
