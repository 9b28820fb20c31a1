package org.murmur.coins.keys;

/** A text is no address of the wanted network; the message says why. */
public final class AddressException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  AddressException(String message) {
    super(message);
  }

  AddressException(String message, Throwable cause) {
    super(message, cause);
  }
}
