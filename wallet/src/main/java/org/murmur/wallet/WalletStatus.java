package org.murmur.wallet;

import org.murmur.wallet.ledger.Balance;

/**
 * What a wallet owns, and how sure that is, as of one commit.
 *
 * @param balance satoshi
 * @param chain how far it is
 */
public record WalletStatus(Balance balance, ChainState chain) {}
