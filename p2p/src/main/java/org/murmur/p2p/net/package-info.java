/** How connections are made: names, and a proxy. */
@NullMarked
package org.murmur.p2p.net;

import org.jspecify.annotations.NullMarked;
