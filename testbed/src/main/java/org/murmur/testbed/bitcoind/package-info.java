/**
 * A real full node on the loopback interface, for tests, benchmarks and comparisons. Starts a
 * {@code bitcoind} in regtest mode, calls its JSON-RPC, builds long chains on it quickly, and runs
 * a wallet with random events on it.
 */
@NullMarked
package org.murmur.testbed.bitcoind;

import org.jspecify.annotations.NullMarked;
