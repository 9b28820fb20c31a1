package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelImport;
import org.murmur.coins.label.LabelOrigin;
import org.murmur.coins.label.LabelRef;

/** Labels in a wallet's file. */
final class WalletLabelsTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final Hash256 TXID = Hash256.ofDisplay("ab".repeat(32));
  private static final LabelRef TX = LabelRef.of(TXID);
  private static final LabelRef COIN = LabelRef.of(new OutPoint(TXID, 3));

  @TempDir Path folder = Path.of("");

  private SpvWallet create() {
    return SpvWallet.create(folder.resolve("w"), RECIPE);
  }

  private SpvWallet open() {
    return SpvWallet.open(folder.resolve("w"));
  }

  private static String line(LabelRef ref, String more) {
    return "{\"type\":\"" + ref.type().word() + "\",\"ref\":\"" + ref.text() + "\"" + more + "}";
  }

  private static String origin(SpvWallet wallet) {
    return LabelOrigin.of(wallet.info().descriptors().get(0)).orElseThrow();
  }

  @Test
  void aLabelIsInTheFileUntilItIsRemoved() throws Exception {
    try (SpvWallet wallet = create()) {
      assertThat(wallet.labels().of(TX).saysNothing()).isTrue();
      assertThat(wallet.labels().set(TX, " rent\nfor May ")).isTrue();
      assertThat(wallet.labels().set(TX, "rent for May")).isFalse();
    }
    try (SpvWallet wallet = open()) {
      assertThat(wallet.labels().of(TX).text()).isEqualTo("rent for May");
      assertThat(wallet.labels().exportLines())
          .containsExactly(line(TX, ",\"label\":\"rent for May\""));
      assertThat(wallet.labels().set(TX, "")).isTrue();
      assertThat(wallet.labels().list()).isEmpty();
      assertThat(wallet.labels().set(TX, "")).isFalse();
    }
  }

  @Test
  void anExportIsImportedByAnotherWallet() throws Exception {
    List<String> lines;
    try (SpvWallet wallet = create()) {
      wallet.labels().set(TX, "rent");
      LabelImport done =
          wallet
              .labels()
              .importLines(
                  List.of(
                      line(COIN, ",\"spendable\":false,\"fmv\":1"),
                      "nonsense",
                      line(
                          LabelRef.of(Address.parse("bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c")),
                          ",\"label\":\"x\""),
                      line(
                          TX,
                          ",\"label\":\"of another\",\"origin\":\"wpkh([d34db33f/84'/0'/0'])\"")));
      assertThat(done.changed()).hasSize(3);
      assertThat(done.skipped()).extracting(LabelImport.Skipped::line).containsExactly(2);
      assertThat(wallet.labels().of(COIN).frozen()).isTrue();
      assertThat(wallet.labels().of(TX).text()).isEqualTo("rent");
      lines = wallet.labels().exportLines();
      assertThat(lines).hasSize(4);
    }
    try (SpvWallet other = SpvWallet.create(folder.resolve("other"), RECIPE)) {
      assertThat(other.labels().importLines(lines).isWhole()).isTrue();
      assertThat(other.labels().exportLines()).isEqualTo(lines);
      assertThat(other.labels().importLines(lines).changed()).isEmpty();
    }
  }

  /** An importer that names the wallet must not thaw a coin, nor hide a label that is set later. */
  @Test
  void recordsOfThisWalletsOriginCountTogetherWithThoseOfNone() throws Exception {
    try (SpvWallet wallet = create()) {
      String own = ",\"origin\":\"" + origin(wallet) + "\"";
      wallet.labels().importLines(List.of(line(COIN, ",\"spendable\":false")));
      wallet.labels().importLines(List.of(line(COIN, own + ",\"label\":\"gift\"")));
      Label label = wallet.labels().of(COIN);
      assertThat(label.text()).isEqualTo("gift");
      assertThat(label.frozen()).isTrue();
      assertThat(wallet.labels().set(COIN, "present")).isTrue();
      assertThat(wallet.labels().of(COIN).text()).isEqualTo("present");
      assertThat(wallet.coins().unfreeze(new OutPoint(TXID, 3))).isTrue();
      assertThat(wallet.labels().of(COIN).frozen()).isFalse();
      assertThat(wallet.labels().set(COIN, "")).isTrue();
      assertThat(wallet.labels().of(COIN).saysNothing()).isTrue();
    }
  }
}
