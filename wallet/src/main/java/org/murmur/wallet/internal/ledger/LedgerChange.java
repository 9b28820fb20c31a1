package org.murmur.wallet.internal.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.ledger.TxStatus;

/**
 * The effect of a batch on the books: what must be stored, and what must be reported.
 *
 * @param facts new or changed
 * @param watches outpoints whose state is new or may have changed
 * @param transitions transactions of the wallet whose status, value, block or conflict changed: a
 *     listener that knew all of the wallet's transactions knows them again after these
 * @param relevant how many different transactions of the batch concern the wallet
 * @param forgotten unconfirmed transactions that are no longer in the books: they did not count,
 *     and had to make room
 * @param refused txids of the batch's unconfirmed transactions that spend an own coin without a
 *     right signature
 */
public record LedgerChange(
    List<Fact> facts,
    List<Watch> watches,
    List<Transition> transitions,
    int relevant,
    List<Hash256> forgotten,
    List<Hash256> refused) {

  /** No change. */
  public static final LedgerChange NONE =
      new LedgerChange(List.of(), List.of(), List.of(), 0, List.of(), List.of());

  /** Copies the lists. */
  public LedgerChange {
    facts = List.copyOf(facts);
    watches = List.copyOf(watches);
    transitions = List.copyOf(transitions);
    forgotten = List.copyOf(forgotten);
    refused = List.copyOf(refused);
  }

  /** {@return whether nothing happened; true if there is nothing to write} */
  public boolean isEmpty() {
    return facts.isEmpty() && watches.isEmpty() && forgotten.isEmpty();
  }

  /**
   * A changed transaction.
   *
   * @param before its status until now; null if it was unknown, or did not concern the wallet
   * @param after the status now, perhaps the same
   */
  public record Transition(Hash256 txid, @Nullable TxStatus before, TxStatus after) {}

  /**
   * An outpoint whose spend matters: an output of the wallet, or an input of a payment that is or
   * was pending.
   *
   * @param script number of the own script it pays, or {@link OwnScripts#FOREIGN} for the input of
   *     a pending payment
   * @param birth the lowest height that can spend it
   * @param end the height that spent it, or {@link #OPEN}
   */
  public record Watch(OutPoint outPoint, int script, int birth, int end) {

    /** No block has spent it. */
    public static final int OPEN = Integer.MAX_VALUE;

    /**
     * {@return whether it is the wallet's own; false for the input of a pending payment from
     * others}
     */
    public boolean own() {
      return script != OwnScripts.FOREIGN;
    }
  }
}
