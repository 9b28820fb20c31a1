/** The shell: the only code that touches sockets. It decides nothing. */
@NullMarked
package org.murmur.p2p.net;

import org.jspecify.annotations.NullMarked;
