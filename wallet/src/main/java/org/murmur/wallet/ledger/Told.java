package org.murmur.wallet.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What was last told of a transaction. Whoever keeps the last of these for each has the whole
 * wallet, and perhaps some that were told gone or replaced, and forgotten since.
 */
record Told(
    TxStatus status, boolean heard, long net, @Nullable Confirmation where, @Nullable Rival rival) {

  /** What there is to tell now; null of what does not concern the wallet. */
  static @Nullable Told of(Entry entry, Entries entries, Verdicts verdicts) {
    return entry.concernsWallet()
        ? new Told(
            verdicts.status(entry),
            entry.fact().isHeard(),
            entries.effect(entry).net(),
            entry.fact().confirmation(),
            verdicts.rival(entry))
        : null;
  }
}
