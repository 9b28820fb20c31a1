/**
 * A regtest node inside the process: a chain builder, a mempool and the peer-to-peer protocol with
 * BIP-0037. It is honest by default and able to lie in the ways a peer can lie.
 */
@NullMarked
package org.murmur.regtest;

import org.jspecify.annotations.NullMarked;
