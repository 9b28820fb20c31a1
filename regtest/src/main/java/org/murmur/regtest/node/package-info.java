/**
 * What the embedded node does on a connection: its sessions, mempool and relay policy, and how it
 * may misbehave.
 */
@NullMarked
package org.murmur.regtest.node;

import org.jspecify.annotations.NullMarked;
