/**
 * The machine's door: {@code Input} and {@code Output}, {@code CommitBatch} and {@code Load} for
 * the file, {@code SyncSettings}, {@code SyncStart} and {@code FilterPolicy}. It knows no other
 * room.
 */
@NullMarked
package org.murmur.p2p.internal.sync;

import org.jspecify.annotations.NullMarked;
