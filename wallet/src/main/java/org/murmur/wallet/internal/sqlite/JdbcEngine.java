package org.murmur.wallet.internal.sqlite;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlEngine;
import org.murmur.wallet.store.sql.SqlRows;
import org.murmur.wallet.store.sql.SqlStatement;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConnection;

/** SQLite by JDBC. The only class that knows of either; Android never loads it. */
public final class JdbcEngine implements SqlEngine {

  /** The only one. */
  public static final SqlEngine INSTANCE = new JdbcEngine();

  /** SQLITE_OPEN_READONLY | SQLITE_OPEN_URI. */
  private static final int READ_ONLY_URI = 0x1 | 0x40;

  private JdbcEngine() {}

  @Override
  public SqlConnection open(Path file, Access access) throws SQLException {
    Properties properties = new Properties();
    if (access != Access.WRITE) {
      properties.setProperty("open_mode", Integer.toString(READ_ONLY_URI));
    }
    String url =
        switch (access) {
          case WRITE -> file.toString();
          case READ -> uri(file);
          case FROZEN -> uri(file) + "?immutable=1";
        };
    return new JdbcConnection(JDBC.createConnection("jdbc:sqlite:" + url, properties));
  }

  /**
   * The path as a URI that SQLite reads: a question mark or a hash in a folder's name is no end of
   * it.
   */
  private static String uri(Path file) {
    return "file:" + file.toAbsolutePath().toUri().getRawPath();
  }

  private record JdbcConnection(SQLiteConnection connection) implements SqlConnection {

    @Override
    public void begin(boolean writing) throws SQLException {
      execute(writing ? "BEGIN IMMEDIATE" : "BEGIN");
    }

    @Override
    public void commit() throws SQLException {
      execute("COMMIT");
    }

    @Override
    public void rollback() throws SQLException {
      execute("ROLLBACK");
    }

    @Override
    public void execute(String sql) throws SQLException {
      try (Statement s = connection.createStatement()) {
        s.execute(sql);
      }
    }

    @Override
    public SqlStatement prepare(String sql) throws SQLException {
      return new JdbcStatement(connection.prepareStatement(sql));
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private record JdbcStatement(PreparedStatement statement) implements SqlStatement {

    @Override
    public void setLong(int parameter, long value) throws SQLException {
      statement.setLong(parameter, value);
    }

    @Override
    public void setBytes(int parameter, byte[] value) throws SQLException {
      statement.setBytes(parameter, value);
    }

    @Override
    public void execute() throws SQLException {
      statement.executeUpdate();
    }

    @Override
    public SqlRows query() throws SQLException {
      return new JdbcRows(statement.executeQuery());
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }

  private record JdbcRows(ResultSet rows) implements SqlRows {

    @Override
    public boolean next() throws SQLException {
      return rows.next();
    }

    @Override
    public long getLong(int column) throws SQLException {
      return rows.getLong(column);
    }

    @Override
    public byte @Nullable [] getBytes(int column) throws SQLException {
      return rows.getBytes(column);
    }

    @Override
    public void close() throws SQLException {
      rows.close();
    }
  }
}
