package org.murmur.coins.keys;

import java.util.List;
import java.util.Optional;

/**
 * Where a key is derived from the wallet's words (BIP-0044, 49, 84, 86).
 *
 * @param type decides the purpose of the path, and the script that the key must give
 * @param account number of the account, from 0
 * @param change true for the change chain, false for the receive chain
 * @param index position in the chain, from 0
 */
public record KeyPath(OutputType type, int account, boolean change, int index) {

  private static final int HARDENED = 0x80000000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public KeyPath {
    if (account < 0 || index < 0) {
      throw new IllegalArgumentException(
          "account " + account + ", index " + index + ": expected 0 to 2147483647");
    }
  }

  /**
   * Returns where a key of a descriptor is derived.
   *
   * @param key of a descriptor
   * @return the path; empty if a wallet of words does not derive keys there
   */
  public static Optional<KeyPath> of(Descriptor.PublicKey key) {
    List<Integer> path = key.path();
    boolean standard =
        path.size() == 5
            && path.get(0) == (HARDENED | key.type().purpose())
            && path.get(1) < 0
            && path.get(2) < 0
            && (path.get(3) == 0 || path.get(3) == 1)
            && path.get(4) >= 0;
    return standard
        ? Optional.of(
            new KeyPath(key.type(), path.get(2) & ~HARDENED, path.get(3) == 1, path.get(4)))
        : Optional.empty();
  }

  /** For instance {@code p2wpkh account 0 change 17}. */
  @Override
  public String toString() {
    return type.scriptName() + " account " + account + (change ? " change " : " receive ") + index;
  }
}
