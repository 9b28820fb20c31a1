/**
 * Reads from the books what peers got, and computes what they know by it and what the next sync
 * would cost and disclose. The results are values of {@link org.murmur.wallet.privacy}.
 *
 * <p>Public to the other packages of the wallet; no part of the library's interface. ArchUnit holds
 * that.
 */
@NullMarked
package org.murmur.wallet.internal.disclosure;

import org.jspecify.annotations.NullMarked;
