package org.murmur.p2p.internal.cover;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;

/**
 * An element that peers scan for: one entry of the append-only element log.
 *
 * <p>Its index in the log and its data never change; its birth and end may.
 */
public sealed interface Element {

  /** No end yet: the coin is unspent. */
  int OPEN = Integer.MAX_VALUE;

  /** A birth at the wallet's birthday, before its height is known. */
  int AT_BIRTHDAY = -1;

  /**
   * Returns the data that a Bloom filter holds. It also names the element in the log.
   *
   * @return one data push of a script, or the 36 bytes of an outpoint
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
   * {@return whether frozen epochs contain it: only elements that cost something to create; true
   * for scripts, and for confirmed outputs whose spend is not confirmed} An unconfirmed transaction
   * is free. Scanning for its inputs or outputs would reveal to its sender that the script it pays
   * is the wallet's.
   */
  default boolean isForEpochs() {
    return this instanceof Script
        || (this instanceof OwnOutPoint coin && coin.confirmed() && coin.end() == OPEN);
  }

  /**
   * A script of the wallet. The scan for it starts at the birthday, even if it was derived later.
   *
   * <p>It does not hold the whole scriptPubKey, because a Bloom filter needs none and a sync does
   * not read them from the file. A view that searches for whole scripts gets them in addition to
   * the log, as {@link WholeScript}s.
   *
   * @param data what a Bloom filter holds of it: hash160, script hash, or output key
   */
  record Script(Bytes data, int epoch) implements Element {

    /** Makes a script of the first epoch. */
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
   * An output of the wallet; the scan finds its spend.
   *
   * @param script index in the log of the script it pays: a view that has it may find the spend
   * @param birth height of its transaction's block, or tip + 1 when it was unconfirmed
   * @param end height of its confirmed spend, or {@link Element#OPEN}
   * @param confirmed whether its transaction is proven to be in a block of the active chain
   */
  record OwnOutPoint(OutPoint outPoint, int script, int birth, int end, boolean confirmed)
      implements Element {

    /** Makes an output that a block paid. */
    public OwnOutPoint(OutPoint outPoint, int script, int birth, int end) {
      this(outPoint, script, birth, end, true);
    }

    @Override
    public Bytes data() {
      return outPoint.toBytes();
    }
  }

  /**
   * An input of a pending payment to the wallet. Another spend of it is a conflict that replaces
   * the payment.
   *
   * @param outPoint the outpoint
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
