package org.murmur.wallet;

import org.murmur.wallet.ledger.Balance;

/**
 * A wallet's balance and its place in the chain, as of one commit.
 *
 * @param balance satoshi
 * @param chain the place
 */
public record WalletStatus(Balance balance, ChainState chain) {}
