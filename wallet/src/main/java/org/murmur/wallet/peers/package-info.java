/** What the wallet remembers of peers. */
@NullMarked
package org.murmur.wallet.peers;

import org.jspecify.annotations.NullMarked;
