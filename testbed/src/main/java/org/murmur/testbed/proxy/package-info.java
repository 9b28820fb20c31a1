/** Proxies on loopback for tests: SOCKS5, and a relay that adds delay. */
@NullMarked
package org.murmur.testbed.proxy;

import org.jspecify.annotations.NullMarked;
