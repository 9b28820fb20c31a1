package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.Random;
import org.junit.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.runner.RunWith;
import org.murmur.android.AndroidSqlite;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlEngine;
import org.robolectric.RobolectricTestRunner;

/** The tests of the store, with Android's SQLite. */
@RunWith(RobolectricTestRunner.class)
public final class AndroidStoreTest {

  private static final int LIVES = 10;

  /** Drawn lives. */
  static final class Contract extends StoreContractTest {
    @Override
    SqlEngine engine() {
      return AndroidSqlite.ENGINE;
    }
  }

  /** Drawn lives of a file that both libraries open in turn. */
  static final class Shared extends StoreContractTest {

    private int opened;

    @Override
    SqlEngine engine() {
      opened++;
      return opened % 3 == 0 ? JdbcEngine.INSTANCE : AndroidSqlite.ENGINE;
    }
  }

  /** The file. */
  static final class OfTheFile extends SqliteStoreTest {
    @Override
    SqlEngine engine() {
      return AndroidSqlite.ENGINE;
    }
  }

  @Test
  public void reportsTheSameLifeAsAStoreInMemory() throws Exception {
    Random dice = dice();
    for (int i = 0; i < LIVES; i++) {
      new Contract().reportTheSameLife(dice.nextLong());
    }
  }

  @Test
  public void keepsHeadersAsAList() throws Exception {
    new OfTheFile().keepsHeadersAsAList(dice().nextLong());
  }

  private static Random dice() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    return new Random(seed);
  }

  /** What the JVM's store wrote, this one reads and writes, and the other way round. */
  @Test
  public void sharesFilesWithTheStoreOfTheJvm() throws Exception {
    Random dice = dice();
    for (int i = 0; i < 2; i++) {
      new Shared().reportTheSameLife(dice.nextLong());
    }
  }

  /** An app that reads a wallet that was closed must not hear that its file is damaged. */
  @Test
  public void aClosedConnectionIsNotADamagedFile() throws Exception {
    File file = File.createTempFile("closed", ".db");
    SqlConnection connection = AndroidSqlite.ENGINE.open(file.toPath(), SqlEngine.Access.WRITE);
    connection.close();
    SQLException failure =
        catchThrowableOfType(SQLException.class, () -> connection.execute("SELECT 1"));
    assertThat(SqliteErrors.of(file.toPath(), failure).kind()).isEqualTo(WalletException.Kind.IO);
  }

  /** Jupiter's tests, run by Jupiter inside Robolectric's world. */
  @Test
  public void passesTheTestsOfTheFile() {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(OfTheFile.class))
                .filters(includeEngines("junit-jupiter"))
                .build(),
            listener);
    TestExecutionSummary summary = listener.getSummary();
    StringWriter failures = new StringWriter();
    summary.printFailuresTo(new PrintWriter(failures), 12);
    assertThat(failures.toString()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isGreaterThan(20);
  }
}
