package org.murmur.wallet.internal.books;

import java.util.List;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.wallet.internal.ledger.LedgerChange.Transition;

/**
 * The outcome of a commit that is on disk.
 *
 * @param forkHeight the last height that stayed; below {@code oldHeight} it was a reorganisation
 * @param falsePositives how many different transactions of the batch matched by chance alone: they
 *     are not in the books, and spend no watched outpoint
 * @param falsePositiveBytes the bytes of the messages that brought them, each counted once
 */
public record CommitOutcome(
    List<Input> inputs,
    List<Transition> transitions,
    int oldHeight,
    int forkHeight,
    int height,
    int falsePositives,
    long falsePositiveBytes) {

  public CommitOutcome {
    inputs = List.copyOf(inputs);
    transitions = List.copyOf(transitions);
  }
}
