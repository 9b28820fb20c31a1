package org.murmur.p2p.pool;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.headers.Change;
import org.murmur.p2p.headers.ChangeListener;
import org.murmur.p2p.sync.Input;

/** What the wallet counts as pending, as of the last commit. */
public final class Pending implements ChangeListener {

  // Each commit has a map of its own.
  private Map<Hash256, Input.Pending> waiting = Map.of();
  private Set<Hash256> txids = Set.of();
  private int reorganisations;

  /** Something was written, and the wallet says what waits for a block now. */
  public void committed(Collection<Input.Pending> all) {
    Map<Hash256, Input.Pending> byTxid = new LinkedHashMap<>();
    all.forEach(each -> byTxid.put(each.tx().txid(), each));
    waiting = byTxid;
    txids = Collections.unmodifiableSet(byTxid.keySet());
  }

  /** What waits for a block, by txid. It does not change when more is written. */
  Map<Hash256, Input.Pending> waiting() {
    return waiting;
  }

  public Set<Hash256> txids() {
    return txids;
  }

  /** How often blocks left the chain: what they held may wait again. */
  int reorganisations() {
    return reorganisations;
  }

  @Override
  public void hear(Change change) {
    reorganisations += change instanceof Change.Reorganised ? 1 : 0;
  }
}
