/**
 * BIP-0037 filters as values: their sizing, their bits, their theory, and the rules by which a
 * server matches transactions against them.
 */
@NullMarked
package org.murmur.bip37;

import org.jspecify.annotations.NullMarked;
