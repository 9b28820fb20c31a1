package org.murmur.coins.keys;

/** The words are not a mnemonic; the message says which word or what else is wrong. */
public final class InvalidMnemonicException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final int position;

  InvalidMnemonicException(String message) {
    this(message, 0);
  }

  InvalidMnemonicException(String message, int position) {
    super(message);
    this.position = position;
  }

  /**
   * {@return which word is not in the list, its position among {@link Mnemonic#split}, from 1; 0 if
   * it is not about one word}
   */
  public int position() {
    return position;
  }
}
