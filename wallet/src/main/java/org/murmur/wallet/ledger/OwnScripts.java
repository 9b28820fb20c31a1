package org.murmur.wallet.ledger;

import java.util.BitSet;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;

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

  /** Derives more scripts when those in use come near the end of those known. */
  public interface Growth {

    /**
     * Looks at the scripts in use and derives more if they are needed.
     *
     * @param usedScripts numbers of the own scripts that some transaction pays; not to be changed
     * @param minedScripts those of them that a transaction pays which is, or once was, in a block;
     *     not to be changed
     * @return true if there are new own scripts now
     */
    boolean grow(BitSet usedScripts, BitSet minedScripts);

    /**
     * Whether spends of an outpoint are looked for already, also if what pays it was forgotten.
     * What a block holds and spends one is kept: nobody would be asked for it again when its coin
     * is known.
     *
     * @param outPoint any
     * @return true if it is in the element log
     */
    default boolean isLookedFor(OutPoint outPoint) {
      return false;
    }

    /** Scripts that never grow. */
    Growth NONE = (used, mined) -> false;
  }
}
