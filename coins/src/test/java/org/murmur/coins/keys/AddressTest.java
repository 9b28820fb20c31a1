package org.murmur.coins.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.base.SegwitAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.Scripts;

class AddressTest {

  private static KeyNetwork network(String chain) {
    return switch (chain) {
      case "main" -> KeyNetwork.MAINNET;
      case "regtest" -> KeyNetwork.REGTEST;
      case "testnet4", "signet" -> KeyNetwork.TEST;
      default -> throw new AssertionError(chain);
    };
  }

  static Stream<JsonNode> valid() {
    return Vectors.list(Vectors.read("key_io.json").get("valid"));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void readsAndWritesLikeCore(JsonNode vector) {
    String text = vector.get("string").asText();
    KeyNetwork network = network(vector.get("chain").asText());
    if (vector.get("isPrivkey").asBoolean()) {
      assertThatThrownBy(() -> Address.parse(text, network))
          .isInstanceOf(AddressException.class)
          .hasMessageNotContaining(text);
      assertThatThrownBy(() -> WatchTarget.parse(text, network))
          .isInstanceOf(DescriptorException.class)
          .hasMessageContaining("private key")
          .hasMessageNotContaining(text);
      return;
    }
    Address address = Address.parse(text, network);
    assertThat(address.scriptPubKey().toHex()).isEqualTo(vector.get("payload").asText());
    assertThat(address.text()).isEqualTo(text);
    assertThat(Address.of(address.scriptPubKey(), network)).contains(text);
    if (vector.path("tryCaseFlip").asBoolean()) {
      String flipped = text.toUpperCase(Locale.ROOT);
      assertThat(Address.parse(flipped, network)).isEqualTo(address);
    }
    for (KeyNetwork other : KeyNetwork.values()) {
      boolean bech32 = text.toLowerCase(Locale.ROOT).startsWith(network.segwitPrefix() + "1");
      if (bech32 ? other != network : !other.sharesKeysWith(network)) {
        assertThatThrownBy(() -> Address.parse(text, other))
            .isInstanceOf(AddressException.class)
            .hasMessageContaining("but the wallet is on " + other.title());
      }
    }
  }

  private static final String WIF = "5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss";
  private static final String TEST_WIF = "cTpB4YiyKiBcPxnefsDpbnDxFDffjqJob8wGCEDXxgQ7zQoMXJdH";

  /** The keys are of Core's vectors. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | the text is empty",
        "lnbcrt10u1p0xyz | Lightning invoice",
        "LNBC1PVJLUEZ | Lightning invoice",
        "lightning:lnbc1pvjluez | Lightning invoice",
        "lnurl1dp68gurn8ghj7 | Lightning offer",
        "lno1qgsqvgnwgcg35 | Lightning offer",
        "alice@example.com | name of a payee",
        "₿alice@example.com | name of a payee",
        "sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycy | silent payment",
        "0x52908400098527886E0F7030069857D2E4169EE7 | Ethereum",
        "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9 | Litecoin",
        "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b | txid",
        "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798 | a public key; ask",
        "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
            + " | a public key; ask",
        "bitcoin:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?amount=1 | it is a payment URI; the"
            + " address in it",
        "https://example.com/pay | web page",
        "wpkh(0279be667ef9) | descriptor",
        "tpubD6NzVbkrYhZ4WLczPJWReQycCJdd6YVWXubbVUFnJ5KgU5MDQrD99 | extended public key; ask for",
        "xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoek"
            + "kudhUd9yLb6qx39T9nMdj | extended public key; ask for",
        "zpub6r | extended public key; ask for",
        WIF + " | looks like a private key: show it to nobody",
        TEST_WIF + " | looks like a private key: show it to nobody",
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUt | private"
            + " extended key: show it to nobody",
        "moment moment moment moment moment moment moment moment moment moment moment moment |"
            + " words of a wallet: show",
        "moment  moment | not an address: ",
        "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L | begins with bc1, 1 or 3",
        "hello | begins with bc1, 1 or 3",
      })
  void saysWhatItIsAndWhatToDo(String text, String what) {
    assertThatThrownBy(() -> Address.parse(text, KeyNetwork.MAINNET))
        .isInstanceOf(AddressException.class)
        .hasMessageStartingWith("not an address: ")
        .hasMessageContaining(what)
        .hasMessageNotContaining(
            text.isEmpty() ? "''" : text.substring(Math.max(0, text.length() - 6)));
  }

  /** Also when a character is wrong or missing. */
  @ParameterizedTest
  @ValueSource(strings = {WIF, TEST_WIF, "9213qJab2HNEpMpYNBa7wHGFKKbkDn24jpANDs2huN3yi4J11ko"})
  void repeatsNothingOfAPrivateKey(String key) {
    for (int length = 36; length <= key.length(); length++) {
      String part = key.substring(0, length);
      for (String text : List.of(part, "1" + part, part + "l", part.toUpperCase(Locale.ROOT))) {
        assertThatThrownBy(() -> Address.parse(text, KeyNetwork.MAINNET))
            .isInstanceOf(AddressException.class)
            .hasMessageNotContaining(text.substring(1, 7));
      }
    }
  }

  static Stream<JsonNode> invalid() {
    List<JsonNode> all = new ArrayList<>();
    Vectors.read("key_io.json").get("invalid").forEach(all::add);
    for (String file : List.of("bip173.json", "bip350.json")) {
      Vectors.read(file).get("invalid_segwit_addresses").forEach(v -> all.add(v.get("address")));
      JsonNode strings = Vectors.read(file).path("invalid_bech32");
      strings.forEach(v -> all.add(v.get("string")));
    }
    Vectors.read("bip350.json").get("invalid_bech32m").forEach(v -> all.add(v.get("string")));
    Vectors.list(Vectors.read("bip173.json").get("valid_segwit_addresses"))
        .filter(v -> v.get("superseded_by_bip350").asBoolean())
        .forEach(v -> all.add(v.get("address")));
    assertThat(all).hasSizeGreaterThan(100);
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesTextThatIsNoAddress(JsonNode text) {
    assertThat(text.isTextual()).isTrue();
    for (KeyNetwork network : KeyNetwork.values()) {
      assertThatThrownBy(() -> Address.parse(text.asText(), network))
          .isInstanceOf(AddressException.class);
    }
  }

  static Stream<JsonNode> segwit() {
    return Stream.concat(
        Vectors.list(Vectors.read("bip350.json").get("valid_segwit_addresses")),
        Vectors.list(Vectors.read("bip173.json").get("valid_segwit_addresses"))
            .filter(v -> !v.get("superseded_by_bip350").asBoolean()));
  }

  @ParameterizedTest
  @MethodSource("segwit")
  void readsTheSegwitAddressesOfTheBips(JsonNode vector) {
    String text = vector.get("address").asText();
    boolean main = text.toLowerCase(Locale.ROOT).startsWith("bc1");
    KeyNetwork network = main ? KeyNetwork.MAINNET : KeyNetwork.TEST;
    Address address = Address.parse("  " + text + "\n", network);
    assertThat(address.scriptPubKey().toHex()).isEqualTo(vector.get("script_pubkey").asText());
    assertThat(address.element().toHex())
        .isEqualTo(vector.get("script_pubkey").asText().substring(4));
  }

  @Property
  void everyWitnessProgramHasAnAddress(
      @ForAll @IntRange(min = 0, max = 16) int version,
      @ForAll @Size(min = 2, max = 40) byte[] program,
      @ForAll KeyNetwork network) {
    Bytes script = Scripts.witness(version, Bytes.wrap(program));
    if (version == 0 && program.length != 20 && program.length != 32) {
      assertThat(Address.of(script, network)).isEmpty();
      return;
    }
    String text = Address.of(script, network).orElseThrow();
    Address read = Address.parse(text, network);
    assertThat(read.text()).isEqualTo(text);
    assertThat(read.scriptPubKey()).isEqualTo(script);
    assertThat(read.element()).isEqualTo(Bytes.of(program));
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "6a0401020304",
    "00",
    "51",
    "5101",
    "4c0100",
    "76a914a31c06bd463e3923bc1aadbde48b16976c080717",
    "a914373b819a068f32b7a6b38b6b38729647cfde01c288",
    "0014373b819a068f32b7a6b38b6b38729647cfde01",
    "210330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3cac"
  })
  void hasNoAddressForOtherScripts(String hex) {
    assertThat(Address.of(Bytes.ofHex(hex), KeyNetwork.MAINNET)).isEmpty();
  }

  /** Strings of the BIPs that are bech32 or bech32m, but not for Bitcoin. */
  @Test
  void refusesBech32ForOtherThings() {
    List<JsonNode> strings = new ArrayList<>();
    Vectors.read("bip173.json").get("valid_bech32").forEach(strings::add);
    Vectors.read("bip350.json").get("valid_bech32m").forEach(strings::add);
    assertThat(strings).hasSizeGreaterThan(10);
    for (JsonNode text : strings) {
      assertThatThrownBy(() -> Address.parse(text.asText(), KeyNetwork.MAINNET))
          .isInstanceOf(AddressException.class);
    }
  }

  @Property
  void writesTheSameAsBitcoinj(@ForAll @Size(32) byte[] program, @ForAll boolean taproot) {
    int version = taproot ? 1 : 0;
    assertThat(SegwitText.encode(KeyNetwork.REGTEST.segwitPrefix(), version, program))
        .isEqualTo(SegwitAddress.fromProgram(BitcoinNetwork.REGTEST, version, program).toBech32());
  }

  @Test
  void knowsPayToAnchor() {
    Address anchor = Address.parse("bc1pfeessrawgf", KeyNetwork.MAINNET);
    assertThat(anchor.scriptPubKey().toHex()).isEqualTo("51024e73");
    assertThat(Address.of(anchor.scriptPubKey(), KeyNetwork.MAINNET)).contains(anchor.text());
  }

  @Test
  void saysWhereAnAddressIsMistyped() {
    assertThatThrownBy(
            () -> Address.parse("1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mO", KeyNetwork.MAINNET))
        .hasMessage("not an address, '1FsSia9r…': the character at position 34 cannot occur in it");
    assertThatThrownBy(
            () -> Address.parse("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv", KeyNetwork.MAINNET))
        .hasMessage(
            "not an address, 'bc1qcr8t…': a character is wrong or missing (the checksum does not"
                + " match)");
  }
}
