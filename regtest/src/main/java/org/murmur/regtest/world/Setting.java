package org.murmur.regtest.world;

import org.murmur.regtest.chain.Dice;

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
record Setting(
    WorldPlan plan, Guarding guarding, Economy economy, Timeline time, Dice dice, Trace trace) {}
