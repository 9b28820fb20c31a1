package org.murmur.wallet;

import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;

/**
 * Why a coin of the wallet should not be spent by another transaction.
 *
 * @param coin which
 * @param frozen whether the user {@linkplain SpvWallet#freeze froze} it
 * @param spentBy the pending payment of the wallet that spends it
 */
public record CoinClaim(OutPoint coin, boolean frozen, Optional<Hash256> spentBy) {}
