/**
 * A real full node on the loopback interface, for tests, benchmarks and anyone who wants to
 * compare: starts a {@code bitcoind} in regtest mode, speaks its JSON-RPC, builds long chains on it
 * quickly and lets a wallet live a random life on it.
 */
@NullMarked
package org.murmur.regtest.bitcoind;

import org.jspecify.annotations.NullMarked;
