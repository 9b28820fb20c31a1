/**
 * The encrypted transport of BIP-0324: keys, ciphers and packets. Pure: no sockets, and randomness
 * comes from the caller. Only this package of the module uses Bouncy Castle.
 *
 * <p>Keys are ephemeral, one for each connection: they hide traffic, and sign nothing. The curve
 * arithmetic does not take constant time, so another program on the same processor might learn a
 * key while it is used. It could then read this one connection.
 */
@NullMarked
package org.murmur.p2p.internal.v2;

import org.jspecify.annotations.NullMarked;
