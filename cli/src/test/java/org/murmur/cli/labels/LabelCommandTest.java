package org.murmur.cli.labels;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /** A file from elsewhere must not move the cursor or turn the line. */
  @Test
  void noTextOfALabelFileReachesTheTerminalRaw() {
    String ugly = "a\\u001b[2J\\u202eb\\u0007\\u009b1m";
    String raw = "a\u202eb\u2066c";
    for (String text : new String[] {ugly, raw}) {
      List<String> lines =
          List.of(
              "{\"type\":\"" + text + "\",\"ref\":\"" + TXID + "\"}",
              "{\"type\":\"tx\",\"ref\":\"" + text + "\"}",
              "{\"type\":\"addr\",\"ref\":\"" + text + "\"}",
              "{\"type\":\"xpub\",\"ref\":\"xpub" + text + "\"}",
              "{\"type\":[\"" + text + "\"],\"ref\":\"" + TXID + "\"}",
              "{\"type\":\"tx\",\"ref\":\"" + TXID + "\",\"label\":{\"" + text + "\":1}}",
              "{\"type\":\"tx\",\"ref\":\"" + TXID + "\",\"label\":\"" + text + "\"}",
              "{\"type\":\"tx\",\"ref\":\""
                  + TXID
                  + "\",\"origin\":\""
                  + text
                  + "\",\"label\":\"b\"}",
              "{\"type\":\"output\",\"ref\":\"" + TXID + ":0\",\"spendable\":\"" + text + "\"}",
              "{\"type\":\"tx\",\"" + text + "\":1,\"" + text + "\":2,\"ref\":\"" + TXID + "\"}",
              text);
      for (String line : lines) {
        for (String format : new String[] {"-v", "--json"}) {
          Ran ran = here().stdin(line + "\n").murmur("label", "import", "-", format);
          Ran list = murmur("label", format);
          Ran one = murmur("label", TXID, format);
          assertThat(ran.out() + ran.err() + list.out() + list.err() + one.out() + one.err())
              .as(line)
              .doesNotContainPattern("[\\p{Cntrl}\u0080-\u009f\u202a-\u202e\u2066-\u2069&&[^\\n]]");
        }
      }
    }
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
