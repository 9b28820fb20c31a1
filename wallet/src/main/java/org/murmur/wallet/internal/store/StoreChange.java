package org.murmur.wallet.internal.store;

import java.util.List;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.wallet.internal.ledger.LedgerChange;

/**
 * One commit, as it is written: all of it or nothing. First the batch goes in, in the order of its
 * fields, without its transactions; then scripts, transactions and outpoints.
 *
 * @param batch from the peers
 * @param ledger what it, or the user, changed in the ledger
 * @param proofs of transactions that were confirmed
 * @param scripts new in the element log
 * @param outPoints new in the element log, or with another birth or end
 * @param disclosed own scripts that peers are about to be sent outside every filter
 */
public record StoreChange(
    CommitBatch batch,
    LedgerChange ledger,
    List<StoredProof> proofs,
    List<ScriptRun> scripts,
    List<LoggedOutPoint> outPoints,
    List<DisclosedScripts> disclosed) {

  /** Copies the lists. */
  public StoreChange {
    proofs = List.copyOf(proofs);
    scripts = List.copyOf(scripts);
    outPoints = List.copyOf(outPoints);
    disclosed = List.copyOf(disclosed);
  }

  /**
   * Returns whether loads may be counted with others, and views be gone: there are new ones, or no
   * row names them any more.
   *
   * @param height of the chain before this change, as it may leave blocks
   */
  public boolean freesLoads(int height) {
    return !batch.loads().isEmpty()
        || !batch.views().isEmpty()
        || !batch.folded().isEmpty()
        || !batch.disowned().isEmpty()
        || batch.voidRowsFrom() != Integer.MAX_VALUE
        || height > batch.forkHeight();
  }
}
