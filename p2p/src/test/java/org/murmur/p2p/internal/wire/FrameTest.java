package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.bytes.LittleEndian;

/** The 24-byte header, and the effects of a hostile one. */
final class FrameTest {

  private static final int MAINNET = 0xd9b4bef9;

  @Test
  void verackIsTheTwentyFourBytesEveryNodeSends() {
    // The example of the protocol documentation: an empty payload hashes to 5df6e0e2...
    assertThat(Hex.format(FrameEncoder.encode(MAINNET, new Message.Verack())))
        .isEqualTo("f9beb4d976657261636b000000000000000000005df6e0e2");
  }

  @Test
  void messagesComeOutInOrderWithTheirSize() {
    byte[] ping = FrameEncoder.encode(MAINNET, new Message.Ping(7));
    byte[] verack = FrameEncoder.encode(MAINNET, new Message.Verack());
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    decoder.feed(ByteBuffer.allocate(56).put(ping).put(verack).flip());

    assertThat(decoder.next()).isEqualTo(new Frame(new Message.Ping(7), 32));
    assertThat(decoder.next()).isEqualTo(new Frame(new Message.Verack(), 24));
    assertThat(decoder.next()).isNull();
  }

  @Test
  void inputBuffersMayBeOverwritten() {
    byte[] ping = FrameEncoder.encode(MAINNET, new Message.Ping(7));
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    byte[] buffer = ping.clone();
    decoder.feed(buffer, 0, buffer.length);
    Arrays.fill(buffer, (byte) 0x55);

    assertThat(decoder.next()).isEqualTo(new Frame(new Message.Ping(7), 32));
  }

  @Test
  void foreignMagicIsReportedAfterFourBytes() {
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    byte[] http = "HTTP/1.1 400 Bad Request".getBytes(StandardCharsets.US_ASCII);
    decoder.feed(http, 0, 3);
    assertThat(decoder.next()).isNull();
    decoder.feed(http, 3, 1);

    WireException e = catchThrowableOfType(WireException.class, decoder::next);
    assertThat(e.field()).isEqualTo("magic");
    assertThat(e.command()).isEmpty();
    assertThat(e.foreignMagic()).contains(0x50545448);
    assertThat(e).hasMessage("answers in HTTP; it is no node");
  }

  @Test
  void messagesBeforeGarbageStillComeOutAndNothingComesAfterIt() {
    byte[] ping = FrameEncoder.encode(MAINNET, new Message.Ping(7));
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    decoder.feed(ping, 0, ping.length);
    decoder.feed(new byte[24], 0, 24);
    decoder.feed(ping, 0, ping.length);

    assertThat(decoder.next()).isEqualTo(new Frame(new Message.Ping(7), 32));
    assertThatThrownBy(decoder::next).isInstanceOf(WireException.class);
    assertThatThrownBy(decoder::next).isInstanceOf(WireException.class);
  }

  @Test
  void nothingComesAfterBadBody() {
    byte[] ping = FrameEncoder.encode(MAINNET, new Message.Ping(7));
    byte[] tampered = ping.clone();
    tampered[30] ^= 1;
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    decoder.feed(tampered, 0, tampered.length);
    decoder.feed(ping, 0, ping.length);

    WireException e = catchThrowableOfType(WireException.class, decoder::next);
    assertThat(e.command()).isEqualTo("ping");
    assertThat(e.field()).isEqualTo("checksum");
    assertThat(e.offset()).isEqualTo(20);
    assertThatThrownBy(decoder::next).isSameAs(e);
  }

  @Test
  void oversizeIsReportedBeforeItsBytesCome() {
    assertThat(lengthRefused("block", 4_000_001)).isTrue();
    assertThat(lengthRefused("block", 4_000_000)).isFalse();
    assertThat(lengthRefused("nobodyknows", 4_000_001)).isTrue();
    assertThat(lengthRefused("nobodyknows", 4_000_000)).isFalse();
    assertThat(lengthRefused("block", -1)).isTrue();
    assertThat(lengthRefused("ping", 9)).isTrue();
    assertThat(lengthRefused("verack", 1)).isTrue();
    assertThat(lengthRefused("mempool", 1)).isTrue();
    assertThat(lengthRefused("filteradd", 524)).as("Core takes what follows, too").isFalse();
    assertThat(lengthRefused("headers", 162_003)).isFalse();
    assertThat(lengthRefused("headers", 162_004)).isTrue();
    assertThat(lengthRefused("getcfilters", 38)).isTrue();
    assertThat(lengthRefused("getcfheaders", 38)).isTrue();
    assertThat(lengthRefused("getcfcheckpt", 34)).isTrue();
    assertThat(lengthRefused("cfilter", 270_038)).isFalse();
    assertThat(lengthRefused("cfilter", 270_039)).isTrue();
    assertThat(lengthRefused("cfheaders", 64_068)).isFalse();
    assertThat(lengthRefused("cfheaders", 64_069)).isTrue();
    assertThat(lengthRefused("cfcheckpt", 320_036)).isFalse();
    assertThat(lengthRefused("cfcheckpt", 320_037)).isTrue();
    assertThat(lengthRefused("inv", 1_800_003)).isFalse();
    assertThat(lengthRefused("inv", 1_800_004)).isTrue();
  }

  /** Peers that each promise a whole block and send one byte must not cost 4 MB each. */
  @Test
  void promisedLengthIsNotAllocated() {
    FrameDecoder[] decoders = new FrameDecoder[400];
    byte[] header = header("block", 4_000_000);
    for (int i = 0; i < decoders.length; i++) {
      decoders[i] = new FrameDecoder(MAINNET);
      decoders[i].feed(header, 0, header.length);
      decoders[i].feed(new byte[1], 0, 1);
    }
    // 1.6 GB would not fit into the test's heap.
    assertThat(decoders[0].next()).isNull();
    assertThat(Runtime.getRuntime().maxMemory()).isLessThan(1_600_000_000L);
  }

  @Test
  void commandMustBePaddedWithZeros() {
    for (String bad :
        new String[] {
          "000000000000000000000000",
          "70696e670070000000000000",
          "70696e670a00000000000000",
          "00696e670000000000000000",
          "ff696e670000000000000000"
        }) {
      byte[] header = header("ping", 8);
      System.arraycopy(Hex.parse(bad), 0, header, 4, 12);
      FrameDecoder decoder = new FrameDecoder(MAINNET);
      decoder.feed(header, 0, header.length);
      WireException e = catchThrowableOfType(WireException.class, decoder::next);
      assertThat(e.field()).as(bad).isEqualTo("command");
    }
  }

  @Test
  void oneByteOfCommandMayBeDamaged() {
    for (String damaged : new String[] {"versioo", "nerkleblock", "txs", "pinf", "inw", "bloc"}) {
      FrameDecoder decoder = new FrameDecoder(MAINNET);
      decoder.feed(header(damaged, 0), 0, 24);
      WireException e = catchThrowableOfType(WireException.class, decoder::next);
      assertThat(e.field()).as(damaged).isEqualTo("command");
      assertThat(e.isMalformed()).isFalse();
    }
  }

  /**
   * Commands of Core's protocol.h and of BIPs that this program does not read, and such as a later
   * version may have: they are ignored, and cost no connection.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cmpctblock",
        "getblocktxn",
        "blocktxn",
        "sendtxrcncl",
        "alert",
        "reqrecon",
        "sendpackages",
        "getpkgtxns",
        "addrv3",
        "sendaddrv3",
        "headers2",
        "tx2",
        "inv2"
      })
  void commandsOfOthersAreNoDamage(String command) {
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    decoder.feed(
        ByteBuffer.wrap(FrameEncoder.encode(MAINNET, new Message.Unknown(command, Bytes.EMPTY))));
    assertThat(decoder.next()).isNotNull();
  }

  @Test
  void unknownCommandsKeepTheirPayload() {
    Message compact = new Message.Unknown("cmpctblock", Bytes.ofHex("00112233"));
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    decoder.feed(ByteBuffer.wrap(FrameEncoder.encode(MAINNET, compact)));
    assertThat(decoder.next()).isEqualTo(new Frame(compact, 28));
  }

  private static boolean lengthRefused(String command, int length) {
    byte[] header = header(command, length);
    FrameDecoder decoder = new FrameDecoder(MAINNET);
    decoder.feed(header, 0, header.length);
    try {
      return decoder.next() != null;
    } catch (WireException e) {
      assertThat(e.field()).isEqualTo("length");
      assertThat(e.command()).isEqualTo(command);
      return true;
    }
  }

  private static byte[] header(String command, int length) {
    byte[] header = new byte[24];
    LittleEndian.putInt32(header, 0, MAINNET);
    byte[] name = command.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(name, 0, header, 4, name.length);
    LittleEndian.putInt32(header, 16, length);
    return header;
  }
}
