package org.murmur.regtest.chain;

import java.util.List;
import org.murmur.bip37.tx.Tx;

/** Signs for a wallet whose keys the chain builder does not know. */
@FunctionalInterface
public interface Signer {

  /**
   * Signs every input.
   *
   * @param unsigned a transaction without scripts and witnesses in its inputs
   * @param spent the outputs that its inputs spend, in their order
   * @return the same transaction with them
   */
  Tx sign(Tx unsigned, List<Tx.Output> spent);
}
