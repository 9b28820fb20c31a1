package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.murmur.wallet.overview.Recoverable;

/**
 * All tables of a file, over one connection, in transactions that read or write.
 *
 * <p>Damaged rows that are {@linkplain Recoverable regainable} are passed over, and deleted by the
 * next transaction that writes. All other damage is an error.
 */
final class Tables {

  private final Database db;
  private final Map<String, Table> tables = new LinkedHashMap<>();
  private final Table seals;
  private final Set<Recoverable> lost = EnumSet.noneOf(Recoverable.class);
  private final Set<Recoverable> unreported = EnumSet.noneOf(Recoverable.class);
  // Tables whose damage is not mended yet.
  private final Set<Recoverable> reported = EnumSet.noneOf(Recoverable.class);
  private long version = -1;
  private boolean sealed;
  private boolean reading;

  Tables(Database db) {
    this.db = db;
    this.seals = new Table(db, this, Schema.SEAL);
    for (String name : Schema.TABLES) {
      tables.put(name, new Table(db, this, name));
    }
  }

  /** Something that talks to the database. */
  interface Task<T> {
    T run() throws SQLException;
  }

  /** The same without an answer. */
  interface Work {
    void run() throws SQLException;
  }

  Table of(String name) {
    return Objects.requireNonNull(tables.get(name), name);
  }

  /** Reads one state. */
  <T> T read(Task<T> task) throws SQLException {
    if (reading) {
      return task.run();
    }
    beginRead();
    try {
      return task.run();
    } finally {
      endRead();
    }
  }

  void beginRead() throws SQLException {
    db.begin(false);
    reading = true;
    forgetOlder();
  }

  void endRead() throws SQLException {
    reading = false;
    db.commit();
  }

  /** Writes all of it or nothing. */
  void write(Work work) throws SQLException {
    db.begin(true);
    try {
      forgetOlder();
      for (Recoverable one : EnumSet.copyOf(lost)) {
        of(one.table()).mend();
      }
      work.run();
      writeSeals();
      if (db.number("PRAGMA user_version") != Schema.FORMAT) {
        db.execute("PRAGMA user_version = " + Schema.FORMAT);
      }
      db.commit();
    } catch (Throwable e) {
      forget();
      rollback();
      throw e;
    }
    reported.removeAll(lost);
    lost.clear();
  }

  private void rollback() {
    try {
      db.rollback();
    } catch (SQLException e) {
      // SQLite rolls back by itself on some errors, a full disk among them, and then says that
      // there is no transaction. The error that led here is the one that matters.
    }
  }

  private void forgetOlder() throws SQLException {
    long now = db.number("PRAGMA data_version");
    if (now != version) {
      forget();
      version = now;
    }
  }

  /** Reads the seals of all tables, if they are not known: few enough to read them at once. */
  void requireSeals() throws SQLException {
    if (sealed) {
      return;
    }
    List<Table> all = new ArrayList<>(tables.values());
    all.forEach(Table::sealNothing);
    try (Database.Answer answer = db.ask("SELECT id, sum, data FROM " + Schema.SEAL)) {
      while (answer.rows().next()) {
        long number = answer.rows().getLong(1);
        if (number >= 0 && number < all.size()) {
          all.get((int) number).readSeal(seals, answer.rows());
        }
      }
    }
    sealed = true;
  }

  private void writeSeals() throws SQLException {
    long number = 0;
    for (Table table : tables.values()) {
      table.writeSeal(seals, number);
      number++;
    }
  }

  private void forget() {
    sealed = false;
    tables.values().forEach(Table::forget);
  }

  /** A table is about to be read as a whole: its damage is found again, if there still is any. */
  void look(Optional<Recoverable> one) {
    one.ifPresent(lost::remove);
  }

  /** Damage of a table is passed over. */
  void lose(Recoverable one) {
    lost.add(one);
    if (!reported.contains(one)) {
      unreported.add(one);
    }
  }

  /** Whether it was found to be damaged, and still is in the file. */
  boolean isLost(Recoverable one) {
    return lost.contains(one);
  }

  /** Hands out what was found to be damaged and passed over, once. */
  Set<Recoverable> takeDamage() {
    Set<Recoverable> news = EnumSet.copyOf(unreported);
    reported.addAll(news);
    unreported.clear();
    return news;
  }
}
