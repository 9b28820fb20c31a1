/** Peers: how the command line names them, and what the wallet knows about them. */
@NullMarked
package org.murmur.cli.peers;

import org.jspecify.annotations.NullMarked;
