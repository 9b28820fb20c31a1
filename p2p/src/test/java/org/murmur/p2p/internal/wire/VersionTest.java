package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;

/** The message that every decade added a field to. */
final class VersionTest {

  @Test
  void oldOnesEndEarly() {
    ByteWriter body = new ByteWriter();
    body.int32(106).int64(1).int64(1_300_000_000L).bytes(new byte[26], 0, 26);
    assertThat(read(body)).isEqualTo(version(106, 0, "", 0, true));

    body.bytes(new byte[26], 0, 26).int64(42);
    assertThat(read(body)).isEqualTo(version(106, 42, "", 0, true));

    body.varBytes(Bytes.ofHex("2f413a312f"));
    assertThat(read(body)).isEqualTo(version(106, 42, "/A:1/", 0, true));

    body.int32(98_645);
    assertThat(read(body)).isEqualTo(version(106, 42, "/A:1/", 98_645, true));

    body.uint8(0);
    assertThat(read(body)).isEqualTo(version(106, 42, "/A:1/", 98_645, false));

    // A field of the next decade.
    body.int64(0x1234);
    assertThat(read(body)).isEqualTo(version(106, 42, "/A:1/", 98_645, false));
  }

  @Test
  void userAgentCannotDriveATerminal() {
    ByteWriter body = new ByteWriter();
    body.int32(106).int64(1).int64(1_300_000_000L).bytes(new byte[52], 0, 52).int64(42);
    body.varBytes(Bytes.ofHex("1b5b324a0affc3a97f41"));
    assertThat(read(body).userAgent()).isEqualTo("?[2J?????A");
  }

  @Test
  void sendsNoAddresses() {
    byte[] frame = FrameEncoder.encode(1, version(70016, 5, "/M:1/", 3, false));
    byte[] payload = java.util.Arrays.copyOfRange(frame, 24, frame.length);
    assertThat(Bytes.of(payload, 20, 72)).isEqualTo(Bytes.wrap(new byte[52]));
  }

  private static Message.Version version(
      int protocol, long nonce, String userAgent, int height, boolean relay) {
    return new Message.Version(protocol, 1, 1_300_000_000L, nonce, userAgent, height, relay);
  }

  private static Message.Version read(ByteWriter body) {
    return (Message.Version) Codec.read("version", body.toArray());
  }
}
