package org.murmur.wallet.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything in a wallet's file that can be learnt again. If such a row is damaged, it is dropped
 * with a warning, and the wallet works on. Damage to anything else refuses the file.
 */
enum Regainable {
  /** Only shown. */
  CREATED("meta", "created", "when the wallet was made is not known any more"),

  /** The headers tell it, unless a rescan has lowered it. */
  BIRTHDAY_HEIGHT(
      "meta",
      "birthday_height",
      "the next sync finds the height of the birthday again; if you rescanned from an earlier block,"
          + " run that `murmur rescan` again"),

  /** What exposes less takes its place. */
  PRESET(
      "meta",
      "preset",
      "the wallet counts as private until `murmur sync --privacy` names another preset"),

  PEERS("peer", "", "syncs learn again about the peers that were lost"),

  ADDRESSES("address", "", "syncs find the addresses of peers again"),

  SESSIONS("session", "", "estimates of the next syncs know less");

  private final String table;
  private final String key;
  private final String consequence;

  /** Of a table, with the key of its row; or of all its rows, if the key is empty. */
  Regainable(String table, String key, String consequence) {
    this.table = table;
    this.key = key;
    this.consequence = consequence;
  }

  /** Everything of this table that can be learnt again. */
  static List<Regainable> of(String table) {
    List<Regainable> all = new ArrayList<>();
    for (Regainable one : values()) {
      if (one.table.equals(table)) {
        all.add(one);
      }
    }
    return all;
  }

  String table() {
    return table;
  }

  /** The key of the row, or empty for all rows of the table. */
  String key() {
    return key;
  }

  /** What a user is told about the loss. */
  String warning(Object file) {
    return file
        + " is damaged in the table "
        + table
        + (key.isEmpty() ? "" : " (" + key + ")")
        + ": what it said there was dropped; "
        + consequence
        + ". Check the disk, and keep a copy of the words or of `murmur export descriptor`";
  }
}
