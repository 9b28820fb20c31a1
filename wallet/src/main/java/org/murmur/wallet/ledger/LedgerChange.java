package org.murmur.wallet.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;

/**
 * What news did to the books: all that must be written down, and all that is worth telling.
 *
 * @param facts new or changed
 * @param watches outpoints whose state is new or may have changed
 * @param transitions transactions of the wallet whose status, worth, block or conflict changed:
 *     after these, whoever knew all of the wallet's transactions knows them again
 * @param relevant how many different transactions of the news concern the wallet
 * @param forgotten unconfirmed transactions that are not in the books any more: they did not count,
 *     and had to make room
 */
public record LedgerChange(
    List<Fact> facts,
    List<Watch> watches,
    List<Transition> transitions,
    int relevant,
    List<Hash256> forgotten) {

  /** News that says nothing. */
  public static final LedgerChange NONE =
      new LedgerChange(List.of(), List.of(), List.of(), 0, List.of());

  /** Copies the lists. */
  public LedgerChange {
    facts = List.copyOf(facts);
    watches = List.copyOf(watches);
    transitions = List.copyOf(transitions);
    forgotten = List.copyOf(forgotten);
  }

  /**
   * Returns whether nothing happened.
   *
   * @return true if there is nothing to write
   */
  public boolean isEmpty() {
    return facts.isEmpty() && watches.isEmpty() && forgotten.isEmpty();
  }

  /**
   * News of a transaction.
   *
   * @param txid which
   * @param before its status until now; null if it was unknown, or did not concern the wallet
   * @param after the status now, perhaps the same
   */
  public record Transition(Hash256 txid, @Nullable TxStatus before, TxStatus after) {}
}
