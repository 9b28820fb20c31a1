package org.murmur.p2p.scan;

import org.murmur.bip37.bytes.Hash256;

/**
 * An active block that a peer proved by a tree of doubtful depth.
 *
 * @param height its height
 * @param block its hash
 */
public record Doubt(int height, Hash256 block) {}
