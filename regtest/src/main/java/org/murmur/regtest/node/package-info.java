/**
 * The embedded node's side of a connection: its sessions, mempool and relay policy, and its
 * possible misbehaviour.
 */
@NullMarked
package org.murmur.regtest.node;

import org.jspecify.annotations.NullMarked;
