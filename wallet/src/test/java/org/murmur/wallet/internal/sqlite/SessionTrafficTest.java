package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.internal.store.SessionFacts;
import org.murmur.wallet.overview.Damage;
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
  }

  @Test
  void damageCostsThatSessionAlone() throws Exception {
    Files.copy(REAL, file());
    final List<SessionFacts> before = sessions();
    note(session(1), session(2));
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement()) {
      s.execute(
          "UPDATE session SET data = CAST(data || x'00' AS BLOB)"
              + " WHERE id = (SELECT max(id) FROM session)");
    }
    assertThat(sessions()).startsWith(before.toArray(SessionFacts[]::new)).endsWith(session(1));
    try (SpvWallet wallet = SpvWallet.open(file())) {
      assertThat(wallet.privacy().pastSyncs()).isNotEmpty();
      assertThat(wallet.takeDamage())
          .extracting(Damage::what)
          .containsExactly(Recoverable.SESSIONS);
    }
  }

  @Test
  void aCauseOfANewerVersionIsOther() {
    assertThat(SessionRows.cause("COMPACT_FILTERS")).isEqualTo(TrafficCause.OTHER);
    assertThat(SessionRows.cause("HEADERS")).isEqualTo(TrafficCause.HEADERS);
  }
}
