package org.murmur.testbed.world.chain;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;

/**
 * A spend or an output in a block that may concern the wallet. The script is that of an output that
 * pays one of the wallet's.
 */
public record ChainEvent(OutPoint outPoint, @Nullable Bytes script) {}
