package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.CommitBatch.MatchedBlock;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LedgerChange;
import org.murmur.wallet.internal.ledger.LedgerInput;
import org.murmur.wallet.internal.store.StoredProof;
import org.murmur.wallet.ledger.Confirmation;

/** The transactions in the blocks of a batch. */
final class MinedTransactions {

  private MinedTransactions() {}

  /** Every transaction of the blocks, and its position according to the proof. */
  static List<LedgerInput.Mined> of(CommitBatch batch) {
    List<LedgerInput.Mined> mined = new ArrayList<>();
    for (MatchedBlock block : batch.blocks()) {
      Map<Hash256, Integer> positions = positions(block);
      for (Tx tx : block.transactions()) {
        mined.add(
            new LedgerInput.Mined(
                tx,
                new Confirmation(
                    block.height(),
                    block.proof().blockHash(),
                    positions.getOrDefault(tx.txid(), 0),
                    block.time())));
      }
    }
    return mined;
  }

  private static Map<Hash256, Integer> positions(MatchedBlock block) {
    Map<Hash256, Integer> positions = new HashMap<>();
    if (block.proof().verify() instanceof Verdict.Proven proven) {
      for (Match match : proven.matches()) {
        positions.put(match.txid(), match.position());
      }
    }
    return positions;
  }

  /** The proofs of the transactions that the ledger kept. */
  static List<StoredProof> proofs(CommitBatch batch, LedgerChange change) {
    Set<Hash256> kept = new HashSet<>();
    for (Fact fact : change.facts()) {
      if (fact.confirmation() != null) {
        kept.add(fact.tx().txid());
      }
    }
    List<StoredProof> proofs = new ArrayList<>();
    for (MatchedBlock block : batch.blocks()) {
      for (Tx tx : block.transactions()) {
        if (kept.contains(tx.txid())) {
          proofs.add(new StoredProof(tx.txid(), block.height(), block.proof()));
        }
      }
    }
    return proofs;
  }

  /** The different matched transactions, in blocks and unconfirmed. */
  static Collection<Tx> matched(CommitBatch batch) {
    Map<Hash256, Tx> matched = new HashMap<>();
    for (MatchedBlock block : batch.blocks()) {
      block.transactions().forEach(tx -> matched.put(tx.txid(), tx));
    }
    batch.unconfirmed().forEach(tx -> matched.put(tx.txid(), tx));
    return matched.values();
  }
}
