package org.murmur.p2p.sync;

/**
 * What a server's copy of a filter has become by what it added of its own accord ({@code
 * UPDATE_ALL}), modelled: everything that came from anybody is taken to have been seen by that
 * server, so the real copy is at most as full.
 *
 * @param load the load's id
 * @param outPoints how many times the server inserted an outpoint, at most
 * @param bitsSet how many bits of its copy are set, at most
 */
public record ServerCopy(long load, int outPoints, int bitsSet) {}
