package org.murmur.wallet.sync;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/**
 * What the user does to the books.
 *
 * @param sent transactions that were sent
 * @param heard those of them that a peer has by its own word
 * @param abandoned transactions to forget
 */
public record UserAct(List<Tx> sent, List<Tx> heard, List<Hash256> abandoned) {

  /** Copies the lists. */
  public UserAct {
    sent = List.copyOf(sent);
    heard = List.copyOf(heard);
    abandoned = List.copyOf(abandoned);
  }

  /**
   * Sends a transaction.
   *
   * @param tx signed
   * @param isHeard whether a peer is known to have accepted it
   * @return the act
   */
  public static UserAct send(Tx tx, boolean isHeard) {
    return new UserAct(List.of(tx), isHeard ? List.of(tx) : List.of(), List.of());
  }

  /**
   * Forgets a transaction.
   *
   * @param txid which
   * @return the act
   */
  public static UserAct abandon(Hash256 txid) {
    return new UserAct(List.of(), List.of(), List.of(txid));
  }
}
