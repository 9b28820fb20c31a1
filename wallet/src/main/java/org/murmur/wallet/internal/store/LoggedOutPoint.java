package org.murmur.wallet.internal.store;

import org.murmur.bip37.bytes.OutPoint;

/**
 * An outpoint in the element log.
 *
 * @param index where in the log
 * @param script index in the log of the own script it pays, or -1 for the input of somebody's
 *     pending payment
 * @param birth the lowest height that can spend it
 * @param end the height that spent it, or {@link Integer#MAX_VALUE}
 * @param mined whether it is own and a block holds its transaction
 */
public record LoggedOutPoint(
    int index, OutPoint outPoint, int script, int birth, int end, boolean mined) {}
