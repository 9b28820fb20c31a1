package org.murmur.wallet.ledger;

import org.murmur.bip37.bytes.Bytes;

/** The scripts of a wallet. May grow, never shrinks, and a script keeps its number. */
public interface OwnScripts {

  /** The answer for a script that is not the wallet's. */
  int FOREIGN = -1;

  /**
   * Looks a script up.
   *
   * @param scriptPubKey an output's script
   * @return its number, at least 0, or {@link #FOREIGN}
   */
  int find(Bytes scriptPubKey);
}
