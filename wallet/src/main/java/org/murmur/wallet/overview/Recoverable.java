package org.murmur.wallet.overview;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything in a wallet's file that can be learnt again. If such a row is damaged, it is dropped
 * with a warning, and the wallet works on. Damage to anything else refuses the file.
 */
public enum Recoverable {
  /** When the wallet was made: only shown, and not known any more. */
  CREATED("created", "the creation date of the wallet is lost"),

  /**
   * The height of the birthday: it follows from the headers, unless a rescan has lowered it, which
   * has to be run again.
   */
  BIRTHDAY_HEIGHT(
      "birthday_height",
      "the next sync determines the height of the birthday again. If you rescanned from an earlier"
          + " block before, repeat that rescan"),

  /** The preset used last: what exposes less takes its place until another one is named. */
  PRESET("preset", "the wallet counts as private until a sync names another preset"),

  /** Facts about peers. */
  PEERS("peer", "the next syncs learn about the lost peers again"),

  /** Addresses of peers. */
  ADDRESSES("address", "the next syncs find peer addresses again"),

  /** The cost of earlier syncs, for estimates, and their bytes by cause, which are only shown. */
  SESSIONS("session", "the next estimates are less exact, and the overview shows fewer syncs");

  private final String table;
  private final String consequence;

  Recoverable(String table, String consequence) {
    this.table = table;
    this.consequence = consequence;
  }

  /**
   * Returns what of a table can be learnt again.
   *
   * @param table its name
   * @return all of it, or empty if nothing can
   */
  public static Optional<Recoverable> of(String table) {
    return Stream.of(values()).filter(one -> one.table.equals(table)).findFirst();
  }

  /** {@return where it is in the file, the name of a table} */
  public String table() {
    return table;
  }

  /** The result of its loss, for the user. */
  String consequence() {
    return consequence;
  }
}
