package org.murmur.coins.keys;

import org.murmur.bip37.bytes.Bytes;

/**
 * One script of a descriptor, with what a filter must hold to find payments to it.
 *
 * @param index the place in the descriptor's chain, from 0
 * @param scriptPubKey the output script
 * @param element the one data push of the script that goes into a BIP-0037 filter: 20 bytes of
 *     HASH160 (key or script hash), 32 bytes of witness script hash or of taproot output key
 * @param address the text people see, for the network of the descriptor
 */
public record DerivedScript(int index, Bytes scriptPubKey, Bytes element, String address) {}
