package org.murmur.regtest.hostile;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Chain;

/**
 * The facts that a hostile peer knows.
 *
 * @param chain the honest one
 * @param script one of the wallet's
 */
public record Scene(Chain chain, Bytes script) {}
