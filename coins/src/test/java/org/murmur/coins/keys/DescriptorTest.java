package org.murmur.coins.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;

class DescriptorTest {

  /** The account of BIP-0084. */
  private static final String XPUB =
      "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4Ze"
          + "ZXYVUhLv1VMrjPC7PW6V";

  private static final String TPUB =
      "tpubDDGgLWwyF4YZK2RSNuzvJNDCcLqk5MmLPMqq5xq2pfPAc5m9KhJLWLx7Xt8oCZU9usQwXoXD1Ejapo67yjgHtyt"
          + "mQAQiGN5RjZnZZt3xWDq";

  private static final String HEX =
      "0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c";

  private static Descriptor main(String text) {
    return Descriptor.parse(text, KeyNetwork.MAINNET);
  }

  static Stream<JsonNode> valid() {
    return Vectors.list(Vectors.read("descriptors.json").get("valid"));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void agreesWithARealNode(JsonNode vector) {
    KeyNetwork network =
        switch (vector.get("chain").asText()) {
          case "main" -> KeyNetwork.MAINNET;
          case "test" -> KeyNetwork.TEST;
          default -> KeyNetwork.REGTEST;
        };
    String text = vector.get("descriptor").asText();
    Descriptor parsed = Descriptor.parse(text + "#" + vector.get("checksum").asText(), network);
    assertThat(Descriptor.parse(text, network)).isEqualTo(parsed).hasSameHashCodeAs(parsed);
    assertThat(parsed.ranged()).isEqualTo(vector.get("ranged").asBoolean());

    List<Descriptor> singles = parsed.expand();
    assertThat(singles).hasSameSizeAs(vector.get("expansion"));
    for (int i = 0; i < singles.size(); i++) {
      JsonNode expected = vector.get("expansion").get(i);
      if (text.indexOf('\'') < 0) {
        assertThat(singles.get(i).canonical()).isEqualTo(expected.get("descriptor").asText());
      }
      List<String> addresses = new ArrayList<>();
      expected.get("addresses").forEach(a -> addresses.add(a.asText()));
      List<DerivedScript> scripts =
          singles.get(i).derive(0, parsed.ranged() ? addresses.size() : 9);
      assertThat(scripts).extracting(DerivedScript::address).isEqualTo(addresses);
      for (DerivedScript script : scripts) {
        Address address = Address.parse(script.address(), network);
        assertThat(script.scriptPubKey()).isEqualTo(address.scriptPubKey());
        assertThat(script.element()).isEqualTo(address.element());
      }
    }
  }

  static Stream<JsonNode> invalid() {
    return Vectors.list(Vectors.read("descriptors.json").get("invalid"));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesTheSameAsARealNode(JsonNode vector) {
    String text = vector.get("descriptor").asText();
    if (vector.get("accepted_by_node").asBoolean() && text.matches(".*(/00/|multi\\(01).*")) {
      assertThat(main(text).canonical()).doesNotContain("/00/", "(01,");
      return;
    }
    assertThatThrownBy(() -> main(text))
        .isInstanceOfAny(DescriptorException.class, AddressException.class);
  }

  /** The messages name the place and what was expected, since a user has nothing else to go by. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wpk(X/0/*) | position 1: unknown function 'wpk', expected pkh, wpkh, sh, wsh, tr or addr",
        "sh(pkh(X)) | position 4: unknown function 'pkh', expected wpkh or wsh inside sh(…)",
        "wsh(pkh(X)) | position 5: unknown function 'pkh', expected multi or sortedmulti",
        "raw(00) | raw(…) is not supported",
        "wpkh(X/0/* | position 121: expected ')', found the end",
        "wpkh(X/0/*)) | position 122: expected the end of the descriptor, found ')'",
        "wpkh(X/0h/*) | position 119: a hardened step behind a public key needs the private key",
        "wpkh([1234/84h]X) | position 7: expected a fingerprint of eight hex digits, found '1'",
        "wpkh([12345678/84hx) | position 19: expected ']', found 'x'",
        "wpkh(X/x) | position 118: expected a number, * or <a;b>, found 'x'",
        "wpkh(X/2147483648) | position 118: 2147483648 is above the greatest number",
        "wpkh(X/<0;1;0>/*) | position 123: 0 occurs twice",
        "wpkh(X/<0>/*) | position 120: expected ';' and another number, found '>'",
        "wpkh(X/<0;1>/<0;1>/*) | only one <a;b>",
        "wpkh(H/0) | position 72: nothing can be derived from a single public key",
        "wpkh(hello) | position 6: expected a key: xpub…, tpub… or a public key in hex",
        "wpkh(04ab) | position 6: expected a compressed public key of 66 hex digits",
        "wpkh(zpubabc) | position 6: descriptors hold xpub or tpub keys only, this is zpub…",
        "tr(X,{pk(H)}) | position 115: taproot with scripts is not supported",
        "wsh(multi(3,H,H)) | multi: 3 signatures of 2 keys is impossible",
        "wpkh(X/0/*)#qqqqqqqq | the checksum #qqqqqqqq does not match",
        "wpkh(X/0/*)#abc | expected a checksum of eight characters behind '#', found 3",
        "wpkh(ä) | character 6 of the descriptor, 'ä', cannot occur in one",
        "wpkh(T/0/*) | is a key of a test network (testnet3, testnet4 or signet), but the wallet is"
            + " on mainnet",
        "addr(tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7) | is an address of a"
            + " test network",
      })
  void namesTheError(String text, String message) {
    String full =
        text.replaceAll("\\bX\\b", XPUB).replaceAll("\\bT\\b", TPUB).replaceAll("\\bH\\b", HEX);
    assertThatThrownBy(() -> main(full))
        .isInstanceOf(DescriptorException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
    "KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d",
    "cULrpoZGXiuC19Uhvykx7NugygA3k86b3hmdCeyvHYQZSxojGyXJ"
  })
  void refusesPrivateKeysWithoutRepeatingThem(String secret) {
    for (String text : List.of("wpkh(" + secret + ")", "tr([73c5da0a/0h]" + secret + ")")) {
      assertThatThrownBy(() -> main(text))
          .isInstanceOf(DescriptorException.class)
          .hasMessageContaining("private key")
          .hasMessageNotContaining(secret);
    }
  }

  @Test
  void writesHardenedStepsInOneWay() {
    Descriptor quoted = main("wpkh([73C5DA0A/84'/0'/0h]" + XPUB + "/0/*)");
    Descriptor plain = main("wpkh([73c5da0a/84h/0h/0h]" + XPUB + "/0/*)#afwvtk2s");
    assertThat(quoted).isEqualTo(plain).hasToString(plain.canonical());
    assertThat(plain.canonical()).endsWith("/0/*)#afwvtk2s");
    assertThat(Descriptor.stored(plain.canonical(), KeyNetwork.MAINNET)).isEqualTo(plain);
  }

  @Test
  void knowsReceiveFromChange() {
    List<Descriptor> both = main("wpkh([73c5da0a/84h/0h/0h]" + XPUB + "/<0;1>/*)").expand();
    assertThat(both).extracting(Descriptor::change).containsExactly(false, true);
    assertThat(both)
        .extracting(d -> d.pathOf(5))
        .containsExactly("m/84h/0h/0h/0/5", "m/84h/0h/0h/1/5");
    assertThat(both)
        .extracting(d -> Descriptor.stored(d.canonical(), KeyNetwork.MAINNET).change())
        .containsExactly(false, true);
    assertThat(main("wpkh(" + XPUB + "/<4;5>/*)").expand())
        .extracting(Descriptor::change)
        .containsExactly(false, true);
    assertThat(main("wpkh(" + XPUB + "/1)").change()).isFalse();
  }

  @Test
  void returnsTheKnownPath() {
    assertThat(main("wpkh(" + XPUB + "/0/*)").pathOf(5)).isEqualTo("0/5");
    assertThat(main("wpkh([73c5da0a/84h/0h/0h]" + XPUB + "/7)").pathOf(5))
        .isEqualTo("m/84h/0h/0h/7");
    assertThat(main("wpkh([73c5da0a]" + HEX + ")").pathOf(0)).isEqualTo("m");
    assertThat(main("wpkh(" + HEX + ")").pathOf(0)).isEmpty();
    assertThat(main("addr(1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA)").pathOf(0)).isEmpty();
  }

  @Test
  void mustBeExpandedBeforeItDerives() {
    Descriptor both = main("wpkh(" + XPUB + "/<0;1>/*)");
    assertThatThrownBy(() -> both.derive(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> both.pathOf(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void derivesWithinItsRangeOnly() {
    Descriptor ranged = main("wpkh(" + XPUB + "/0/*)");
    assertThat(ranged.derive(Integer.MAX_VALUE).index()).isEqualTo(Integer.MAX_VALUE);
    assertThat(ranged.derive(3, 0)).isEmpty();
    assertThatThrownBy(() -> ranged.derive(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ranged.derive(Integer.MAX_VALUE, 2))
        .isInstanceOf(IllegalArgumentException.class);
    Descriptor single = main("wpkh(" + HEX + ")");
    assertThat(single.derive(0, 1000)).hasSize(1);
    assertThat(single.derive(1, 1000)).isEmpty();
    assertThatThrownBy(() -> single.derive(1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void isAnotherDescriptorOnAnotherNetwork() {
    String text = "wpkh(" + TPUB + "/0/*)";
    Descriptor test = Descriptor.parse(text, KeyNetwork.TEST);
    Descriptor regtest = Descriptor.parse(text, KeyNetwork.REGTEST);
    assertThat(test).isNotEqualTo(regtest);
    assertThat(test.derive(0).scriptPubKey()).isEqualTo(regtest.derive(0).scriptPubKey());
    assertThat(regtest.derive(0).address()).startsWith("bcrt1q");
  }

  @Test
  void returnsScriptTypeAndExtendedKey() {
    assertThat(main("sh(wpkh(" + XPUB + "/0/*))").scriptType()).contains(OutputType.P2SH_P2WPKH);
    assertThat(main("wsh(multi(1," + HEX + "))").scriptType()).isEmpty();
    assertThat(main("pkh(" + XPUB + "/0/*)").extendedKey().orElseThrow()).hasToString(XPUB);
    assertThat(main("pkh(" + HEX + ")").extendedKey()).isEmpty();
  }

  /** Any change of up to two characters is noticed: BIP-0380 promises four. */
  @Property(tries = 300)
  void noticesTypingErrors(
      @ForAll @IntRange(max = 132) int at,
      @ForAll @CharRange(from = '!', to = '~') char first,
      @ForAll @IntRange(max = 132) int then,
      @ForAll @CharRange(from = '!', to = '~') char second) {
    String right = "wpkh([73c5da0a/84h/0h/0h]" + XPUB + "/0/*)#afwvtk2s";
    StringBuilder wrong = new StringBuilder(right);
    wrong.setCharAt(at, first);
    wrong.setCharAt(then, second);
    if (!right.contentEquals(wrong) && wrong.indexOf("#") == right.indexOf('#')) {
      assertThatThrownBy(() -> Descriptor.stored(wrong.toString(), KeyNetwork.MAINNET))
          .isInstanceOf(DescriptorException.class);
    }
  }

  /** Any typed text gives a descriptor or a message. */
  @Property(tries = 2000)
  void neverFailsOtherwise(@ForAll @IntRange(max = 400) int cut, @ForAll long seed) {
    java.util.Random random = new java.util.Random(seed);
    String[] parts = {
      "wsh(",
      "sh(",
      "multi(",
      "2,",
      "wpkh(",
      "tr(",
      "[73c5da0a/84h/0'",
      "]",
      XPUB,
      HEX,
      "/0",
      "/*",
      "/<0;1>",
      ")",
      ",",
      "addr(",
      "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA",
      "#",
      "h",
      "<",
      ";",
      "9999999999"
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(9); i >= 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    String typed = text.substring(0, Math.min(text.length(), cut));
    try {
      main(typed).expand().get(0).derive(0);
    } catch (DescriptorException | AddressException expected) {
      assertThat(expected.getMessage()).isNotBlank();
    }
  }

  /** A sync that finds nothing new must not pay for a curve library. */
  @Test
  void loadsNeitherBitcoinjNorBouncyCastleForStoredText() throws Exception {
    List<URL> urls = new ArrayList<>();
    urls.add(Descriptor.class.getProtectionDomain().getCodeSource().getLocation());
    urls.add(Bytes.class.getProtectionDomain().getCodeSource().getLocation());
    try (URLClassLoader bare =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = bare.loadClass(Descriptor.class.getName());
      Class<?> network = bare.loadClass(KeyNetwork.class.getName());
      Object mainnet = network.getField("MAINNET").get(null);
      Method stored = type.getMethod("stored", String.class, network);
      String text = "wpkh([73c5da0a/84h/0h/0h]" + XPUB + "/1/*)#vatdkr6g";
      Object descriptor = stored.invoke(null, text, mainnet);
      assertThat(descriptor).hasToString(text);
      assertThat(type.getMethod("pathOf", int.class).invoke(descriptor, 5))
          .isEqualTo("m/84h/0h/0h/1/5");
      assertThat(type.getMethod("change").invoke(descriptor)).isEqualTo(true);
      assertThat(type.getMethod("ranged").invoke(descriptor)).isEqualTo(true);
      assertThat((List<?>) type.getMethod("expand").invoke(descriptor)).hasSize(1);
      assertThatThrownBy(() -> bare.loadClass("org.bouncycastle.math.ec.ECPoint"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }
}
