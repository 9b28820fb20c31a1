/**
 * How a sync, a rescan or a broadcast runs: {@code WalletSession} steps the machine over the books,
 * {@code SessionRunner} gives it sockets, limits and a thread. {@code wallet.Sessions} lets one run
 * at a time and locks the file for it. The other classes fold events, each for one question:
 * settings, progress, participants, replies to a broadcast, states of payments, fees seen,
 * warnings.
 *
 * <p>Public to the other packages of the wallet, and to the lab's simulated worlds; no part of the
 * library's interface.
 */
@NullMarked
package org.murmur.wallet.internal.session;

import org.jspecify.annotations.NullMarked;
