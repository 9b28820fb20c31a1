/**
 * How a sync, a rescan or a broadcast runs: {@link org.murmur.wallet.session.WalletSession} steps
 * the machine over the books, {@link org.murmur.wallet.session.SessionRunner} gives it sockets and
 * a thread.
 *
 * <p>Public to the other packages of the wallet, and to the lab's simulated worlds; no part of the
 * library's interface. ArchUnit holds that.
 */
@NullMarked
package org.murmur.wallet.session;

import org.jspecify.annotations.NullMarked;
