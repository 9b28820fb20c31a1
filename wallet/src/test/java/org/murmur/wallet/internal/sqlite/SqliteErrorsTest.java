package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
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
