/** The chain of headers: requests, checks, and following the tip. */
@NullMarked
package org.murmur.p2p.headers;

import org.jspecify.annotations.NullMarked;
