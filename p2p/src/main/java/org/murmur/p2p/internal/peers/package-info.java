/**
 * The peers that are called or connected: their identity, open requests, conduct and speed; with
 * the clock, random numbers and outbox of a step.
 *
 * <ul>
 *   <li>{@code Part}: what all parts of a machine share
 *   <li>{@code Effects}, {@code Roster}: clock, random numbers and outbox; the connecting and
 *       connected peers
 *   <li>{@code Alarm}, {@code Timed}: when to act although nothing happens, and the parts that know
 *   <li>{@code Journal}: the next batch; at most one is being written
 *   <li>{@code Peer}: a link and its peer; later rooms extend it by what they know
 *   <li>{@code Question}, {@code Questions}: open requests, pongs, deadlines, and what a peer owes.
 *       A part that asks something new calls {@code Effects.ask}
 *   <li>{@code Conduct}, {@code Patience}, {@code Pace}, {@code Budget}: rate limits and points;
 *       silent and slow peers; serving speed; the byte limit
 *   <li>{@code Guards}: the private preset's record of which peer has scripts and which outpoints;
 *       {@code ViewService}: the service bits that a peer needs
 * </ul>
 */
@NullMarked
package org.murmur.p2p.internal.peers;

import org.jspecify.annotations.NullMarked;
