package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.wallet.failure.WalletException;

class SqliteErrorsTest {

  private static final Path FILE = Path.of("w.sqlite");

  /** As the driver says it where its library can be neither found nor unpacked. */
  @Test
  void aLibraryThatCannotBeLoadedIsNoDiskThatFailed() {
    SQLException thrown =
        new SQLException("Error opening connection", new Exception("No native library found"));
    assertThat(SqliteErrors.of(FILE, thrown))
        .hasMessageContaining("cannot be loaded (No native library found)")
        .hasMessageContaining("-Dorg.sqlite.tmpdir=FOLDER")
        .hasMessageNotContaining("disk");
  }

  /** Result codes of sqlite.org/rescode.html; 517 is SQLITE_BUSY_SNAPSHOT, 267 CORRUPT_VTAB. */
  @ParameterizedTest
  @CsvSource({
    "5,LOCKED",
    "6,LOCKED",
    "517,LOCKED",
    "8,READ_ONLY",
    "14,READ_ONLY",
    "13,DISK_FULL",
    "11,CORRUPT",
    "26,CORRUPT",
    "267,CORRUPT",
    "10,IO"
  })
  void aFileInUseIsNotDamaged(int code, WalletException.Kind kind) {
    assertThat(SqliteErrors.of(FILE, new SQLException("", "", code)).kind()).isEqualTo(kind);
  }

  /** SQLITE_IOERR has many causes. */
  @Test
  void anErrorOfReadingNamesNoCause() {
    WalletException failed = SqliteErrors.of(FILE, new SQLException("disk I/O error", "", 10));
    assertThat(failed.kind()).isEqualTo(WalletException.Kind.IO);
    assertThat(failed)
        .hasMessageContaining("(disk I/O error)")
        .hasMessageNotContaining("the disk failed");
    assertThat(SqliteErrors.inCreation(FILE, failed)).hasMessageContaining("no wallet was made");
  }
}
