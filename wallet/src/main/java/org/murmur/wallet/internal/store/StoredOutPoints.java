package org.murmur.wallet.internal.store;

import java.util.List;

/**
 * The outpoints of the element log, and what of them can be spent.
 *
 * @param logged all of them, in order
 * @param coins own outputs in blocks that no block has spent, by place in the log; what unconfirmed
 *     transactions pay and spend is not in it
 */
public record StoredOutPoints(List<LoggedOutPoint> logged, List<StoredCoin> coins) {}
