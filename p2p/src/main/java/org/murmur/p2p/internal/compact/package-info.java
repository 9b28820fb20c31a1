/**
 * Which filters of blocks are true, and which blocks do they point to? Finds the wallet's blocks by
 * BIP-0158 filters that peers agree on (BIP-0157), and reads these blocks whole. No peer gets a
 * script.
 */
@NullMarked
package org.murmur.p2p.internal.compact;

import org.jspecify.annotations.NullMarked;
