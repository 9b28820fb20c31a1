package org.murmur.regtest.chain;

import java.util.List;
import org.murmur.bip37.tx.Tx;

/** Signs for a wallet whose keys the chain builder does not know. */
@FunctionalInterface
public interface Signer {

  /**
   * Returns the same transaction with scripts and witnesses in every input, given the outputs that
   * they spend in their order.
   */
  Tx sign(Tx unsigned, List<Tx.Output> spent);
}
