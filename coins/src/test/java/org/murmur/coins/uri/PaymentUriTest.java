package org.murmur.coins.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.KeyNetwork;

/**
 * Payment URIs. The addresses of the BIP's examples have wrong checksums on purpose; with them only
 * the syntax is tested.
 */
class PaymentUriTest {

  private static final String ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  private static final String TAPROOT =
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
  private static final String TESTNET = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
  private static final String REGTEST = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
  private static final String OLD = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

  private static JsonNode vectors(String file) throws IOException {
    try (InputStream in = PaymentUriTest.class.getResourceAsStream("/vectors/uri/" + file)) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static PaymentUri parse(String uri) {
    return PaymentUri.parse(uri, KeyNetwork.MAINNET);
  }

  /** The same URI with an address whose checksum is right. */
  private static String sound(String uri) {
    return uri.replace("175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W", OLD);
  }

  @Test
  void theExamplesOfTheBipAreReadAsItSays() throws IOException {
    JsonNode valid = vectors("bip321.json").get("valid");
    assertThat(valid).hasSizeGreaterThan(10);
    for (JsonNode example : valid) {
      UriQuery query = UriQuery.parse(example.get("uri").asText());
      assertThat(query.body()).isEqualTo(example.get("address").asText());
      List<UriQuery.Param> params = new ArrayList<>();
      example
          .get("params")
          .forEach(
              pair -> params.add(new UriQuery.Param(pair.get(0).asText(), pair.get(1).asText())));
      assertThat(query.params()).isEqualTo(params);
      if (query.body().startsWith("175")) {
        PaymentUri uri = parse(sound(example.get("uri").asText()));
        assertThat(uri.amount())
            .isEqualTo(
                example.has("amount")
                    ? Optional.of(Amount.sat(example.get("amount").asLong()))
                    : Optional.empty());
        assertThat(uri.label()).isEqualTo(example.path("label").asText());
        assertThat(uri.message()).isEqualTo(example.path("message").asText());
      }
    }
  }

  @Test
  void whatTheBipForbidsIsRefused() throws IOException {
    JsonNode invalid = vectors("bip321.json").get("invalid");
    assertThat(invalid).hasSizeGreaterThan(5);
    for (JsonNode example : invalid) {
      assertThatThrownBy(() -> parse(sound(example.get("uri").asText())))
          .as(example.get("what").asText())
          .isInstanceOf(PaymentUriException.class);
    }
    assertThatThrownBy(() -> parse("bitcoin:" + OLD + "?req-pop=https%3aevilwebsite.com"))
        .hasMessageContaining("requires 'pop'");
  }

  @Test
  void coresCasesAreReadAlikeWhereCoreDoesAsTheBipSays() throws IOException {
    int compared = 0;
    for (JsonNode example : vectors("core_uritests.json").get("cases")) {
      String uri = sound(example.get("uri").asText());
      if (example.has("differs")) {
        continue;
      }
      compared++;
      if (example.get("valid").asBoolean()) {
        PaymentUri read = parse(uri);
        assertThat(read.amount().map(Amount::satoshi).orElse(0L))
            .isEqualTo(example.path("amount").asLong());
        assertThat(read.label()).isEqualTo(example.path("label").asText());
      } else {
        assertThatThrownBy(() -> parse(uri)).as(uri).isInstanceOf(PaymentUriException.class);
      }
    }
    assertThat(compared).isGreaterThan(10);
  }

  @Test
  void theBodysAddressComesFirstThenTheNetworksOwnParameter() {
    assertThat(parse("bitcoin:" + OLD + "?bc=" + TAPROOT).address().text()).isEqualTo(OLD);
    assertThat(parse("bitcoin:?tb=" + TESTNET + "&bc=" + TAPROOT + "&bc=" + ADDRESS).address())
        .isEqualTo(Address.parse(TAPROOT, KeyNetwork.MAINNET));
    assertThat(PaymentUri.parse("bitcoin:?tb=" + TESTNET, KeyNetwork.TEST).address().text())
        .isEqualTo(TESTNET);
    assertThat(PaymentUri.parse("bitcoin:?bcrt=" + REGTEST, KeyNetwork.REGTEST).address().text())
        .isEqualTo(REGTEST);
    assertThatThrownBy(() -> parse("bitcoin:?tb=" + TESTNET))
        .hasMessageContaining("no on-chain address of mainnet");
    assertThatThrownBy(() -> parse("bitcoin:?lightning=lnbc1")).hasMessageContaining("on-chain");
    assertThatThrownBy(() -> parse("bitcoin:" + TESTNET))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("test network");
    assertThatThrownBy(() -> parse("bitcoin:" + ADDRESS.replace("w5", "5w")))
        .isInstanceOf(AddressException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0.00000001, 1",
    ".5, 50000000",
    "1., 100000000",
    "0.123456780000, 12345678",
    "21000000, 2100000000000000",
    "0.1, 10000000"
  })
  void amountsAreExact(String amount, long satoshi) {
    assertThat(parse("bitcoin:" + ADDRESS + "?amount=" + amount).amount())
        .hasValue(Amount.sat(satoshi));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0.000000001", "21000000.00000001", "1e3", "-1", "+1", "x", "", ".", "1,5", "0x1"})
  void whatIsNoAmountIsRefused(String amount) {
    assertThatThrownBy(() -> parse("bitcoin:" + ADDRESS + "?amount=" + amount))
        .isInstanceOf(PaymentUriException.class)
        .hasMessageContaining("amount");
  }

  @Test
  void anAmountOfZeroMeansThatThePayerChooses() {
    assertThat(parse("bitcoin:" + ADDRESS + "?amount=0.00").amount()).isEmpty();
  }

  @Test
  void whatIsWrittenIsReadBack() {
    PaymentUri uri =
        PaymentUri.of(Address.parse(ADDRESS, KeyNetwork.MAINNET))
            .withAmount(Amount.sat(1_500_000))
            .withLabel("Käse & \"Brot\" = 100%+?")
            .withMessage("a\nb");
    assertThat(uri.text())
        .isEqualTo(
            "bitcoin:"
                + ADDRESS
                + "?amount=0.015&label=K%C3%A4se%20%26%20%22Brot%22%20%3D%20100%25%2B%3F"
                + "&message=a%20b");
    assertThat(parse(uri.text())).isEqualTo(uri);
    assertThat(uri.upperCase())
        .startsWith("BITCOIN:" + ADDRESS.toUpperCase(Locale.ROOT) + "?AMOUNT=0.015&LABEL=K");
    assertThat(parse(uri.upperCase())).isEqualTo(uri);
    PaymentUri old = PaymentUri.of(Address.parse(OLD, KeyNetwork.MAINNET));
    assertThat(old.text()).isEqualTo("bitcoin:" + OLD);
    assertThat(old.upperCase()).isEqualTo("BITCOIN:" + OLD);
    assertThat(parse(old.upperCase())).isEqualTo(old);
  }

  /** A payer who skips what is required would pay on other terms. */
  @ParameterizedTest
  @ValueSource(strings = {"req-foo", "req%2Dfoo", "req%2dfoo", "%72eq-foo", "REQ%2DFOO"})
  void whatIsRequiredIsSeenHoweverItIsWritten(String key) {
    assertThatThrownBy(() -> parse("bitcoin:" + ADDRESS + "?amount=1&" + key + "=1"))
        .isInstanceOf(PaymentUriException.class)
        .hasMessageContaining("requires 'foo'");
    assertThatThrownBy(() -> parse("bitcoin:" + ADDRESS + "?amount=1&%61mount=2"))
        .hasMessageContaining("amount more than once");
  }

  @Test
  void badEscapesAreRefused() {
    for (String label : List.of("%", "a%4", "%zz", "%ff", "%c3")) {
      assertThatThrownBy(() -> parse("bitcoin:" + ADDRESS + "?label=" + label))
          .isInstanceOf(PaymentUriException.class)
          .hasMessageContaining("label");
    }
    assertThat(parse("bitcoin:" + ADDRESS + "?label=a%00b%1b").label()).isEqualTo("a b");
    assertThatThrownBy(() -> parse(ADDRESS)).hasMessageContaining("does not begin with bitcoin:");
  }
}
