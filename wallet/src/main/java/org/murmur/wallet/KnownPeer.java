package org.murmur.wallet;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * What a wallet knows of a peer, and what it showed it.
 *
 * @param address who
 * @param userAgent its words
 * @param services its service bits
 * @param height its height as it said when last seen
 * @param latency the fastest round trip, if one was measured
 * @param lastSeen when
 * @param misbehaviour what it did wrong, if anything
 * @param filtersShown how many filters it was sent
 * @param elementsShown the most scripts and outpoints that one of them held
 * @param group the network group of its address: addresses of one may belong to one person; empty
 *     for a name
 * @param failures how often it was called in vain since somebody was there
 * @param bannedUntil until when it is left alone, if it is
 */
public record KnownPeer(
    PeerAddress address,
    String userAgent,
    long services,
    int height,
    Optional<Duration> latency,
    Instant lastSeen,
    Optional<String> misbehaviour,
    int filtersShown,
    int elementsShown,
    Optional<String> group,
    int failures,
    Optional<Instant> bannedUntil) {}
