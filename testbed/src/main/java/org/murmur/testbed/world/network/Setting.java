package org.murmur.testbed.world.network;

import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.plan.Guarding;
import org.murmur.testbed.world.plan.Timeline;
import org.murmur.testbed.world.plan.Weather;
import org.murmur.testbed.world.plan.WorldPlan;

/** The objects that all parts of a world share. */
public record Setting(
    WorldPlan plan,
    Guarding guarding,
    Weather weather,
    Economy economy,
    Timeline time,
    Dice dice,
    Trace trace) {}
