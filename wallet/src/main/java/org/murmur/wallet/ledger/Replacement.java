package org.murmur.wallet.ledger;

import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;

/**
 * A transaction that replaced another one by spending one of its inputs.
 *
 * @param txid which
 * @param height of the block that has it, a double spend that is final unless that block is
 *     reorganised; empty while it is pending itself
 */
public record Replacement(Hash256 txid, OptionalInt height) {}
