/**
 * The wallet's books: which transactions count, what they are worth, and what became of them; a
 * pure function of facts, without files, clocks or threads.
 */
@NullMarked
package org.murmur.wallet.ledger;

import org.jspecify.annotations.NullMarked;
