package org.murmur.wallet;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * A wallet's knowledge of a peer, and the filters that the peer got.
 *
 * @param address of the peer
 * @param userAgent as it announced
 * @param services its service bits
 * @param height its height as it announced when last seen
 * @param latency the fastest round trip, if one was measured
 * @param lastSeen when
 * @param misbehaviour its misbehaviour, if any
 * @param filtersShown how many filters it got
 * @param elementsShown the most scripts and outpoints that one of them held
 * @param group the network group of its address: addresses of one may have one operator; empty for
 *     a name
 * @param failures failed calls since the last successful one
 * @param bannedUntil the end of its ban, if it is banned
 */
public record KnownPeer(
    NodeAddress address,
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
