/**
 * Regtest chains: blocks, transactions, scripts, signatures, and the seeded dice that draw them.
 */
@NullMarked
package org.murmur.regtest.chain;

import org.jspecify.annotations.NullMarked;
