package org.murmur.coins.psbt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.coins.psbt.PsbtException.Reason;
import org.murmur.coins.psbt.PsbtVectors.Case;

/** Every published PSBT is read and written as its source says. */
final class PsbtTest {

  /** Core's two that are well-formed, and lie about the output they spend. */
  private static final Set<String> LIES =
      Set.of("core_rpc_psbt.json invalid[39]", "core_rpc_psbt.json invalid[40]");

  static Stream<Case> valid() {
    return PsbtVectors.valid();
  }

  static Stream<Case> invalid() {
    return Stream.of(
            PsbtVectors.cases("bip174_invalid.json", "cases"),
            PsbtVectors.cases("bip370.json", "invalid"),
            PsbtVectors.cases("bip371.json", "invalid"),
            PsbtVectors.cases("core_rpc_psbt.json", "invalid"),
            PsbtVectors.cases("core_rpc_psbt.json", "invalid_with_msg"))
        .flatMap(cases -> cases)
        .filter(vector -> !LIES.contains(vector.title()));
  }

  static Stream<Case> lockTimes() {
    return PsbtVectors.cases("bip370.json", "locktime");
  }

  @ParameterizedTest
  @MethodSource("valid")
  void isWrittenAsItWasRead(Case vector) {
    Psbt psbt = Psbt.parseBase64(vector.psbt());
    assertThat(psbt.toBase64()).isEqualTo(vector.psbt());
    Bytes raw = Bytes.wrap(Base64.getDecoder().decode(vector.psbt()));
    assertThat(Psbt.parseFile(raw)).isEqualTo(psbt);
    expect(vector.data(), "version", psbt.version());
    expect(vector.data(), "inputs", psbt.maps().inputs().size());
    expect(vector.data(), "outputs", psbt.maps().outputs().size());
    if (vector.data().has("unsigned_txid")) {
      UnsignedTx tx = psbt.unsignedTx();
      assertThat(tx.txid()).hasToString(vector.data().get("unsigned_txid").asText());
      expect(vector.data(), "tx_version", tx.version());
      expect(vector.data(), "locktime", tx.lockTime());
    }
  }

  private static void expect(JsonNode data, String field, int value) {
    if (data.has(field)) {
      assertThat(value).as(field).isEqualTo(data.get(field).asInt());
    }
  }

  @ParameterizedTest
  @MethodSource
  void invalid(Case vector) {
    assertThatThrownBy(() -> Psbt.parseBase64(vector.psbt()))
        .isInstanceOf(MalformedException.class);
  }

  @ParameterizedTest
  @MethodSource
  void lockTimes(Case vector) {
    Psbt psbt = Psbt.parseBase64(vector.psbt());
    JsonNode expected = vector.data().get("locktime");
    if (expected.isNull()) {
      assertThatThrownBy(psbt::unsignedTx)
          .isInstanceOfSatisfying(
              PsbtException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.LOCK_TIMES_CONFLICT));
    } else {
      assertThat(psbt.unsignedTx().lockTime()).isEqualTo(expected.asInt());
    }
  }

  @Test
  void aFileMayHaveLineBreaks() {
    String text = valid().findFirst().orElseThrow().psbt();
    String broken = text.replaceAll("(.{76})", "$1\r\n") + "\n";
    Bytes file = Bytes.wrap(broken.getBytes(StandardCharsets.US_ASCII));
    assertThat(Psbt.parseFile(file).toBase64()).isEqualTo(text);
  }

  @Test
  void tooManyFieldsAreRefusedBeforeTheyAreRead() {
    ByteWriter out = new ByteWriter().bytes(PsbtMaps.MAGIC);
    for (int i = 0; i <= PsbtReader.MAX_FIELDS; i++) {
      out.uint8(5).uint8(0x70).int32(i).uint8(0);
    }
    assertThatThrownBy(() -> Psbt.parse(out.toBytes()))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void aTransactionLargerThanABlockIsRefused() {
    ByteWriter tx = new ByteWriter().int32(2).compactSize(0).compactSize(111_112);
    for (int i = 0; i < 111_112; i++) {
      tx.int64(0).uint8(0);
    }
    ByteWriter out = new ByteWriter().bytes(PsbtMaps.MAGIC).uint8(1).uint8(0);
    out.varBytes(tx.int32(0).toBytes()).uint8(0);
    assertThatThrownBy(() -> Psbt.parse(out.toBytes())).hasMessageContaining("larger than a block");
  }

  @Test
  void tooManyBytesAreRefused() {
    Bytes zeros = Bytes.wrap(new byte[Psbt.MAX_BYTES + 1]);
    assertThatThrownBy(() -> Psbt.parse(zeros)).hasMessageContaining("longer than");
  }
}
