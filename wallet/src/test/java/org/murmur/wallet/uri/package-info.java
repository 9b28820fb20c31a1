@NullMarked
package org.murmur.wallet.uri;

import org.jspecify.annotations.NullMarked;
