/**
 * Options and events of a sync: {@code Peers}, {@code Discovery}, {@code Limits} and {@code
 * Preset}; {@code SyncEvent} and {@code SyncWarning}; {@code DisconnectReason} and {@code
 * Obstacle}, why a peer is disconnected or of no use. They know no room of the machine.
 */
@NullMarked
package org.murmur.p2p.sync;

import org.jspecify.annotations.NullMarked;
