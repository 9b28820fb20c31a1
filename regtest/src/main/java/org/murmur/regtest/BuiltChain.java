package org.murmur.regtest;

import org.murmur.regtest.chain.Chain;

/**
 * A chain and what a wallet should find on it.
 *
 * @param chain the chain, ready to be served
 * @param truth about the wallet of the plan; of no wallet if there was no plan
 */
public record BuiltChain(Chain chain, WalletTruth truth) {}
