package org.murmur.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;

class FilterCommandsTest {

  /** The genesis block of every Bitcoin network but testnet4 shares its only transaction. */
  private static final String GENESIS_TXID =
      "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

  private static final String GENESIS_TX =
      "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d"
          + "04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f7220"
          + "6f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff01"
          + "00f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61"
          + "deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000";

  private static final String GENESIS_HEADER =
      "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12"
          + "b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";

  private static final String GENESIS_KEY =
      "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb6"
          + "49f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f";

  /** A filter of one byte with all bits set: it matches every element (flags NONE). */
  private static final String ALL_ONES = "01ff010000000000000000";

  /** A filter of one byte with no bit set: it matches nothing. */
  private static final String ALL_ZEROS = "0100010000000000000000";

  @Test
  void sizeFollowsTheFormulaOfBip37() {
    JsonNode size =
        Ran.murmur("filter", "size", "--elements", "2000", "--fp", "1e-9", "--json").json();

    // BIP-0037: S = -1 / ln(2)^2 * N * ln(P) / 8 bytes, S * 8 / N * ln(2) functions.
    double bits = -1 / (Math.log(2) * Math.log(2)) * 2000 * Math.log(1e-9);
    assertThat(size.get("bytes").asLong()).isEqualTo((long) (bits / 8));
    assertThat(size.get("bits").asLong()).isEqualTo(8 * size.get("bytes").asLong());
    assertThat(size.get("hash_functions").asInt()).isEqualTo(29);
    assertThat(size.get("elements").asLong()).isEqualTo(2000);
    assertThat(size.get("fp").asDouble()).isEqualTo(1e-9);
    assertThat(size.get("expected_fp").asDouble()).isCloseTo(1e-9, within(5e-11));
    assertThat(size.get("bip37").asBoolean()).isTrue();
    assertThat(size.get("capped").asBoolean()).isFalse();
  }

  @Test
  void sizeIsNotCutSilently() {
    String[] question = {"filter", "size", "--elements", "1000000", "--fp", "0.001", "--json"};
    JsonNode whole = Ran.murmur(question).json();
    assertThat(whole.get("bytes").asLong()).isGreaterThan(36_000);
    assertThat(whole.get("bip37").asBoolean()).isFalse();
    assertThat(whole.get("capped").asBoolean()).isFalse();

    JsonNode cut =
        Ran.with()
            .globals("--json")
            .murmur("filter", "size", "--elements", "1000000", "--fp", "0.001", "--bip37")
            .json();
    assertThat(cut.get("bytes").asLong()).isEqualTo(36_000);
    assertThat(cut.get("hash_functions").asInt()).isBetween(1, 50);
    assertThat(cut.get("capped").asBoolean()).isTrue();
    assertThat(cut.get("expected_fp").asDouble()).isGreaterThan(0.9);
  }

  @Test
  void coreAndBitcoinjRoundDifferently() {
    // The case of shared notes on both sources: 366 elements at 1e-5.
    String[] question = {"filter", "size", "-n", "366", "-p", "1e-5", "--json", "--rounding"};
    assertThat(functions(question, "core")).isEqualTo(15);
    assertThat(functions(question, "bitcoinj")).isEqualTo(16);
  }

  private static int functions(String[] question, String rounding) {
    List<String> args = new ArrayList<>(List.of(question));
    args.add(rounding);
    return Ran.murmur(args.toArray(String[]::new)).json().get("hash_functions").asInt();
  }

  @TestFactory
  List<DynamicTest> decodeAndTestAgreeWithCoresVectors() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode vector : vectors("bloom_serialize.json").get("cases")) {
      tests.add(DynamicTest.dynamicTest(vector.get("name").asText(), () -> check(vector)));
    }
    assertThat(tests).hasSizeGreaterThanOrEqualTo(3);
    return tests;
  }

  private static void check(JsonNode vector) {
    String payload = vector.get("serialized").asText();
    JsonNode decoded = Ran.murmur("filter", "decode", payload, "--json").json();
    assertThat(decoded.get("hash_functions").asInt())
        .isEqualTo(vector.get("hash_functions").asInt());
    assertThat(decoded.get("tweak").asLong()).isEqualTo(vector.get("tweak").asLong());
    for (JsonNode element : vector.get("insert_in_order")) {
      JsonNode result =
          Ran.murmur("filter", "test", payload, element.asText(), "--json").json().get("results");
      assertThat(result.get(0).get("contained").asBoolean()).isTrue();
    }
  }

  private static JsonNode vectors(String name) throws IOException {
    try (InputStream in = FilterCommandsTest.class.getResourceAsStream("/vectors/" + name)) {
      return new ObjectMapper().readTree(Objects.requireNonNull(in, name));
    }
  }

  /** 10^10 elements at 1e-4: -10^10 ln(1e-4) / ln²2 = 191.7 billion bits, 23.96 GB. */
  @Test
  void sizeGoesFarBeyondAnInt() {
    String[] question = {"filter", "size", "--elements", "10000000000", "--fp", "1e-4"};
    JsonNode size = Ran.with().globals("--json").murmur(question).exits(ExitCode.DONE).json();
    assertThat(size.get("bits").asDouble()).isCloseTo(1.917e11, within(1e8));
    assertThat(size.get("bytes").asLong() * 8).isEqualTo(size.get("bits").asLong());
    assertThat(size.get("hash_functions").asInt()).isEqualTo(13);
    assertThat(size.get("bip37").asBoolean()).isFalse();
    assertThat(size.get("bits_per_element").asDouble()).isCloseTo(19.17, within(0.01));
    // 288,000 bits hold 288000 · 0.48045 / 9.2103 = 15,023 elements at this rate.
    assertThat(size.get("bip37_max_elements").asInt()).isEqualTo(15_023);
    assertThat(Ran.murmur(question).out())
        .contains("23.96 GB")
        .contains("does not fit")
        .contains("about 15023 elements");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e10", "10000000000", "1E10", "1.0e10", "100e8"})
  void numbersMayHaveAnExponent(String count) {
    JsonNode size = Ran.murmur("filter", "size", "-n", count, "-p", "1e-4", "--json").json();
    assertThat(size.get("elements").asLong()).isEqualTo(10_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e99", "1e999999999", "99999999999999999999"})
  void aNumberThatIsTooLargeIsNamedAndTheLimitToo(String count) {
    Ran ran = Ran.murmur("filter", "size", "-n", count, "-p", "0.1").exits(ExitCode.USAGE);
    assertThat(ran.err()).contains("'" + count + "', expected at most 9223372036854775807");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-n 1e-1 -p 0.1",
        "-n 1.5 -p 0.1",
        "-n 0 -p 0.1",
        "-n -5 -p 0.1",
        "-n 5 -p 0",
        "-n 5 -p 1",
        "-n 5 -p NaN",
        "-n 99999999999999999 -p 0.1",
        "-n 99999999999999999999 -p 0.1",
        "-n many -p 0.1",
        "-n 5",
        "-p 0.1"
      })
  void sizeReportsItsLimits(String question) {
    List<String> args = new ArrayList<>(List.of("filter", "size"));
    args.addAll(List.of(question.split(" ", -1)));
    Ran ran = Ran.murmur(args.toArray(String[]::new)).exits(ExitCode.USAGE);
    assertThat(ran.err()).contains("--").doesNotContain("Exception");
  }

  /** A filter of bitcoinj's size for a fresh wallet, with one element; and O2's filter. */
  @Test
  void decodePrintsWhatTheFilterReveals() {
    JsonNode decoded =
        Ran.murmur("filter", "decode", "03614e9b050000000000000001", "--json").json();
    assertThat(decoded.get("estimated_elements").asDouble()).isCloseTo(3.327106, within(1e-6));
    assertThat(decoded.get("estimated_elements_sd").asDouble()).isBetween(0.3, 1.5);
    assertThat(decoded.get("actual_fp").asDouble()).isEqualTo(0.03125);
    assertThat(decoded.get("may_be")).isEmpty();
    String bitcoinj = "fd8307" + "00".repeat(1923) + "10000000" + "07000000" + "01";
    assertThat(Ran.murmur("filter", "decode", bitcoinj).out())
        .contains("may be of       bitcoinj (made for about 642 elements at 1e-05)");
    assertThat(Ran.murmur("filter", "decode", "00050000000000000001").out())
        .contains("it matches everything")
        .contains("unknown");
  }

  @Test
  void matchAnswersAsAServerWould(@TempDir Path folder) throws IOException {
    Path block = folder.resolve("block.hex");
    Files.writeString(block, GENESIS_HEADER + "01" + GENESIS_TX + "\n");

    JsonNode all =
        Ran.murmur("filter", "match", ALL_ONES, "--block", block.toString(), "--json").json();
    assertThat(all.get("matched")).hasSize(1);
    assertThat(all.get("matched").get(0).asText()).isEqualTo(GENESIS_TXID);
    // One transaction: count 1, one hash (the txid, internal order), one flag byte with bit 0 set.
    assertThat(all.get("merkleblock").asText())
        .isEqualTo(GENESIS_HEADER + "01000000" + "01" + GENESIS_HEADER.substring(72, 136) + "0101");
    assertThat(all.get("filter_after").asText()).isEqualTo(ALL_ONES);

    JsonNode none =
        Ran.murmur("filter", "match", ALL_ZEROS, "--block", block.toString(), "--json").json();
    assertThat(none.get("matched")).isEmpty();
    assertThat(none.get("merkleblock").asText()).endsWith("0100");
  }

  @Test
  void matchedOutputGrowsTheServersCopy() {
    // 8 bytes, 5 functions; P2PUBKEY_ONLY: the genesis output pays a bare key.
    String empty = "08" + "0000000000000000" + "05000000" + "00000000" + "02";
    JsonNode miss = Ran.murmur("filter", "match", empty, "--tx", GENESIS_TX, "--json").json();
    assertThat(miss.get("matched")).isEmpty();
    assertThat(miss.get("merkleblock").isNull()).isTrue();
    assertThat(miss.get("filter_after").asText()).isEqualTo(empty);

    String full = "08" + "ffffffffffffff7f" + "01000000" + "00000000" + "02";
    JsonNode hit = Ran.murmur("filter", "match", full, "--tx", GENESIS_TX, "--json").json();
    assertThat(hit.get("matched").get(0).asText()).isEqualTo(GENESIS_TXID);
  }

  @Test
  void testDistinguishesMembersFromOthers() {
    JsonNode results =
        Ran.murmur("filter", "test", ALL_ZEROS, GENESIS_KEY, "00ff", "--json")
            .json()
            .get("results");
    assertThat(results).hasSize(2);
    assertThat(results.get(0).get("element").asText()).isEqualTo(GENESIS_KEY);
    assertThat(results.get(0).get("contained").asBoolean()).isFalse();
  }

  @Test
  void everyArgumentThatIsHexMayComeFromStdin() {
    assertThat(Ran.with().stdin(ALL_ONES + "\n").murmur("filter", "decode", "-").out())
        .contains("1 bytes");
    assertThat(Ran.with().stdin(GENESIS_TX).murmur("filter", "match", ALL_ONES, "--tx", "-").out())
        .contains(GENESIS_TXID);
  }

  @Test
  void binaryBlocksAreRead(@TempDir Path folder) throws IOException {
    Path block = folder.resolve("block.bin");
    Files.write(block, org.murmur.bip37.bytes.Hex.parse(GENESIS_HEADER + "01" + GENESIS_TX));
    assertThat(Ran.murmur("filter", "match", ALL_ONES, "--block", block.toString()).out())
        .contains(GENESIS_TXID);
  }
}
