package org.murmur.regtest.world.network;

import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.world.chain.Economy;
import org.murmur.regtest.world.plan.Guarding;
import org.murmur.regtest.world.plan.WorldPlan;

/**
 * What all parts of a world share.
 *
 * @param plan what it is to be like
 * @param guarding what its user does besides under the private preset
 * @param economy the chain, and what happens to the wallet on it
 * @param time what is to happen
 * @param dice for all that is drawn on the way
 * @param trace of what happened
 */
public record Setting(
    WorldPlan plan, Guarding guarding, Economy economy, Timeline time, Dice dice, Trace trace) {}
