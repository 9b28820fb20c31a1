package org.murmur.regtest.world.network;

import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.world.chain.Economy;
import org.murmur.regtest.world.plan.Guarding;
import org.murmur.regtest.world.plan.Timeline;
import org.murmur.regtest.world.plan.Weather;
import org.murmur.regtest.world.plan.WorldPlan;

/**
 * The objects that all parts of a world share.
 *
 * @param guarding what its user does in addition under the private preset
 * @param weather what happens to honest peers on the way
 * @param economy the chain, and the wallet's events on it
 */
public record Setting(
    WorldPlan plan,
    Guarding guarding,
    Weather weather,
    Economy economy,
    Timeline time,
    Dice dice,
    Trace trace) {}
