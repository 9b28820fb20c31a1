/** Unconfirmed transactions: what peers announce, and what the user sends. */
@NullMarked
package org.murmur.p2p.pool;

import org.jspecify.annotations.NullMarked;
