package org.murmur.wallet;

import java.util.Optional;
import org.murmur.coins.keys.OutputType;

/**
 * Which of a wallet's addresses are meant.
 *
 * @param type their script type; empty for the wallet's first
 * @param change whether those for change; else those to hand out
 */
public record AddressChoice(Optional<OutputType> type, boolean change) {

  /** The addresses that a wallet usually hands out. */
  public static final AddressChoice USUAL = new AddressChoice(Optional.empty(), false);

  /**
   * Chooses a script type.
   *
   * @param wanted the type
   * @return a new value
   */
  public AddressChoice ofType(OutputType wanted) {
    return new AddressChoice(Optional.of(wanted), change);
  }

  /**
   * Chooses addresses for change.
   *
   * @return a new value
   */
  public AddressChoice forChange() {
    return new AddressChoice(type, true);
  }
}
