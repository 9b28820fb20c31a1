package org.murmur.wallet.books;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.sync.Confirmed;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.sync.SyncStart;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.store.WalletStore;

/** The stored filters and scan rows, and what follows from them for a session or a report. */
final class ScanRecord {

  private final WalletStore store;
  private final Loaded now;
  private final List<Load> loads;
  private final Map<Long, Load> byId = new HashMap<>();
  private final List<ScanRow> rows;

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if a row is impossible
   */
  ScanRecord(WalletStore store, Loaded now) throws StoreException {
    this.store = store;
    this.now = now;
    this.loads = store.loads();
    this.rows = store.rows();
    loads.forEach(load -> byId.put(load.id(), load));
    Scans.requireSound(rows, byId, now.log().size(), now.height());
  }

  private @Nullable Load last() {
    return loads.isEmpty() ? null : loads.get(loads.size() - 1);
  }

  /** The initial state of a machine. */
  SyncStart start(Network network, boolean compares, boolean discovers) throws StoreException {
    Load last = last();
    return new SyncStart(
        network,
        StoredHeaders.unwrapped(
            () -> HeaderChain.restore(network, now.base(), store.headers(), store.height())),
        now.wallet().birthday(),
        now.wallet().birthdayHeight(),
        now.log().elements(),
        loads,
        rows,
        store.peers(),
        last == null ? 1 : last.id() + 1,
        rows.isEmpty() ? 1 : rows.get(rows.size() - 1).id() + 1,
        compares ? confirmed() : List.of(),
        discovers ? store.addresses() : List.of());
  }

  private List<Confirmed> confirmed() throws StoreException {
    List<Confirmed> confirmed = new ArrayList<>();
    // Also replacements of payments that do not pay us: peers were asked for them, and reported
    // them.
    for (Fact fact : now.ledger().facts()) {
      if (fact.confirmation() != null) {
        confirmed.add(new Confirmed(fact.height(), fact.tx()));
      }
    }
    return confirmed;
  }

  /** Which peers covered what. */
  Scans scans() throws StoreException {
    Load last = last();
    // Measured by the goal of the last session: a fast one that was cut off left more to scan.
    boolean epochsOnly = last != null && last.content() instanceof Content.Epoch;
    OptionalInt born = now.wallet().birthdayHeight();
    Coverage coverage =
        born.isPresent()
            ? new Coverage(
                new ArrayList<>(now.log().elements()),
                born.getAsInt(),
                Scans.spans(rows, byId),
                epochsOnly)
            : null;
    return new Scans(rows, byId, coverage, now.height());
  }
}
