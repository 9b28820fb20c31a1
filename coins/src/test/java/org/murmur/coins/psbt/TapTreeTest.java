package org.murmur.coins.psbt;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

/** Leaves depth first make one whole tree, or are refused. */
final class TapTreeTest {

  private static Bytes leaves(String depths) {
    ByteWriter out = new ByteWriter();
    for (String depth : depths.split(" ", -1)) {
      out.uint8(Integer.parseInt(depth)).uint8(0xc0).varBytes(Bytes.ofHex("51"));
    }
    return out.toBytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1 1", "1 2 2", "2 2 1", "2 2 2 2", "3 3 2 1"})
  void wholeTrees(String depths) {
    assertThatCode(() -> TapTree.check(leaves(depths))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0 0", "1 1 1", "1 2", "2 1 2", "2 2 2", "129 129"})
  void otherLeaves(String depths) {
    assertThatThrownBy(() -> TapTree.check(leaves(depths))).isInstanceOf(MalformedException.class);
  }
}
