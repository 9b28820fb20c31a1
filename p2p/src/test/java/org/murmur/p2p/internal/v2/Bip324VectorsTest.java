package org.murmur.p2p.internal.v2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.chain.ChainParams;

/** The published vectors of BIP-0324. */
final class Bip324VectorsTest {

  private static final int MAGIC = ChainParams.MAINNET.magic();
  private static final byte[] NOTHING = new byte[0];

  private static JsonNode cases(String file) throws IOException {
    try (InputStream in =
        Bip324VectorsTest.class.getResourceAsStream("/vectors/bip324/" + file + ".json")) {
      return new ObjectMapper().readTree(in).get("cases");
    }
  }

  private static byte[] bytes(JsonNode vector, String name) {
    return Hex.parse(vector.get(name).asText());
  }

  @Test
  void everyEncodingIsAPoint() throws IOException {
    JsonNode cases = cases("ellswift_decode");
    assertThat(cases).hasSize(76);
    for (JsonNode vector : cases) {
      assertThat(ElligatorSwift.decode(bytes(vector, "ellswift")).getEncoded())
          .as(vector.toString())
          .isEqualTo(bytes(vector, "x"));
    }
  }

  @Test
  void everyCaseOfTheInverse() throws IOException {
    JsonNode cases = cases("xswiftec_inv");
    assertThat(cases).hasSize(32);
    for (JsonNode vector : cases) {
      var u = ElligatorSwift.field(bytes(vector, "u"), 0);
      var x = ElligatorSwift.field(bytes(vector, "x"), 0);
      for (int way = 0; way < ElligatorSwift.CASES; way++) {
        var t = ElligatorSwift.inverse(x, u, way);
        assertThat(t == null ? "" : Hex.format(t.getEncoded()))
            .as("case " + way + " of " + vector)
            .isEqualTo(vector.get("case" + way + "_t").asText());
      }
    }
  }

  @Test
  void keysAndPackets() throws IOException {
    JsonNode cases = cases("packet_encoding");
    assertThat(cases).hasSize(7);
    for (JsonNode vector : cases) {
      String which = vector.get("in_idx").asText() + " of " + vector.get("in_ellswift_ours");
      boolean initiating = vector.get("in_initiating").asInt() == 1;
      byte[] ours = bytes(vector, "in_ellswift_ours");
      byte[] theirs = bytes(vector, "in_ellswift_theirs");
      BigInteger secret = new BigInteger(1, bytes(vector, "in_priv_ours"));
      assertThat(ElligatorSwift.decode(ours).getEncoded()).isEqualTo(bytes(vector, "mid_x_ours"));
      assertThat(ElligatorSwift.decode(theirs).getEncoded())
          .isEqualTo(bytes(vector, "mid_x_theirs"));
      assertThat(ElligatorSwift.multiply(theirs, secret)).isEqualTo(bytes(vector, "mid_x_shared"));
      byte[] shared = new EphemeralKey(secret, ours).sharedSecret(theirs, initiating);
      assertThat(shared).isEqualTo(bytes(vector, "mid_shared_secret"));

      SessionKeys keys = new SessionKeys(shared, MAGIC, initiating);
      for (String name :
          new String[] {"initiator_L", "initiator_P", "responder_L", "responder_P"}) {
        assertThat(keys.expand(name))
            .as(which)
            .isEqualTo(bytes(vector, "mid_" + name.toLowerCase(Locale.ROOT)));
      }
      assertThat(keys.terminator(true)).isEqualTo(bytes(vector, "mid_send_garbage_terminator"));
      assertThat(keys.terminator(false)).isEqualTo(bytes(vector, "mid_recv_garbage_terminator"));
      assertThat(keys.sessionId()).isEqualTo(bytes(vector, "out_session_id"));
      packets(vector, keys, new SessionKeys(shared, MAGIC, !initiating));
    }
  }

  private static void packets(JsonNode vector, SessionKeys ours, SessionKeys theirs) {
    byte[] contents =
        Hex.parse(vector.get("in_contents").asText().repeat(vector.get("in_multiply").asInt()));
    byte[] additional = bytes(vector, "in_aad");
    boolean ignored = vector.get("in_ignore").asInt() == 1;
    int before = vector.get("in_idx").asInt();
    PacketWriter writer = new PacketWriter(ours);
    LengthCipher lengths = theirs.lengths(false);
    PacketCipher cipher = theirs.packets(false);
    for (int i = 0; i < before; i++) {
      byte[] packet = writer.packet(NOTHING);
      assertThat(open(packet, lengths, cipher, NOTHING)).containsExactly(0);
    }
    byte[] packet = writer.packet(contents, additional, ignored);
    String hex = Hex.format(packet);
    if (!vector.get("out_ciphertext").asText().isEmpty()) {
      assertThat(hex).isEqualTo(vector.get("out_ciphertext").asText());
    }
    assertThat(hex).endsWith(vector.get("out_ciphertext_endswith").asText());
    byte[] plain = open(packet, lengths, cipher, additional);
    assertThat(plain[0]).isEqualTo((byte) (ignored ? 0x80 : 0));
    assertThat(ByteBuffer.wrap(plain, 1, contents.length)).isEqualTo(ByteBuffer.wrap(contents));
  }

  private static byte[] open(
      byte[] packet, LengthCipher lengths, PacketCipher cipher, byte[] additional) {
    byte[] length = Arrays.copyOf(packet, LengthCipher.LENGTH);
    lengths.crypt(length, 0);
    int announced = (length[0] & 0xff) | ((length[1] & 0xff) << 8) | ((length[2] & 0xff) << 16);
    assertThat(announced).isEqualTo(packet.length - PacketWriter.OVERHEAD);
    byte[] rest = Arrays.copyOfRange(packet, LengthCipher.LENGTH, packet.length);
    byte[] plain = cipher.decrypt(rest, additional);
    assertThat(plain).as("the tag fits").isNotNull();
    return plain == null ? NOTHING : plain;
  }
}
