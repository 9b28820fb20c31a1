package org.murmur.p2p.internal.pool;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.sync.Input;

/** The wallet's pending transactions, as of the last commit. */
public final class Pending implements ChangeListener {

  // Each commit has its own map.
  private Map<Hash256, Input.Pending> waiting = Map.of();
  private Set<Hash256> txids = Set.of();
  private Set<Hash256> askable = Set.of();
  private int reorganisations;

  /** A batch was written, and these are the pending transactions now. */
  public void committed(Collection<Input.Pending> all) {
    Map<Hash256, Input.Pending> byTxid = new LinkedHashMap<>();
    all.forEach(each -> byTxid.put(each.tx().txid(), each));
    waiting = byTxid;
    txids = Collections.unmodifiableSet(byTxid.keySet());
    Set<Hash256> named = new LinkedHashSet<>();
    byTxid.forEach(
        (txid, payment) -> {
          if (payment.heard() || payment.sent()) {
            named.add(txid);
          }
        });
    askable = Collections.unmodifiableSet(named);
  }

  /** Pending transactions by txid. Later commits do not change this map. */
  Map<Hash256, Input.Pending> waiting() {
    return waiting;
  }

  public Set<Hash256> txids() {
    return txids;
  }

  /**
   * Those that a peer may be asked for by txid. A payment that was only signed is not among them:
   * nobody has it, and the question would reveal it.
   */
  Set<Hash256> askable() {
    return askable;
  }

  /** How often blocks left the chain: their transactions may be pending again. */
  int reorganisations() {
    return reorganisations;
  }

  @Override
  public void hear(Change change) {
    reorganisations += change instanceof Change.Reorganised ? 1 : 0;
  }
}
