package org.murmur.p2p.internal.sync;

/**
 * A model of a server-side filter with the outpoints that the server added ({@code UPDATE_ALL}).
 * The model assumes that this server saw every transaction from any peer, so the real filter is at
 * most as full.
 *
 * @param outPoints how many times the server inserted an outpoint, at most
 * @param bitsSet how many bits of the server-side filter are set, at most
 */
public record ServerCopy(long load, int outPoints, int bitsSet) {}
