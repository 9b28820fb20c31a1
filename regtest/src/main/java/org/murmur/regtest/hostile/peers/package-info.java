/** The hostile peers, one small class each. */
@NullMarked
package org.murmur.regtest.hostile.peers;

import org.jspecify.annotations.NullMarked;
