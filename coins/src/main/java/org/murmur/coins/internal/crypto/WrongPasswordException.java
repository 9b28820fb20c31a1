package org.murmur.coins.internal.crypto;

/** The password does not open the box, or the box was altered: the cipher cannot tell which. */
public final class WrongPasswordException extends Exception {

  private static final long serialVersionUID = 1L;

  WrongPasswordException() {
    super("wrong password (or the encrypted words are damaged)");
  }
}
