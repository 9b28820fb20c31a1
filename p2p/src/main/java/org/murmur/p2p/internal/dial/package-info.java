/**
 * Which peer to call, when to retry, when to give up: pinned peers, and those found in the address
 * table.
 *
 * <ul>
 *   <li>{@code Dialer}: the interface; it hides the source of an address
 *   <li>{@code Contacts}, {@code Contact}, {@code Redial}: all peers that a session calls; when a
 *       lost one is called again. Pinned ones are named by the user or guards of earlier sessions
 *   <li>{@code PinnedPeers}, {@code PeerFinder}: call those that are due; {@code Places}, {@code
 *       NetGroups}, {@code Candidates}: slots of each kind, groups in use, addresses that fit
 *   <li>{@code Outage}: the state without any reachable peer
 * </ul>
 */
@NullMarked
package org.murmur.p2p.internal.dial;

import org.jspecify.annotations.NullMarked;
