package org.murmur.wallet.store;

/**
 * What a sync cost: what the next one's cost is estimated from.
 *
 * @param began when, seconds since 1970
 * @param millis how long it took
 * @param headers how many new headers it fetched
 * @param blocks how many filtered blocks it looked at
 * @param received bytes
 * @param sent bytes
 */
public record SessionFacts(
    long began, long millis, int headers, int blocks, long received, long sent) {}
