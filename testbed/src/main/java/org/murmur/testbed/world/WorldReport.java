package org.murmur.testbed.world;

import java.time.Duration;

/**
 * The report of a world that passed.
 *
 * @param processes how many times the client was started
 * @param crashes how many of these crashed
 * @param claims how many times the client called itself complete, each time checked
 * @param guardsReplaced under the private preset, how many guards the user gave up
 * @param scriptEpochs under the private preset, how many filters of scripts there were
 * @param time how long it took in the world
 * @param fingerprint of everything that happened, in its order
 */
public record WorldReport(
    long seed,
    String plan,
    int peers,
    int processes,
    int crashes,
    int commits,
    long steps,
    long blocks,
    int claims,
    int height,
    int transactions,
    int guardsReplaced,
    int scriptEpochs,
    Duration time,
    long fingerprint) {}
