package org.murmur.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.bitcoinj.core.BloomFilter;
import org.bitcoinj.core.BloomFilter.BloomUpdate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Hex;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;

class FilterMakeTest {

  /** BIP-0173's example for a test network, of key hash 751e76e8…d6. */
  private static final String ADDRESS = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";

  private static final String KEY_HASH = "751e76e8199196d454941c45d1b3a323f1433bd6";

  private static final String MAINNET = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

  private static final String TXID =
      "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

  /** As the outpoint stands in an input: txid in internal order, then the number of the output. */
  private static final String OUTPOINT =
      "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a07000000";

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void makesCoresVectors(int number) throws IOException {
    JsonNode vector;
    try (InputStream in =
        FilterMakeTest.class.getResourceAsStream("/vectors/bloom_serialize.json")) {
      vector = new ObjectMapper().readTree(Objects.requireNonNull(in)).get("cases").get(number);
    }
    List<String> args = make("--fp", vector.get("false_positive_rate").asText());
    args.addAll(List.of("--tweak", vector.get("tweak").asText(), "--flags", "all"));
    for (JsonNode element : vector.get("insert_in_order")) {
      // A script that pushes the element and nothing else: to a key hash, or to a bare key.
      String hex = element.asText();
      args.add(
          hex.length() == 40
              ? "76a914" + hex + "88ac"
              : String.format("%02x%sac", hex.length() / 2, hex));
    }

    JsonNode made = run(args).exits(ExitCode.DONE).json();

    assertThat(made.get("filterload").asText()).isEqualTo(vector.get("serialized").asText());
    assertThat(made.get("hash_functions").asInt()).isEqualTo(vector.get("hash_functions").asInt());
    assertThat(made.get("elements").asInt()).isEqualTo(vector.get("elements").asInt());
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01, all", "7, 0.0001, none", "300, 1e-6, p2pubkey", "366, 1e-5, all"})
  void makesBitcoinjsBytesWithItsRounding(int count, double rate, String flag) {
    long seed = 37L + count;
    Random dice = new Random(seed);
    long tweak = dice.nextInt() & 0xffff_ffffL;
    BloomUpdate update =
        switch (flag) {
          case "all" -> BloomUpdate.UPDATE_ALL;
          case "none" -> BloomUpdate.UPDATE_NONE;
          default -> BloomUpdate.UPDATE_P2PUBKEY_ONLY;
        };
    BloomFilter theirs = new BloomFilter(count, rate, (int) tweak, update);
    List<String> args = make("--fp", "" + rate, "--tweak", "" + tweak, "--flags", flag);
    args.addAll(List.of("--rounding", "bitcoinj"));
    for (int i = 0; i < count; i++) {
      byte[] hash = new byte[20];
      dice.nextBytes(hash);
      theirs.insert(hash);
      args.add("a914" + Hex.format(hash) + "87");
    }

    assertThat(run(args).json().get("filterload").asText())
        .as("seed %s", seed)
        .isEqualTo(Hex.format(theirs.serialize()));
  }

  @Test
  void insertedElementsAreFoundAgain(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("addresses.txt");
    Files.writeString(
        file, "# donations\n\n" + ADDRESS + "  # the first\r\n" + TXID + ":7\n" + ADDRESS + "\n");

    JsonNode made =
        run(make("--addresses-file", file.toString(), "--fp", "1e-9", "--tweak", "4294967295"))
            .exits(ExitCode.DONE)
            .json();

    assertThat(made.get("elements").asInt()).isEqualTo(2);
    assertThat(made.get("inputs")).hasSize(3);
    assertThat(made.get("inputs").get(1).get("kind").asText()).isEqualTo("outpoint");
    assertThat(made.get("inputs").get(1).get("elements").get(0).asText()).isEqualTo(OUTPOINT);
    String hex = made.get("filterload").asText();
    JsonNode decoded = Ran.murmur("filter", "decode", hex, "--json").json();
    assertThat(decoded.get("tweak").asLong()).isEqualTo(4_294_967_295L);
    assertThat(decoded.get("flags").asText()).isEqualTo("all");
    assertThat(decoded.get("actual_fp")).isEqualTo(made.get("actual_fp"));
    assertThat(decoded.get("bits_set")).isEqualTo(made.get("bits_set"));
    JsonNode found =
        Ran.murmur("filter", "test", hex, KEY_HASH, OUTPOINT, "00".repeat(20), "--json")
            .json()
            .get("results");
    assertThat(found)
        .extracting(r -> r.get("contained").asBoolean())
        .containsExactly(true, true, false);
  }

  @Test
  void printsItsFacts() {
    String text = Ran.murmur("filter", "make", ADDRESS, "--tweak", "5").exits(ExitCode.DONE).out();
    assertThat(text)
        .contains("elements        1\n", "tweak           5\n", "wanted rate     0.0001");
    String hex = text.substring(text.indexOf("filterload") + 10).strip();
    assertThat(Ran.murmur("filter", "test", hex, KEY_HASH).out()).startsWith("yes");
  }

  /** Filters of one set under different tweaks can be intersected; by default each one differs. */
  @Test
  void drawsATweakWhereNoneIsGiven() {
    assertThat(run(make(ADDRESS)).json().get("tweak"))
        .isNotEqualTo(run(make(ADDRESS)).json().get("tweak"));
  }

  @Test
  void aMultisigScriptGoesInWithAllItsKeys() {
    String one = "02" + "11".repeat(32);
    String two = "03" + "22".repeat(32);
    JsonNode made = run(make("5121" + one + "21" + two + "52ae")).json();
    assertThat(made.get("inputs").get(0).get("elements"))
        .extracting(JsonNode::asText)
        .containsExactly(one, two);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        MAINNET + " | is an address of mainnet, but --network is",
        "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsy | not an address, 'tb1qw508",
        "hello | not an address",
        TXID + " | looks like a txid or a key; give TXID:VOUT",
        TXID + ":x | is no outpoint, expected TXID:VOUT",
        TXID + ":-1 | is no outpoint",
        "abcd:1 | is no outpoint",
        KEY_HASH + " | looks like a key hash or script hash; give the address",
        "02" + TXID + " | looks like a public key",
        "51 | pushes no data: no filter can match it",
        "76a | is not hex",
        ADDRESS + " --fp 2 | --fp 2.0, expected more than 0 and less than 1",
        ADDRESS + " --fp many | --fp",
        ADDRESS + " --fp 1e-30 | BIP37 allows 36000 and 50",
        ADDRESS + " --tweak 4294967296 | --tweak 4294967296, expected 0 to 4294967295",
        ADDRESS + " --tweak -1 | --tweak -1, expected 0",
        ADDRESS + " --flags some | --flags 'some', expected all, none or p2pubkey",
        ADDRESS + " --rounding up | --rounding 'up', expected core or bitcoinj",
        "--addresses-file nowhere.txt | no such file: nowhere.txt",
      })
  void eachMistakeIsNamed(String arguments, String complaint) {
    Ran ran = run(make(arguments.split(" ", -1)));
    assertThat(ran.code()).isIn(ExitCode.USAGE.number(), ExitCode.FAILED.number());
    assertThat(ran.json().get("error").get("message").asText())
        .contains(complaint)
        .doesNotContain("Exception");
  }

  @Test
  void aFileIsBlamedByItsLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mixed.txt");
    Files.writeString(file, ADDRESS + "\n\n" + MAINNET + "\n");
    assertThat(complaint("--addresses-file", file.toString()))
        .contains("mixed.txt line 3: ", "is an address of mainnet");
    Files.writeString(file, "\n# nothing\n");
    assertThat(complaint("--addresses-file", file.toString())).contains("no address in");
    assertThat(complaint()).contains("would be empty", "--addresses-file");
  }

  /** A private key that was pasted by mistake is not printed again. */
  @Test
  void repeatsNoSecret() {
    String key = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";
    assertThat(complaint(key)).contains("not an address").doesNotContain(key.substring(10));
  }

  private static String complaint(String... more) {
    return run(make(more)).exits(ExitCode.USAGE).json().get("error").get("message").asText();
  }

  private static List<String> make(String... more) {
    List<String> args = new ArrayList<>(List.of("filter", "make"));
    args.addAll(List.of(more));
    return args;
  }

  private static Ran run(List<String> args) {
    args.add("--json");
    return Ran.murmur(args.toArray(String[]::new));
  }
}
