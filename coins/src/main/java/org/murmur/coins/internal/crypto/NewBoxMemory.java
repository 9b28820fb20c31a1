package org.murmur.coins.internal.crypto;

/**
 * How much memory Argon2id takes for a new box. It is a class, so that the tests of the command
 * have their own one before it on their class path: nothing that runs can change it.
 */
final class NewBoxMemory {

  private NewBoxMemory() {}

  /** In KiB; a method, since javac would copy a constant. */
  static int kib() {
    return 64 * 1024;
  }
}
