package org.murmur.regtest;

import org.murmur.regtest.chain.Chain;

/**
 * A chain, ready to be served, and what a wallet should find on it: nothing if there was no plan.
 */
public record BuiltChain(Chain chain, WalletTruth truth) {}
