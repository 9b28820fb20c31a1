/**
 * Families of filters that a protocol could carry instead of BIP-0037's Bloom filter, all behind
 * one interface: those of libraries, and small reference versions of our own where no library has
 * them. None of them can be sent to a server that speaks BIP-0037; they are here to be compared.
 */
@NullMarked
package org.murmur.lab.families;

import org.jspecify.annotations.NullMarked;
