/** Payment URIs ({@code bitcoin:}, BIP-0321): a request for a payment as one text. */
@NullMarked
package org.murmur.coins.uri;

import org.jspecify.annotations.NullMarked;
