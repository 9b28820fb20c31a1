/**
 * The wallet's books: which transactions count, their values and their status; a pure function of
 * facts, without files, clocks or threads.
 */
@NullMarked
package org.murmur.wallet.ledger;

import org.jspecify.annotations.NullMarked;
