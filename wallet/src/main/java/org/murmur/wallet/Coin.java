package org.murmur.wallet;

import java.util.OptionalInt;
import org.murmur.bip37.bytes.OutPoint;

/**
 * An output of the wallet that no confirmed or pending transaction spends.
 *
 * @param outPoint where it is
 * @param value in satoshi
 * @param height its block's height; empty while pending
 * @param address what it was paid to
 * @param path the derivation path of that address's key; empty if there is none
 * @param coinbase whether it was newly created
 * @param immature whether it is too young to be spent
 */
public record Coin(
    OutPoint outPoint,
    long value,
    OptionalInt height,
    String address,
    String path,
    boolean coinbase,
    boolean immature) {}
