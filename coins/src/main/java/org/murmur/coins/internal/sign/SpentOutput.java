package org.murmur.coins.internal.sign;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.KeyPath;

/** The output that an input spends, and the key that may spend it. */
public record SpentOutput(long value, Bytes script, KeyPath path) {}
