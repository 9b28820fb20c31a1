package org.murmur.wallet.internal.store;

import org.murmur.p2p.sync.BytesByCause;

/**
 * The cost of a sync, from which the next one's is estimated.
 *
 * @param began when, seconds since 1970
 * @param millis how long it took
 * @param headers how many new headers it fetched
 * @param blocks how many filtered blocks it looked at; of how many it looked at the filters, if it
 *     looked at these only
 * @param traffic the bytes of its messages by cause; none if the file does not have them
 */
public record SessionFacts(
    long began,
    long millis,
    int headers,
    int blocks,
    long received,
    long sent,
    BytesByCause traffic) {}
