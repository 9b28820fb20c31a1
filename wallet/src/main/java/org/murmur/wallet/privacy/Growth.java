package org.murmur.wallet.privacy;

/**
 * What later filters say beyond earlier ones: elements that were not there before are new.
 *
 * @param scripts how many scripts stand in a later filter only
 * @param usedScripts how many of these the chain shows
 * @param outPoints how many outpoints stand in a later filter only: coins that came meanwhile
 * @param strangers how many scripts of the universe are expected to pass for such new ones
 */
public record Growth(int scripts, int usedScripts, int outPoints, double strangers) {}
