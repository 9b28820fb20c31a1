package org.murmur.cli.labels;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    assertThat(label(ADDRESS).get("label").isNull()).isTrue();
    assertThat(label(ADDRESS, "the", "shop").get("changed").asBoolean()).isTrue();
    JsonNode json = label(ADDRESS.toUpperCase(java.util.Locale.ROOT));
    assertThat(json.get("type").asText()).isEqualTo("addr");
    assertThat(json.get("ref").asText()).isEqualTo(ADDRESS);
    assertThat(json.get("label").asText()).isEqualTo("the shop");
    assertThat(label().get("labels").findValuesAsText("ref")).containsExactly(ADDRESS);
    assertThat(label(ADDRESS, "").get("changed").asBoolean()).isTrue();
    assertThat(label(ADDRESS, "").get("changed").asBoolean()).isFalse();
    assertThat(label().get("labels")).isEmpty();
  }

  private JsonNode label(String... words) {
    List<String> command = new ArrayList<>(List.of("label", "--json"));
    command.addAll(List.of(words));
    return murmur(command.toArray(String[]::new)).exits(ExitCode.DONE).json();
  }

  @Test
  void aTransactionThatTheWalletDoesNotHaveIsLabelledWithANote() {
    assertThat(murmur("label", TXID, "rent").exits(ExitCode.DONE).err()).contains(TXID);
    assertThat(label(TXID + ":1", "coin").get("frozen").asBoolean()).isFalse();
    assertThat(label(TXID).get("label").asText()).isEqualTo("rent");
  }

  @Test
  void exportsAndImportsFilesAndStreams() throws IOException {
    murmur("label", ADDRESS, "the \"shop\"").exits(ExitCode.DONE);
    Path file = datadir.resolve("labels.jsonl");
    assertThat(label("export", file.toString()).get("records").asInt()).isEqualTo(1);
    String lines = Files.readString(file);
    assertThat(lines)
        .isEqualTo(
            "{\"type\":\"addr\",\"ref\":\"" + ADDRESS + "\",\"label\":\"the \\\"shop\\\"\"}\n");
    assertThat(murmur("label", "export", "-").out()).isEqualTo(lines);
    murmur("label", ADDRESS, "").exits(ExitCode.DONE);
    JsonNode read = label("import", file.toString());
    assertThat(read.get("changed").asInt()).isEqualTo(1);
    assertThat(read.get("skipped")).isEmpty();
    assertThat(label(ADDRESS).get("label").asText()).isEqualTo("the \"shop\"");
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
    JsonNode read =
        here()
            .stdin("x,y\n{\"type\":\"new\",\"ref\":\"\"}\n" + good)
            .murmur("label", "import", "-", "--json")
            .exits(ExitCode.FAILED)
            .json();
    assertThat(read.get("changed").asInt()).isEqualTo(1);
    assertThat(read.get("skipped").findValuesAsText("line")).containsExactly("1", "2");
    assertThat(read.at("/skipped/0/unknown_type").asBoolean()).isFalse();
    assertThat(read.at("/skipped/1/unknown_type").asBoolean()).isTrue();
    assertThat(label(TXID + ":0").get("frozen").asBoolean()).isTrue();
    here()
        .stdin(new byte[] {(byte) 0xff, '\n'})
        .murmur("label", "import", "-")
        .exits(ExitCode.FAILED, "malformed");
  }
}
