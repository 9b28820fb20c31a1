/**
 * Which transactions count, their values and their status; a pure function of facts, without files,
 * clocks or threads.
 *
 * <ul>
 *   <li>{@code Ledger}: accepts changes; returns balance, coins, history and watched elements
 *   <li>{@code Intake}: one batch of changes, to a fixpoint with the scripts derived because of
 *       them
 *   <li>{@code Entries}, {@code Entry}: unconfirmed transactions, and those in blocks that were
 *       needed; {@code Archive}: the others, read one by one or in pages
 *   <li>{@code ConflictResolution}, {@code Resolutions}, {@code UnconfirmedLimit}: which of several
 *       conflicting transactions counts; the limit of unconfirmed ones
 *   <li>{@code AffectedEntries}: changes to be stored or reported
 * </ul>
 */
@NullMarked
package org.murmur.wallet.internal.ledger;

import org.jspecify.annotations.NullMarked;
