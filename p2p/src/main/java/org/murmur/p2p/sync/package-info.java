/**
 * The machine's interface: inputs, outputs, events, warnings, settings, and the batches to write.
 * It knows no other room: every part emits events.
 *
 * <ul>
 *   <li>{@code Input}, {@code Output}, {@code SyncEvent}, {@code SyncWarning}, {@code CommitBatch},
 *       {@code Load}: in and out
 *   <li>{@code SyncSettings}, {@code Peers}, {@code Discovery}, {@code Limits}, {@code Preset},
 *       {@code FilterPolicy}: what a session may do; {@code SyncStart}: what the file knew when it
 *       began
 *   <li>{@code DisconnectReason}, {@code Obstacle}: why a peer is disconnected, and why it is of no
 *       use
 * </ul>
 */
@NullMarked
package org.murmur.p2p.sync;

import org.jspecify.annotations.NullMarked;
