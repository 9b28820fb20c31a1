package org.murmur.wallet.ledger;

import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;

/**
 * A transaction that replaced another one by spending one of its inputs.
 *
 * @param txid which
 * @param height of the block that has it, a double spend that is final unless that block is
 *     reorganised; empty while it is pending itself
 * @param origin who made it
 */
public record Replacement(Hash256 txid, OptionalInt height, Origin origin) {

  /** The maker and purpose of a replacement. */
  public enum Origin {
    /** This wallet, and it pays nobody else: the user cancels the replaced payment by it. */
    CANCEL,
    /** This wallet, and it pays others: as a rule the same payment with another fee. */
    PAYMENT,
    /** Somebody else, or another copy of this wallet. */
    OTHER
  }
}
