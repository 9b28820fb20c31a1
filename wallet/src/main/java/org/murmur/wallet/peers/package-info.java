/** The wallet's memory of peers. */
@NullMarked
package org.murmur.wallet.peers;

import org.jspecify.annotations.NullMarked;
