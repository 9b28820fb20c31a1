/** Peers: how they are named on the command line, and what is known of them. */
@NullMarked
package org.murmur.cli.peers;

import org.jspecify.annotations.NullMarked;
