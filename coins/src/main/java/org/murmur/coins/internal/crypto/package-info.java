/**
 * Hashes, the curve secp256k1, and the box that encrypts the words.
 *
 * <p>Public to the other packages of the wallet; no part of the library's interface. ArchUnit holds
 * that.
 */
@NullMarked
package org.murmur.coins.internal.crypto;

import org.jspecify.annotations.NullMarked;
