/** Tests of the real node and of what is built on it. */
@NullMarked
package org.murmur.testbed.bitcoind;

import org.jspecify.annotations.NullMarked;
