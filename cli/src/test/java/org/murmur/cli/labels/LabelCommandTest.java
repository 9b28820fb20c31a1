package org.murmur.cli.labels;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;

class LabelCommandTest extends RestoredWallet {

  private static final String ADDRESS = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
  private static final String TXID = "ab".repeat(32);

  @Test
  void setsShowsAndRemoves() {
    assertThat(murmur("label", ADDRESS).exits(ExitCode.DONE).err()).contains("no label");
    assertThat(murmur("label", ADDRESS, "the", "shop").exits(ExitCode.DONE).out())
        .isEqualTo("label set: the shop\n");
    assertThat(murmur("label", ADDRESS.toUpperCase(java.util.Locale.ROOT)).out())
        .isEqualTo("the shop\n");
    JsonNode json = murmur("label", ADDRESS, "--json").json();
    assertThat(json.get("type").asText()).isEqualTo("addr");
    assertThat(json.get("ref").asText()).isEqualTo(ADDRESS);
    assertThat(json.get("label").asText()).isEqualTo("the shop");
    assertThat(murmur("label").out()).isEqualTo("addr    " + ADDRESS + "  the shop\n");
    assertThat(murmur("label", ADDRESS, "").exits(ExitCode.DONE).out())
        .isEqualTo("label removed\n");
    assertThat(murmur("label", ADDRESS, "").out()).isEqualTo("there was no label\n");
    assertThat(murmur("label", "--json").json().get("labels")).isEmpty();
  }

  @Test
  void aTransactionThatTheWalletDoesNotHaveIsLabelledWithANote() {
    assertThat(murmur("label", TXID, "rent").exits(ExitCode.DONE).err())
        .contains("the wallet has no transaction " + TXID + " so far");
    assertThat(murmur("label", TXID + ":1", "coin", "--json").json().get("frozen").asBoolean())
        .isFalse();
    assertThat(murmur("label", TXID).out()).isEqualTo("rent\n");
  }

  @Test
  void exportsAndImportsFilesAndStreams() throws IOException {
    murmur("label", ADDRESS, "the \"shop\"").exits(ExitCode.DONE);
    Path file = datadir.resolve("labels.jsonl");
    assertThat(murmur("label", "export", file.toString()).exits(ExitCode.DONE).out())
        .isEqualTo("1 record written to " + file + "\n");
    String lines = Files.readString(file);
    assertThat(lines)
        .isEqualTo(
            "{\"type\":\"addr\",\"ref\":\"" + ADDRESS + "\",\"label\":\"the \\\"shop\\\"\"}\n");
    assertThat(murmur("label", "export", "-").out()).isEqualTo(lines);
    murmur("label", ADDRESS, "").exits(ExitCode.DONE);
    assertThat(murmur("label", "import", file.toString()).exits(ExitCode.DONE).out())
        .isEqualTo("1 record read, 1 new or changed, 0 lines skipped\n");
    assertThat(murmur("label", ADDRESS).out()).isEqualTo("the \"shop\"\n");
    JsonNode again = here().stdin(lines).murmur("label", "import", "-", "--json").json();
    assertThat(again.get("read").asInt()).isEqualTo(1);
    assertThat(again.get("changed").asInt()).isZero();
  }

  @Test
  void anImportNamesTheLinesThatAreNoLabels() {
    String good = "{\"type\":\"output\",\"ref\":\"" + TXID + ":0\",\"spendable\":false}\n";
    Ran ran =
        here()
            .stdin("x,y\n{\"type\":\"new\",\"ref\":\"\"}\n" + good)
            .murmur("label", "import", "-");
    assertThat(ran.exits(ExitCode.FAILED).out())
        .isEqualTo("1 record read, 1 new or changed, 2 lines skipped\n");
    assertThat(ran.err())
        .contains("line 1 skipped: not JSON", "line 2 skipped: unknown type 'new'");
    assertThat(murmur("label").out()).contains("output  " + TXID + ":0", "(frozen)");
    assertThat(here().stdin(new byte[] {(byte) 0xff, '\n'}).murmur("label", "import", "-").err())
        .contains("is not text in UTF-8");
  }

  @Test
  void saysWhatIsWrong() {
    assertThat(murmur("label", "export").exits(ExitCode.USAGE).err())
        .contains("expected one FILE, or - for stdout");
    assertThat(murmur("label", "export", "-", "--json").exits(ExitCode.USAGE).json().toString())
        .contains("omit --json");
    assertThat(murmur("label", "zz:1", "x").exits(ExitCode.USAGE).err()).contains("TXID:VOUT");
    assertThat(murmur("label", "bcrt1qqq", "x").exits(ExitCode.FAILED).err())
        .contains("not an address");
    assertThat(murmur("label", "import", "/no/such/file").exits(ExitCode.FAILED).err())
        .contains("no such file");
  }
}
