/**
 * Keys of a wallet: words, extended keys, output descriptors, addresses and the scripts they stand
 * for. A wallet is a list of {@link org.murmur.coins.keys.Descriptor descriptors}; everything that
 * can be watched (accounts of BIP-0044, 49, 84 and 86, extended keys, addresses) is turned into
 * them.
 */
@NullMarked
package org.murmur.coins.keys;

import org.jspecify.annotations.NullMarked;
