package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.Hex;

/** The bytes of the messages of BIP-0157, field by field. */
final class CompactFilterMessagesTest {

  /** The genesis block of testnet3. */
  private static final Hash256 BLOCK =
      Hash256.ofDisplay("000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943");

  private static final String BLOCK_HEX =
      "43497fd7f826957108f4a30fd9cec3aeba79972084e90ead01ea330900000000";
  private static final Hash256 ONE = Hash256.ofInternal(bytes(1));
  private static final Hash256 TWO = Hash256.ofInternal(bytes(2));

  private static byte[] bytes(int value) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void questionsAreTypeHeightAndStop() {
    isWritten(
        new Message.GetCFilters(0, 0x01020304, BLOCK), "getcfilters", "00 04030201", BLOCK_HEX);
    isWritten(
        new Message.GetCFHeaders(0, 0xffff_ffffL, BLOCK), "getcfheaders", "00 ffffffff", BLOCK_HEX);
    isWritten(new Message.GetCFCheckpt(0, BLOCK), "getcfcheckpt", "00", BLOCK_HEX);
  }

  @Test
  void filterIsBehindItsBlock() {
    // The filter of this block in BIP-0158's vectors.
    isWritten(
        new Message.CFilter(0, BLOCK, Bytes.ofHex("019dfca8")),
        "cfilter",
        "00",
        BLOCK_HEX,
        "04 019dfca8");
  }

  @Test
  void hashesAreBehindThePreviousHeader() {
    isWritten(
        new Message.CFHeaders(0, BLOCK, ONE, List.of(TWO, ONE)),
        "cfheaders",
        "00",
        BLOCK_HEX,
        "01".repeat(32),
        "02",
        "02".repeat(32),
        "01".repeat(32));
    isWritten(
        new Message.CFHeaders(0, BLOCK, ONE, List.of()),
        "cfheaders",
        "00",
        BLOCK_HEX,
        "01".repeat(32),
        "00");
  }

  @Test
  void checkpointsAreBehindTheStop() {
    isWritten(
        new Message.CFCheckpt(0, BLOCK, List.of(ONE, TWO)),
        "cfcheckpt",
        "00",
        BLOCK_HEX,
        "02",
        "01".repeat(32),
        "02".repeat(32));
  }

  /** The receiver decides about other types than the basic one. */
  @Test
  void anyTypeIsRead() {
    isWritten(new Message.GetCFilters(255, 0, BLOCK), "getcfilters", "ff 00000000", BLOCK_HEX);
    isWritten(new Message.CFilter(255, BLOCK, Bytes.EMPTY), "cfilter", "ff", BLOCK_HEX, "00");
    isWritten(new Message.CFCheckpt(1, BLOCK, List.of()), "cfcheckpt", "01", BLOCK_HEX, "00");
  }

  private static void isWritten(Message message, String command, String... hex) {
    byte[] body = Hex.parse(String.join("", hex).replace(" ", ""));
    byte[] frame = FrameEncoder.encode(1, message);
    assertThat(FrameEncoder.command(message)).isEqualTo(command);
    assertThat(Arrays.copyOfRange(frame, Frame.HEADER_LENGTH, frame.length)).isEqualTo(body);
    assertThat(Codec.read(command, body)).isEqualTo(message);
  }
}
