/**
 * What a wallet has and did: addresses, balance, coins, history, one transaction, its proof, and
 * the events that tell of them.
 */
@NullMarked
package org.murmur.cli.payments;

import org.jspecify.annotations.NullMarked;
