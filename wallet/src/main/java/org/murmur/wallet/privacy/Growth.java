package org.murmur.wallet.privacy;

/**
 * The disclosures of later filters beyond earlier ones: elements that were not there before are
 * new.
 *
 * @param scripts how many scripts are in a later filter only
 * @param usedScripts how many of these occur on the chain
 * @param outPoints how many outpoints are in a later filter only: coins that came meanwhile
 * @param strangers how many foreign scripts of the universe are expected to look like new ones
 */
public record Growth(int scripts, int usedScripts, int outPoints, double strangers) {}
