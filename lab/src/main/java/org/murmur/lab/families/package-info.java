/**
 * Filters that a protocol could carry instead of BIP-0037's Bloom filter, all behind one interface.
 * Some are from libraries; those without a library have a small reference version here. No BIP-0037
 * server accepts them; they are for comparison only.
 */
@NullMarked
package org.murmur.lab.families;

import org.jspecify.annotations.NullMarked;
