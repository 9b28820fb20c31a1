package org.murmur.coins.internal.crypto;

/**
 * Stands before the library's class of this name on the class path of these tests, which open
 * hundreds of boxes. The tests of {@code coins} and {@code wallet} pay the full cost.
 */
final class NewBoxMemory {

  private NewBoxMemory() {}

  /** As little as Argon2 allows. */
  static int kib() {
    return 8;
  }
}
