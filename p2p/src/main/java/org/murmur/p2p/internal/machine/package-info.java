/**
 * The machine: {@code step(input, now)} to outputs, without clock, randomness or sockets.
 *
 * <ul>
 *   <li>{@code SyncMachine}: passes each input to its parts, then lets them act in order ({@code
 *       settle})
 *   <li>{@code Parts}, {@code PresetParts}: assemble the parts, and the two that a preset provides
 *   <li>{@code Links}, {@code Inbox}, {@code Silence}: begin and end of connections; dispatch of
 *       messages; timeouts
 *   <li>{@code Ending}, {@code Progress}: the end of a session and its result; its progress
 * </ul>
 */
@NullMarked
package org.murmur.p2p.internal.machine;

import org.jspecify.annotations.NullMarked;
