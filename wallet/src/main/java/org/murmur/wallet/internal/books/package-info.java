/**
 * The books: each commit batch of the machine becomes one change of ledger, scripts and element
 * log, and one transaction of the store.
 *
 * <p>Public to the other packages of the wallet, and to the lab's simulated worlds; no part of the
 * library's interface. ArchUnit holds that.
 */
@NullMarked
package org.murmur.wallet.internal.books;

import org.jspecify.annotations.NullMarked;
