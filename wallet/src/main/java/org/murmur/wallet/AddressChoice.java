package org.murmur.wallet;

import java.util.Optional;
import org.murmur.coins.keys.OutputType;

/**
 * Which of a wallet's addresses are meant: of a script type, or of the first; for change or not.
 */
record AddressChoice(Optional<OutputType> type, boolean change) {

  /** The addresses that a wallet usually hands out. */
  static final AddressChoice USUAL = new AddressChoice(Optional.empty(), false);
}
