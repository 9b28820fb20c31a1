package org.murmur.wallet.sign;

import org.murmur.wallet.keys.ScriptType;

/**
 * Where a key is derived from the wallet's words (BIP-0044, 49, 84, 86).
 *
 * @param type decides the purpose of the path, and the script that the key must give
 * @param account number of the account, from 0
 * @param change true for the change chain, false for the receive chain
 * @param index position in the chain, from 0
 */
public record KeyPath(ScriptType type, int account, boolean change, int index) {

  /** Checks the ranges. */
  public KeyPath {
    if (account < 0 || index < 0) {
      throw new IllegalArgumentException(
          "account " + account + ", index " + index + ": expected 0 to 2147483647");
    }
  }

  /** For instance {@code p2wpkh account 0 change 17}. */
  @Override
  public String toString() {
    return type.scriptName() + " account " + account + (change ? " change " : " receive ") + index;
  }
}
