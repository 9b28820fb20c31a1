package org.murmur.wallet.overview;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything in a wallet's file that can be learnt again. If such a row is damaged, it is dropped
 * with a warning, and the wallet works on. Damage to anything else refuses the file.
 */
public enum Recoverable {
  /** When the wallet was made: only shown, and not known any more. */
  CREATED("meta", "created", "the creation date of the wallet is lost"),

  /**
   * The height of the birthday: it follows from the headers, unless a rescan has lowered it, which
   * has to be run again.
   */
  BIRTHDAY_HEIGHT(
      "meta",
      "birthday_height",
      "the next sync determines the height of the birthday again. If you rescanned from an earlier"
          + " block before, repeat that rescan"),

  /** The preset used last: what exposes less takes its place until another one is named. */
  PRESET("meta", "preset", "the wallet counts as private until a sync names another preset"),

  /** Facts about peers. */
  PEERS("peer", "", "the next syncs learn about the lost peers again"),

  /** Addresses of peers. */
  ADDRESSES("address", "", "the next syncs find peer addresses again"),

  /** The cost of earlier syncs, for estimates. */
  SESSIONS("session", "", "the next estimates are less exact"),

  /** Which bytes of earlier syncs had which cause: only shown. */
  TRAFFIC("traffic", "", "the overview shows fewer bytes by cause");

  private final String table;
  private final String key;
  private final String consequence;

  /** Of a table, with the key of its row; or of all its rows, if the key is empty. */
  Recoverable(String table, String key, String consequence) {
    this.table = table;
    this.key = key;
    this.consequence = consequence;
  }

  /**
   * Lists everything of a table that can be learnt again.
   *
   * @param table its name
   * @return empty if nothing can
   */
  public static List<Recoverable> of(String table) {
    return Stream.of(values()).filter(one -> one.table.equals(table)).collect(Collectors.toList());
  }

  /** {@return where it is in the file, the name of a table} */
  public String table() {
    return table;
  }

  /** {@return which row of the table it is, the row's key, or empty for all rows of the table} */
  public String key() {
    return key;
  }

  /** The result of its loss, for the user. */
  String consequence() {
    return consequence;
  }
}
