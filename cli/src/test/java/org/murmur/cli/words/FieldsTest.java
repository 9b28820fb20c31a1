package org.murmur.cli.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;

/** A field is described once, for JSON and for CSV. */
class FieldsTest {

  private record Payment(
      Instant time, OptionalInt height, long net, List<String> to, String label) {}

  private static final Payment PENDING =
      new Payment(Instant.ofEpochSecond(60), OptionalInt.empty(), -5, List.of(), "");

  private static final Payment PAID =
      new Payment(Instant.ofEpochSecond(60), OptionalInt.of(7), 150, List.of("a", "b"), "=\"x\"");

  private static final Fields<Payment> FIELDS =
      new Fields<Payment>()
          .add("time", Payment::time)
          .add("height", Payment::height)
          .amount("net", Payment::net)
          .add("to", Payment::to)
          .text("label", Payment::label);

  @Test
  void programsReadWhatIsDescribedInJson() {
    assertThat(FIELDS.json(PAID).line())
        .isEqualTo(
            "{\"time\":60,\"height\":7,\"net_sat\":150,\"to\":[\"a\",\"b\"],\"label\":\"=\\\"x\\\"\"}");
    assertThat(FIELDS.json(PENDING).line())
        .isEqualTo("{\"time\":60,\"height\":null,\"net_sat\":-5,\"to\":[],\"label\":null}");
  }

  @Test
  void spreadsheetsReadTheSameInTheOrderOfTheHeader() {
    assertThat(FIELDS.csv("label,net_btc,net_sat,height,time,to", List.of(PAID, PENDING)))
        .isEqualTo(
            """
            label,net_btc,net_sat,height,time,to
            "'=""x""\",0.00000150,150,7,1970-01-01T00:01:00Z,a b
            ,-0.00000005,-5,,1970-01-01T00:01:00Z,
            """);
    assertThatThrownBy(() -> FIELDS.csv("fee", List.of(PAID))).hasMessage("fee");
  }

  @Test
  void jsonHasOneFormForEachKindOfValue() {
    assertThat(
            new JsonObject()
                .put("txid", Optional.of(Hash256.ZERO))
                .put("height", Optional.of(OptionalInt.of(3)))
                .put("fee_sat", OptionalLong.empty())
                .put("code", ExitCode.NO_USABLE_PEER)
                .put("hints", EnumSet.of(Unit.SAT))
                .put("elapsed_ms", Duration.ofSeconds(2))
                .put("fp", Double.POSITIVE_INFINITY)
                .line())
        .isEqualTo(
            "{\"txid\":\""
                + "0".repeat(64)
                + "\",\"height\":3,\"fee_sat\":null,\"code\":\"no_usable_peer\",\"hints\":[\"sat\"],\"elapsed_ms\":2000,"
                + "\"fp\":null}");
    assertThatThrownBy(() -> new JsonObject().put("of", new Object()).line())
        .isInstanceOf(IllegalStateException.class);
  }
}
