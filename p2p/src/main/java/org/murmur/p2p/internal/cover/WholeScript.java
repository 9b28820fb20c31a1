package org.murmur.p2p.internal.cover;

import org.murmur.bip37.bytes.Bytes;

/**
 * A script of the element log as block filters hold it (BIP-0158). An {@link Element.Script} has
 * only the part of it that a Bloom filter holds.
 *
 * @param index the index of its element in the log
 * @param scriptPubKey the whole output script
 */
public record WholeScript(int index, Bytes scriptPubKey) {}
