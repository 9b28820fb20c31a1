package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.label.LabelType;
import org.murmur.wallet.failure.WalletException;

/** Labels in a real file: found one by one, and damaged. */
final class StoredLabelsTest {

  private static final Path REAL = Path.of("../fuzz/src/test/resources");

  private static final Label SHOP =
      new Label(new LabelRef(LabelType.ADDR, "shop"), "", "a shop", Optional.empty(), "");
  private static final Label RENT =
      new Label(
          new LabelRef(LabelType.TX, "rent"), "wpkh([00000000])", "rent", Optional.empty(), "");
  private static final Label COLD =
      new Label(
          new LabelRef(LabelType.OUTPUT, "cold:0"), "", "", Optional.of(false), "\"height\":5");

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private void sql(String... statements) throws SQLException {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }

  private void put(Label... labels) throws Exception {
    try (SqliteStore store = SqliteStore.open(file())) {
      store.lock();
      store.putLabels(List.of(labels));
    }
  }

  private List<Label> labels() {
    try (SqliteStore store = SqliteStore.open(file())) {
      return store.labels();
    }
  }

  private void copy(String name) throws Exception {
    Files.copy(REAL.resolve(name), file());
  }

  @Test
  void replacesAndRemoves() throws Exception {
    copy("wallet.murmur");
    assertThat(labels()).isEmpty();
    put(SHOP, RENT, COLD);
    assertThat(labels()).containsExactly(RENT, SHOP, COLD);
    put(SHOP.withText("the shop"), new Label(RENT.ref(), "", "mine", Optional.empty(), ""));
    try (SqliteStore store = SqliteStore.open(file())) {
      assertThat(store.labels(List.of(SHOP.ref()))).containsExactly(SHOP.withText("the shop"));
      assertThat(store.labels(List.of(RENT.ref())))
          .extracting(Label::text)
          .containsExactly("mine", "rent");
      assertThat(store.labels(List.of(new LabelRef(LabelType.ADDR, "other")))).isEmpty();
    }
    put(SHOP.withText(""), RENT.withText(""), Label.about(RENT.ref()));
    assertThat(labels()).containsExactly(COLD);
  }

  /** The user's data: it cannot be learned again, so it is never dropped in silence. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM label WHERE id = (SELECT min(id) FROM label)",
        "UPDATE label SET id = id + 1 WHERE id = (SELECT min(id) FROM label)",
        "UPDATE label SET data = CAST(substr(data, 1, 4) || x'21' || substr(data, 6) AS BLOB)",
        "UPDATE label SET data = x''",
        "DROP TABLE label",
        "DELETE FROM seal"
      })
  void damageIsAnErrorThatNamesTheFile(String damage) throws Exception {
    copy("wallet.murmur");
    put(SHOP, RENT, COLD);
    sql(damage);
    assertThatThrownBy(this::labels)
        .isInstanceOf(WalletException.class)
        .hasMessageContaining("the wallet is damaged");
    int refused = 0;
    for (Label label : List.of(SHOP, RENT, COLD)) {
      try (SqliteStore store = SqliteStore.open(file())) {
        store.lock();
        // What is found is right, and what is damaged gets no new checksum.
        assertThat(store.labels(List.of(label.ref()))).containsExactly(label);
        store.putLabels(List.of(label));
      } catch (WalletException e) {
        assertThat(e.text()).contains(file() + " is damaged");
        refused++;
      }
    }
    assertThat(refused).isPositive();
    assertThatThrownBy(this::labels).as("not vouched for").isInstanceOf(WalletException.class);
  }
}
