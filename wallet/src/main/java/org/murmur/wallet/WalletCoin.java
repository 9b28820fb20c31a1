package org.murmur.wallet;

import java.util.OptionalInt;
import org.murmur.bip37.bytes.OutPoint;

/**
 * An output of the wallet that no confirmed or pending transaction spends.
 *
 * @param outPoint where it is
 * @param value in satoshi
 * @param height its block's height; empty while pending
 * @param address the address it pays
 * @param path the derivation path of that address's key; empty if there is none
 * @param coinbase whether it was newly created
 * @param immature whether it is too young to be spent
 * @param frozen whether the user excluded it from payments; it counts in the balance
 * @param label what the user noted about it, else about its address or transaction; empty for
 *     nothing
 */
public record WalletCoin(
    OutPoint outPoint,
    long value,
    OptionalInt height,
    String address,
    String path,
    boolean coinbase,
    boolean immature,
    boolean frozen,
    String label) {}
