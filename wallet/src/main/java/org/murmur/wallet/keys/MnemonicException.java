package org.murmur.wallet.keys;

/** The words are not a mnemonic; the message says which word or what else is wrong. */
public final class MnemonicException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  MnemonicException(String message) {
    super(message);
  }
}
