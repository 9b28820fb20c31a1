package org.murmur.coins.label;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Label files, with the records of BIP-0329. */
class LabelFileTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TXID =
      "f91d0a8a78462bc59398f2c5d7a84fcff491c26ba54c4833478b202796c8aafd";
  private static final String OUTPUT = "\"type\":\"output\",\"ref\":\"" + TXID + ":1\"";

  private static JsonNode vectors() throws IOException {
    try (InputStream in = LabelFileTest.class.getResourceAsStream("/vectors/labels/bip329.json")) {
      return JSON.readTree(in);
    }
  }

  private static LabelImport merged(List<Label> stored, String... lines) {
    return LabelFile.parse(List.of(lines)).mergedInto(stored);
  }

  private static Label only(LabelImport merged) {
    assertThat(merged.skipped()).isEmpty();
    assertThat(merged.changed()).hasSize(1);
    return merged.changed().get(0);
  }

  @Test
  void theExampleOfTheBipComesOutAsItWentIn() throws IOException {
    List<String> lines = new ArrayList<>();
    vectors().get("export_lines").forEach(line -> lines.add(line.asText()));
    LabelImport merged = LabelFile.parse(lines).mergedInto(List.of());
    assertThat(merged.skipped()).isEmpty();
    List<JsonNode> exported = new ArrayList<>();
    for (String line : LabelFile.lines(merged.changed())) {
      exported.add(JSON.readTree(line));
    }
    assertThat(exported).containsExactlyInAnyOrderElementsOf(vectors().get("records"));
    assertThat(LabelFile.parse(LabelFile.lines(merged.changed())).mergedInto(List.of()))
        .isEqualTo(merged);
  }

  @Test
  void membersThatNobodyKnowsSurvive() throws IOException {
    String line =
        "{"
            + OUTPUT
            + ",\"label\":\"a \\\"b\\\" \\u00e9\\ud83d\\ude00\","
            + "\"fmv\":{\"EUR\":[1.5e3,null,{}]},\"keypath\":\"m/0\",\"x\\\"y\":true}";
    Label label = only(merged(List.of(), line));
    assertThat(label.text()).isEqualTo("a \"b\" é\ud83d\ude00");
    assertThat(JSON.readTree(LabelFile.lines(List.of(label)).get(0)))
        .isEqualTo(JSON.readTree(line));

    Label later = only(merged(List.of(label), "{" + OUTPUT + ",\"keypath\":\"m/1\",\"height\":7}"));
    assertThat(later.text()).isEqualTo(label.text());
    JsonNode written = JSON.readTree(LabelFile.lines(List.of(later)).get(0));
    assertThat(written.get("keypath").asText()).isEqualTo("m/1");
    assertThat(written.get("height").asInt()).isEqualTo(7);
    assertThat(written.get("fmv")).isEqualTo(JSON.readTree(line).get("fmv"));
  }

  @Test
  void whatALineDoesNotSayStays() {
    Label stored =
        Label.about(LabelRef.parse(LabelType.OUTPUT, TXID + ":1"))
            .withText("mine")
            .withSpendable(Optional.of(false));
    assertThat(merged(List.of(stored), "{" + OUTPUT + "}").changed()).isEmpty();
    Label text = only(merged(List.of(stored), "{" + OUTPUT + ",\"label\":\"theirs\"}"));
    assertThat(text.text()).isEqualTo("theirs");
    assertThat(text.frozen()).isTrue();
    Label free = only(merged(List.of(stored), "{" + OUTPUT + ",\"spendable\":true}"));
    assertThat(free.text()).isEqualTo("mine");
    assertThat(free.frozen()).isFalse();
    assertThat(only(merged(List.of(stored), "{" + OUTPUT + ",\"label\":\"\"}")).text()).isEmpty();
  }

  @Test
  void theLastLineAboutAThingCounts() {
    String ref = "{\"type\":\"tx\",\"ref\":\"" + TXID.toUpperCase(java.util.Locale.ROOT) + "\",";
    LabelImport merged =
        merged(List.of(), ref + "\"label\":\"one\"}", "", ref + "\"label\":\"two\"}\r");
    assertThat(only(merged).text()).isEqualTo("two");
    assertThat(merged.read()).isEqualTo(2);
    assertThat(only(merged).ref().text()).isEqualTo(TXID);
  }

  @Test
  void recordsOfOtherOriginsStandSideBySide() {
    String ref = "{\"type\":\"tx\",\"ref\":\"" + TXID + "\",\"label\":";
    LabelImport merged =
        merged(
            List.of(),
            ref + "\"none\"}",
            ref + "\"a\",\"origin\":\"wpkh([d34db33f/84'/0'/0'])\"}",
            ref + "\"b\",\"origin\":\"wpkh([D34DB33F/84h/0h/1h])\"}",
            ref + "\"c\",\"origin\":\"wpkh([D34DB33F/84h/0h/0h])\"}");
    assertThat(merged.changed()).extracting(Label::text).containsExactly("none", "c", "b");
  }

  @Test
  void aByteOrderMarkAndControlCharactersAreDropped() {
    Label label =
        only(
            merged(
                List.of(),
                "\ufeff{\"type\":\"tx\",\"ref\":\"" + TXID + "\",\"label\":\"a\\nb\\u001b[31m\"}"));
    assertThat(label.text()).isEqualTo("a b [31m");
  }

  @Test
  void anUnknownTypeIsReportedAndNoFailure() {
    LabelImport merged =
        merged(
            List.of(), "", "{\"type\":\"utxo\",\"ref\":\"x\"}", "{" + OUTPUT + ",\"label\":\"a\"}");
    assertThat(merged.changed()).hasSize(1);
    assertThat(merged.isWhole()).isTrue();
    assertThat(merged.skipped())
        .containsExactly(new LabelImport.Skipped(2, true, "unknown type 'utxo'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
label,text                                        | not JSON at character
["type"]                                          | not a JSON object
{"type":"tx"}                                     | ref is missing
{"ref":"x"}                                       | type is missing
{"type":"tx","ref":7}                             | ref is not a text in quotes: 7
{"type":"tx","ref":"12"}                          | the ref of type tx is not a txid
{"type":"output","ref":"12:1"}                    | of type output is not txid:index
{"type":"addr","ref":"bc1qqqq"}                   | is not an address
{"type":"pubkey","ref":"05"}                      | is not a public key in hex
{"type":"xpub","ref":"xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"} | is not an extended public key
{"type":"tx","type":"tx"}                         | member 'type' occurs twice
{"type":"tx",}                                    | not JSON at character
{"type":"tx"                                      | not JSON at character
{"type":"tx"} {}                                  | there is more after the object
{"type":"tx","x":01}                              | not JSON at character
{"type":"tx","x":"a\\qb"}                         | not JSON at character
""")
  void namesALineThatIsNoRecord(String line, String reason) {
    LabelImport merged =
        merged(List.of(), "{" + OUTPUT + ",\"label\":\"a\"}", line, "{" + OUTPUT + ",\"x\":1}");
    assertThat(only(new LabelImport(0, merged.changed(), List.of())).text()).isEqualTo("a");
    assertThat(merged.isWhole()).isFalse();
    assertThat(merged.skipped()).hasSize(1);
    assertThat(merged.skipped().get(0).line()).isEqualTo(2);
    assertThat(merged.skipped().get(0).reason()).contains(reason);
  }

  @Test
  void spendableIsTrueOrFalse() {
    assertThat(merged(List.of(), "{" + OUTPUT + ",\"spendable\":\"false\"}").skipped().get(0))
        .extracting(LabelImport.Skipped::reason)
        .isEqualTo("spendable is not true or false: \"false\"");
  }

  @Test
  void deepNestingIsRefused() {
    String deep = "[".repeat(100_000);
    assertThat(merged(List.of(), "{\"type\":" + deep).skipped().get(0).reason())
        .isEqualTo("too long, or nested too deeply");
    String longText = "\"" + "\\\\".repeat(200_000) + "\"";
    assertThat(only(merged(List.of(), "{" + OUTPUT + ",\"label\":" + longText + "}")).text())
        .hasSize(200_000);
  }
}
