package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Hex;

class BareKeysTest {

  private static final String X = "ab".repeat(32);
  private static final String SHORT = "21" + "02" + X;
  private static final String LONG = "41" + "04" + X + X;

  private static String multisig(String required, int keys, String count) {
    return required + SHORT.repeat(keys) + count + "ae";
  }

  static Stream<Arguments> scripts() {
    return Stream.of(
        // P2PK: every header byte of a key, and no other.
        Arguments.of("21" + "02" + X + "ac", true),
        Arguments.of("21" + "03" + X + "ac", true),
        Arguments.of("21" + "04" + X + "ac", false),
        Arguments.of("41" + "04" + X + X + "ac", true),
        Arguments.of("41" + "06" + X + X + "ac", true),
        Arguments.of("41" + "07" + X + X + "ac", true),
        Arguments.of("41" + "05" + X + X + "ac", false),
        Arguments.of("41" + "02" + X + X + "ac", false),
        Arguments.of(SHORT + "ad", false),
        Arguments.of(SHORT + "61ac", false),
        Arguments.of("4c" + SHORT + "ac", false),
        Arguments.of("ac", false),
        Arguments.of("", false),
        // Not keys at all.
        Arguments.of("76a914" + "11".repeat(20) + "88ac", false),
        Arguments.of("a914" + "11".repeat(20) + "87", false),
        Arguments.of("0014" + "11".repeat(20), false),
        Arguments.of("5120" + X, false),
        // Bare multisig.
        Arguments.of(multisig("51", 1, "51"), true),
        Arguments.of(multisig("51", 2, "52"), true),
        Arguments.of(multisig("52", 3, "53"), true),
        Arguments.of("52" + SHORT + LONG + "52ae", true),
        Arguments.of("51" + "4c" + SHORT + "51ae", true), // keys may be pushed in any way
        Arguments.of(multisig("60", 16, "60"), true),
        Arguments.of(multisig("51", 17, "0111"), true),
        Arguments.of(multisig("0111", 17, "0111"), true),
        Arguments.of(multisig("51", 20, "0114"), true),
        Arguments.of(multisig("0114", 20, "0114"), true),
        Arguments.of(multisig("51", 21, "0115"), false), // at most 20
        Arguments.of(multisig("53", 2, "52"), false), // more required than there are
        Arguments.of(multisig("51", 2, "53"), false), // another number of keys
        Arguments.of(multisig("51", 3, "52"), false),
        Arguments.of(multisig("00", 1, "51"), false),
        Arguments.of(multisig("51", 0, "00"), false),
        Arguments.of(multisig("51", 1, "0101"), false), // not the shortest form
        Arguments.of(multisig("51", 16, "0110"), false),
        Arguments.of(multisig("51", 17, "4c0111"), false),
        Arguments.of(multisig("51", 17, "021100"), false),
        Arguments.of(multisig("51", 1, "0181"), false),
        Arguments.of(multisig("51", 1, "4f"), false),
        Arguments.of("51" + SHORT + "61" + "51ae", false),
        Arguments.of("51" + SHORT + "5161ae", false), // something behind the count
        Arguments.of("51" + SHORT + "51aeae", false),
        Arguments.of("51" + "20" + X + "51ae", false),
        Arguments.of("51" + SHORT + "51" + "02ae", false), // malformed at the end
        Arguments.of("51" + SHORT + "4cae", false),
        Arguments.of("ae", false),
        Arguments.of("51ae", false),
        Arguments.of("5151ae", false));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void recognisesTheSameAsCore(String script, boolean bare) {
    assertThat(BareKeys.paidBy(Hex.parse(script), new ScriptPushes())).isEqualTo(bare);
  }
}
