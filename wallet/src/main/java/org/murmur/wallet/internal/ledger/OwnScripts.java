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

  /** Finds the number of an output's script, at least 0, or {@link #FOREIGN}. */
  int find(Bytes scriptPubKey);

  /** Checks the signatures of unconfirmed transactions that spend own coins. */
  interface Signatures {

    /**
     * Returns whether the owner of the coin that an input spends signed this transaction. What each
     * input spends is in order, as far as it is known; that of this input is.
     */
    boolean areRight(Tx spend, int input, List<Optional<Tx.Output>> spent);

    /** Returns whether the signature is missing or wrong: false if nobody here can say. */
    default boolean areWrong(Tx spend, int input, List<Optional<Tx.Output>> spent) {
      return !areRight(spend, input, spent);
    }
  }

  /** Derives more scripts when the used ones come near the end of the derived ones. */
  public interface Growth {

    /**
     * Derives more scripts if the used ones require it, and returns whether there are new ones.
     * Neither set may be changed: the numbers of own scripts that some transaction pays, and those
     * of them that one pays which is, or once was, in a block.
     */
    boolean grow(BitSet usedScripts, BitSet minedScripts);

    /**
     * Returns whether peers are asked for spends of an outpoint already, even if its payment was
     * forgotten: it is in the element log. A confirmed spend of such an outpoint is kept: no peer
     * would be asked for it again once its coin is known.
     */
    default boolean isLookedFor(OutPoint outPoint) {
      return false;
    }

    /** Scripts that never grow. */
    Growth NONE = (used, mined) -> false;
  }
}
