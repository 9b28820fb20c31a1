/**
 * Commands about a wallet's content: addresses, balance, coins, history, a transaction and its
 * proof, and the events about them.
 */
@NullMarked
package org.murmur.cli.payments;

import org.jspecify.annotations.NullMarked;
