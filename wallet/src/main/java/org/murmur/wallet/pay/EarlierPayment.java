package org.murmur.wallet.pay;

import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.ledger.TxStatus;

/**
 * A payment of the wallet that pays the same as a planned one. It waits for a block, or one of the
 * last {@link #RECENT_BLOCKS} blocks holds it. Or a peer may have it although it no longer counts:
 * both could be mined. Or the wallet has only given it out, as a PSBT or to be sent, and somebody
 * may send it.
 *
 * @param txid which
 * @param status PENDING if it waits for a block, CONFIRMED if one holds it; else why it no longer
 *     counts; MISSING if it was only given out
 * @param heard whether a peer is known to have it
 * @param replacedBy its replacement, if its status is REPLACED
 * @param coins those whose spending makes the planned payment conflict with this one, so that only
 *     one of both can be mined; empty if there are none, and for a payment that waits
 * @param given whether the wallet has only given it out: as a PSBT that it made or signed, or to be
 *     sent. The txid of a PSBT is that of its unsigned transaction
 */
public record EarlierPayment(
    Hash256 txid,
    TxStatus status,
    boolean heard,
    Optional<Hash256> replacedBy,
    List<OutPoint> coins,
    boolean given) {

  /**
   * A payment in one of the last blocks, so many, forbids the same one as a pending payment does:
   * three days. An older copy of the wallet's file may have been put back since.
   */
  public static final int RECENT_BLOCKS = 432;

  /** Copies the list. */
  public EarlierPayment {
    coins = List.copyOf(coins);
  }

  /** {@return whether it waits for a block; false if a block holds it, or it no longer counts} */
  public boolean isPending() {
    return status == TxStatus.PENDING;
  }

  /** {@return whether it is paid, or will be; true if it waits for a block or one holds it} */
  public boolean counts() {
    return status.counts();
  }

  /** How it stands, to follow "pays the same". */
  String fate() {
    if (given) {
      return ". This wallet has made or signed it, or was to send it, so somebody may send it";
    }
    if (isPending()) {
      return heard ? " and waits for a block" : ", and no peer is known to have it";
    }
    return counts()
        ? " and is in one of the last " + RECENT_BLOCKS + " blocks"
        : ". It no longer counts, but a peer may have it, and then both would be paid";
  }
}
