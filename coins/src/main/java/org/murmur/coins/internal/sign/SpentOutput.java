package org.murmur.coins.internal.sign;

import org.murmur.bip37.bytes.Bytes;

/**
 * The output that an input spends, and the key that may spend it.
 *
 * @param value in satoshi
 * @param script its scriptPubKey
 * @param path where its key is derived
 */
public record SpentOutput(long value, Bytes script, KeyPath path) {}
