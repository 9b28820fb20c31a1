package org.murmur.wallet.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What was last told of a transaction. Whoever keeps the last of these for each has the whole
 * wallet.
 */
record Told(TxStatus status, long net, @Nullable Confirmation where, @Nullable Rival rival) {}
