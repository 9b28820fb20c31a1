package org.murmur.wallet.internal.ledger;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** The scripts of a wallet. May grow, never shrinks, and a script keeps its number. */
public interface OwnScripts {

  /** The answer for a script that is not the wallet's. */
  int FOREIGN = -1;

  /**
   * Finds a script.
   *
   * @param scriptPubKey an output's script
   * @return its number, at least 0, or {@link #FOREIGN}
   */
  int find(Bytes scriptPubKey);

  /** Checks the signatures of unconfirmed transactions that spend own coins. */
  interface Signatures {

    /**
     * Checks an input that spends an own coin.
     *
     * @param spend the transaction, with witness data if it came with any
     * @param input the index of the input
     * @param spent what each input spends, in order, as far as it is known; the one of this input
     *     is
     * @return whether the owner of the coin signed this transaction
     */
    boolean areRight(Tx spend, int input, List<Optional<Tx.Output>> spent);

    /**
     * The same the other way round: false if nobody here can say.
     *
     * @param spend the transaction, with witness data if it came with any
     * @param input the index of the input
     * @param spent what each input spends, in order, as far as it is known
     * @return whether the signature is missing or wrong
     */
    default boolean areWrong(Tx spend, int input, List<Optional<Tx.Output>> spent) {
      return !areRight(spend, input, spent);
    }
  }

  /** Derives more scripts when the used ones come near the end of the derived ones. */
  public interface Growth {

    /**
     * Derives more scripts if the used ones require it.
     *
     * @param usedScripts numbers of the own scripts that some transaction pays; not to be changed
     * @param minedScripts those of them that a transaction pays which is, or once was, in a block;
     *     not to be changed
     * @return true if there are new own scripts now
     */
    boolean grow(BitSet usedScripts, BitSet minedScripts);

    /**
     * Whether peers are asked for spends of an outpoint already, even if its payment was forgotten.
     * A confirmed spend of such an outpoint is kept: no peer would be asked for it again once its
     * coin is known.
     *
     * @return true if it is in the element log
     */
    default boolean isLookedFor(OutPoint outPoint) {
      return false;
    }

    /** Scripts that never grow. */
    Growth NONE = (used, mined) -> false;
  }
}
