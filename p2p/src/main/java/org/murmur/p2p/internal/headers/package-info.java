/**
 * The chain of headers: requests, checks, and following the tip.
 *
 * <ul>
 *   <li>{@code HeaderSync}, {@code Segments}: below the last checkpoint in parallel from all peers;
 *       above it one peer leads, and the next request is sent before the last answer is checked
 *   <li>{@code KnownHeaders}: headers that other wallets of the process have, checked before peers
 *       are asked
 *   <li>{@code HeaderPeer}: a peer with its {@code HeaderLink}, {@code Tip} and {@code Reach}
 *   <li>{@code TipWatch}, {@code StaleTip}: short chains and forks, no new block for hours
 *   <li>{@code Birthdays}, {@code ClockCheck}: where the scan begins; whether our clock is behind
 *   <li>{@code Change}: a reorganisation, a rescan or a new watch set, which every {@code
 *       ChangeListener} hears
 * </ul>
 */
@NullMarked
package org.murmur.p2p.internal.headers;

import org.jspecify.annotations.NullMarked;
