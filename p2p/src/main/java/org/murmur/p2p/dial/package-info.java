/** The peers to call: those that are named, and those that are found. */
@NullMarked
package org.murmur.p2p.dial;

import org.jspecify.annotations.NullMarked;
