package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.internal.store.SessionFacts;
import org.murmur.wallet.overview.Loss;
import org.murmur.wallet.overview.Recoverable;

/** The bytes of syncs by cause, in a real file. */
final class SessionTrafficTest {

  private static final Path REAL = Path.of("../fuzz/src/test/resources/wallet.murmur");

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private static SessionFacts session(int number) {
    BytesByCause traffic =
        BytesByCause.NONE
            .plus(TrafficCause.HEADERS, 100L + number, 7)
            .plus(TrafficCause.FALSE_POSITIVES, number, 0);
    return new SessionFacts(1_000 + number, 20, 3, 4, 500, 60, traffic);
  }

  private void note(SessionFacts... sessions) throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      store.lock();
      for (SessionFacts session : sessions) {
        store.note(session);
      }
    }
  }

  private List<SessionFacts> sessions() throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      return store.sessions();
    }
  }

  private long sql(String statement) throws Exception {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement()) {
      if (!s.execute(statement)) {
        return s.getUpdateCount();
      }
      try (ResultSet result = s.getResultSet()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  @Test
  void whatWasNotedIsRead() throws Exception {
    Files.copy(REAL, file());
    List<SessionFacts> before = sessions();
    note(session(1), session(2));
    assertThat(sessions()).hasSize(before.size() + 2).endsWith(session(1), session(2));
    assertThat(sessions()).startsWith(before.toArray(SessionFacts[]::new));
  }

  @Test
  void bytesGoWithTheirSession() throws Exception {
    Files.copy(REAL, file());
    SessionFacts[] many = new SessionFacts[30];
    for (int i = 0; i < many.length; i++) {
      many[i] = session(i + 1);
    }
    note(many);
    assertThat(sessions()).hasSize(20).startsWith(session(11)).endsWith(session(30));
    assertThat(sql("SELECT count(*) FROM traffic")).isEqualTo(40);
  }

  @Test
  void damageCostsTheBytesByCauseAlone() throws Exception {
    Files.copy(REAL, file());
    note(session(1));
    String last = "session = (SELECT max(id) FROM session) AND cause = 'HEADERS'";
    assertThat(sql("UPDATE traffic SET received = 9999 WHERE " + last)).isEqualTo(1);
    List<SessionFacts> read = sessions();
    SessionFacts newest = read.get(read.size() - 1);
    assertThat(newest.received()).isEqualTo(500);
    assertThat(newest.traffic().of(TrafficCause.HEADERS)).isEqualTo(BytesByCause.Part.NONE);
    assertThat(newest.traffic().of(TrafficCause.FALSE_POSITIVES).received()).isEqualTo(1);
    try (SpvWallet wallet = SpvWallet.open(file())) {
      assertThat(wallet.privacy().pastSyncs()).isNotEmpty();
      assertThat(wallet.takeLosses()).extracting(Loss::what).containsExactly(Recoverable.TRAFFIC);
    }
  }

  @Test
  void aCauseOfANewerVersionIsOther() {
    Row row = new Row(1L, 1L, "COMPACT_FILTERS", 5L, 6L);
    assertThat(SessionRows.TrafficRow.of(row))
        .isEqualTo(new SessionRows.TrafficRow(1, TrafficCause.OTHER, 5, 6));
  }
}
