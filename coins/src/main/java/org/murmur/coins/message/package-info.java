/**
 * Signed messages (BIP-0322, and BIP-0137 for P2PKH): a text and a key go in, and a signature comes
 * out, or a verdict about one. No clock, no files, no random numbers, no network.
 */
@NullMarked
package org.murmur.coins.message;

import org.jspecify.annotations.NullMarked;
