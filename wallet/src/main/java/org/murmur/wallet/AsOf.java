package org.murmur.wallet;

import org.murmur.wallet.overview.ChainState;

/**
 * A reading of a wallet, and how much of the chain the wallet knew then.
 *
 * @param <T> the type of what was read
 * @param value what was read
 * @param chain the state of knowledge at the same commit
 */
public record AsOf<T>(T value, ChainState chain) {}
