package org.murmur.wallet.store;

/**
 * Damage in a wallet's file that was passed over, because what was damaged can be learnt again.
 *
 * @param store the file, or what else names the store
 * @param what what was dropped
 */
public record Loss(String store, Recoverable what) {}
