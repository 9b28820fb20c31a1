package org.murmur.wallet.overview;

/**
 * Damage in a wallet's file that was passed over, because what was damaged can be learnt again.
 *
 * @param store the file, or what else names the store
 * @param what what was dropped
 */
public record Damage(String store, Recoverable what) {

  /** {@return the sentence for the user; it begins with the file's name, and has no full stop} */
  public String text() {
    return store
        + " is damaged in the table "
        + what.table()
        + ": the damaged rows were dropped; "
        + what.consequence()
        + ". Check the disk, and keep a copy of the words or of the descriptors";
  }
}
