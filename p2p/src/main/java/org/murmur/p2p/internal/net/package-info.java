/**
 * The shell: the only code that touches sockets. It decides nothing. {@code PeerLoop} has the queue
 * and the clock, {@code Sockets} the connections, {@code Committer} the commit thread.
 */
@NullMarked
package org.murmur.p2p.internal.net;

import org.jspecify.annotations.NullMarked;
