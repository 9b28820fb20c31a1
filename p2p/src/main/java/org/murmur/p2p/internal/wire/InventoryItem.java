package org.murmur.p2p.internal.wire;

import org.murmur.bip37.bytes.Hash256;

/**
 * An entry of {@code inv}, {@code getdata} and {@code notfound}: 36 bytes, a 4-byte little-endian
 * type and a 32-byte hash in internal order.
 *
 * @param type one of the constants of this type, or anything else a peer sends
 * @param hash a txid or block hash
 */
public record InventoryItem(int type, Hash256 hash) {

  /** A transaction by txid, served without witness data. */
  public static final int TX = 1;

  /** A whole block without witness data. */
  public static final int BLOCK = 2;

  /** A {@code merkleblock} and its matched transactions without witness data (BIP-0037). */
  public static final int FILTERED_BLOCK = 3;

  /** A block as a {@code cmpctblock}, or whole if the server chooses so (BIP-0152). */
  public static final int COMPACT_BLOCK = 4;

  /** A transaction by wtxid (BIP-0339). */
  public static final int WTX = 5;

  /** A transaction by txid, served with witness data (BIP-0144). */
  public static final int WITNESS_TX = 0x40000001;

  /** A whole block with witness data (BIP-0144). */
  public static final int WITNESS_BLOCK = 0x40000002;

  /** A filtered block whose transactions come with witness data; few nodes serve it (BIP-0144). */
  public static final int FILTERED_WITNESS_BLOCK = 0x40000003;
}
