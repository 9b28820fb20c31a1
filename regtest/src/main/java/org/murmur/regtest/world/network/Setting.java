package org.murmur.regtest.world.network;

import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.world.chain.Economy;
import org.murmur.regtest.world.plan.Guarding;
import org.murmur.regtest.world.plan.Timeline;
import org.murmur.regtest.world.plan.Weather;
import org.murmur.regtest.world.plan.WorldPlan;

/** The objects that all parts of a world share. */
public record Setting(
    WorldPlan plan,
    Guarding guarding,
    Weather weather,
    Economy economy,
    Timeline time,
    Dice dice,
    Trace trace) {}
