/**
 * The knowledge of peers, in numbers: the values of a privacy report. Symbols as in {@link
 * org.murmur.bip37.FilterTheory}; M1 to M17 are the metrics of the project's privacy notes.
 */
@NullMarked
package org.murmur.wallet.privacy;

import org.jspecify.annotations.NullMarked;
