package org.murmur.coins.internal.fee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.TxWeight;

/** Core's thresholds and its cases of rules 3 and 4. */
final class DustTest {

  private static final String HASH20 = "00".repeat(20);
  private static final String HASH32 = "00".repeat(32);

  private static final Map<String, Bytes> SCRIPTS =
      Map.of(
          "P2PKH", Bytes.ofHex("76a914" + HASH20 + "88ac"),
          "P2SH", Bytes.ofHex("a914" + HASH20 + "87"),
          "P2WPKH", Bytes.ofHex("0014" + HASH20),
          "P2WSH", Bytes.ofHex("0020" + HASH32),
          "P2TR", Bytes.ofHex("5120" + HASH32),
          "P2A (51024e73)", Bytes.ofHex("51024e73"));

  static JsonNode facts() throws IOException {
    try (InputStream in = DustTest.class.getResourceAsStream("/vectors/spend/replacement.json")) {
      return new ObjectMapper().readTree(Objects.requireNonNull(in));
    }
  }

  @Test
  void agreesWithCore() throws IOException {
    JsonNode cases = facts().get("dust_thresholds");
    assertThat(cases).hasSize(SCRIPTS.size());
    for (JsonNode each : cases) {
      Bytes script = Objects.requireNonNull(SCRIPTS.get(each.get("kind").asText()));
      assertThat(TxWeight.outputSize(script)).isEqualTo(each.get("output_size").asInt());
      assertThat(Dust.threshold(script)).isEqualTo(each.get("dust_below").asLong());
    }
  }

  @Test
  void recognisesTheKinds() {
    SCRIPTS.forEach(
        (name, script) ->
            assertThat(OutputKind.of(script).name())
                .isEqualTo(name.startsWith("P2A") ? "OTHER" : name));
    assertThat(OutputKind.of(Bytes.ofHex("6a0401020304"))).isEqualTo(OutputKind.OP_RETURN);
    assertThat(OutputKind.of(Bytes.EMPTY)).isEqualTo(OutputKind.OTHER);
    assertThat(OutputKind.of(Bytes.ofHex("76a914" + HASH20 + "88ad"))).isEqualTo(OutputKind.OTHER);
    assertThat(OutputKind.of(Bytes.ofHex("0015" + HASH20 + "00"))).isEqualTo(OutputKind.OTHER);
  }

  @Test
  void unspendableOutputsAreNoDust() {
    assertThat(Dust.threshold(Bytes.ofHex("6a0401020304"))).isZero();
    assertThat(Dust.threshold(Bytes.wrap(new byte[10_001]))).isZero();
  }

  /** At 10 sat/vB, where Core discards change: (31 + 67) times 10. */
  @Test
  void growsWithTheRate() {
    assertThat(Dust.threshold(Bytes.ofHex("0014" + HASH20), FeeRate.satPerVb(10))).isEqualTo(980);
  }
}
