package org.murmur.wallet.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What was last told of a transaction. Whoever keeps the last of these for each has the whole
 * wallet, and perhaps some that were told gone or replaced, and forgotten since.
 */
record Reported(
    TxStatus status,
    boolean heard,
    long net,
    @Nullable Confirmation where,
    @Nullable Replacement replacement) {

  /** What there is to tell now; null of what does not concern the wallet. */
  static @Nullable Reported of(Entry entry, Entries entries, Resolutions resolutions) {
    return entry.concernsWallet()
        ? new Reported(
            resolutions.status(entry),
            entry.fact().isHeard(),
            entries.effect(entry).net(),
            entry.fact().confirmation(),
            resolutions.replacement(entry))
        : null;
  }
}
