package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Bytes;

class ScriptPushesTest {

  private static List<String> data(Bytes script) {
    List<String> data = new ArrayList<>();
    ScriptPushes pushes = new ScriptPushes().over(script);
    while (pushes.nextData()) {
      assertThat(pushes.data().length()).isEqualTo(pushes.length());
      data.add(pushes.data().toHex());
    }
    assertThat(pushes.opcode()).isEqualTo(-1);
    assertThat(pushes.next()).isFalse();
    return data;
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "76a90301020388ac, 010203", // P2PKH, short
        "0002abcd, abcd", // OP_0 and a program
        "00, -", // an empty push is none
        "4c00, -", // nor is this
        "4c02abcd, abcd", // OP_PUSHDATA1
        "4d0200abcd, abcd", // OP_PUSHDATA2
        "4e02000000abcd, abcd", // OP_PUSHDATA4
        "5160, -", // OP_1, OP_16
        "4f01ff, ff", // OP_1NEGATE is an operation
        "01aa02bbcc03dd, aa bbcc", // malformed at its end: what came before counts
        "01aa4c, aa", // no length
        "01aa4d01, aa", // half a length
        "01aa4e010000, aa",
        "01aa4effffffff, aa", // 2^32 - 1 bytes
        "01aa4e00000080, aa", // 2^31 bytes
        "6a04deadbeef, deadbeef", // OP_RETURN does not stop it
        "'', -",
      })
  void showsThePushes(String script, String expected) {
    assertThat(data(Bytes.ofHex(script)))
        .isEqualTo(expected == null ? List.of() : List.of(expected.split(" ")));
  }

  @Test
  void startsAgainOverAnotherScript() {
    ScriptPushes pushes = new ScriptPushes().over(Bytes.ofHex("03aa"));
    assertThat(pushes.next()).isFalse();
    assertThat(pushes.over(Bytes.ofHex("01bb51")).next()).isTrue();
    assertThat(pushes.data().toHex()).isEqualTo("bb");
    assertThat(pushes.opcode()).isEqualTo(1);
    assertThat(pushes.next()).isTrue();
    assertThat(pushes.opcode()).isEqualTo(0x51);
    assertThat(pushes.length()).isZero();
  }

  @Property
  void endsWhateverTheBytesAre(@ForAll @Size(max = 600) byte[] script) {
    ScriptPushes pushes = new ScriptPushes().over(Bytes.of(script));
    int at = 0;
    while (pushes.next()) {
      assertThat(pushes.offset()).isGreaterThan(at);
      assertThat(pushes.position()).isBetween(at + 1, script.length);
      at = pushes.position();
    }
  }
}
