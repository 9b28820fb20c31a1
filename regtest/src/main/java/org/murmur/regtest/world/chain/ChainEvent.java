package org.murmur.regtest.world.chain;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;

/**
 * A spend or an output in a block that may concern the wallet.
 *
 * @param script what it pays, if it is made and pays one of the wallet's scripts
 */
public record ChainEvent(OutPoint outPoint, @Nullable Bytes script) {}
