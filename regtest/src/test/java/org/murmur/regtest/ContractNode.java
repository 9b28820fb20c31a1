package org.murmur.regtest;

import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/** A node under contract tests: the real one or the embedded one, on 127.0.0.1. */
public interface ContractNode extends AutoCloseable {

  /**
   * The mean pause between announcements of a node to peers without noban; the real one has its own
   * five seconds.
   */
  int STRANGERS_MILLIS = 300;

  /** The node's settings. */
  enum Kind {
    /** Peers have all permissions: <i>noban</i>, <i>mempool</i>, <i>download</i>. */
    TRUSTING,
    /** Peers have no permissions. */
    UNTRUSTING,
    /** Peers have the permission <i>mempool</i>, and no other. */
    MEMPOOL_ONLY,
    /** Like {@link #UNTRUSTING}, without NODE_BLOOM. */
    WITHOUT_BLOOM,
    /** Like {@link #UNTRUSTING}, without NODE_P2P_V2. */
    WITHOUT_ENCRYPTION,
    /** Like {@link #UNTRUSTING}, with an upload limit that is reached already. */
    UPLOADED_ENOUGH,
    /** Like {@link #UNTRUSTING}, without old blocks. */
    PRUNED,
    /** Like {@link #UPLOADED_ENOUGH} and {@link #PRUNED} at once, with compact filters. */
    COMPACT_FILTERS
  }

  int port();

  /** Whether the mempool holds exactly this transaction, witness included. */
  boolean holds(Tx tx);

  /** Offers a transaction as the node's owner would. */
  void broadcast(Tx tx);

  /** Takes over the new blocks of the chain that it serves, if it does not see them by itself. */
  void catchUp();

  /** The txids of the mempool. */
  Set<Hash256> mempool();

  @Override
  void close();
}
