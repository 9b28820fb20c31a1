package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;

/** The published vectors of BIP-0155. */
final class Bip155VectorsTest {

  private static final Map<String, Integer> NETWORKS =
      Map.of("ipv4", 1, "ipv6", 2, "torv3", 4, "i2p", 5, "cjdns", 6);

  private static JsonNode vectors() throws IOException {
    try (InputStream in =
        Bip155VectorsTest.class.getResourceAsStream("/vectors/bip155/addrv2.json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  /** Each address as an entry of an addrv2 message, with a good entry behind it. */
  @Test
  void entriesAreTakenLeftOutOrRefused() throws IOException {
    int seen = 0;
    for (JsonNode vector : vectors().get("parse")) {
      seen++;
      byte[] address = Hex.parse(vector.get("serialized").asText());
      ByteWriter body = new ByteWriter().compactSize(2);
      body.int32(7).compactSize(1).bytes(address, 0, address.length).uint16BigEndian(8333);
      body.int32(9).compactSize(1).bytes(Bytes.ofHex("0104c0000201")).uint16BigEndian(18444);
      NetworkAddress good =
          new NetworkAddress(9, 1, NetworkAddress.IPV4, Bytes.ofHex("c0000201"), 18444);
      String reason = vector.toString();
      switch (vector.get("expect").asText()) {
        case "valid" -> {
          List<NetworkAddress> came = read(body);
          assertThat(came).as(reason).hasSize(2).endsWith(good);
          assertThat(came.get(0).network())
              .as(reason)
              .isEqualTo(NETWORKS.get(vector.get("network").asText()));
          assertThat(came.get(0).address())
              .as(reason)
              .isEqualTo(Bytes.of(address, 2, address.length));
          assertThat(came.get(0).port()).isEqualTo(8333);
        }
        case "ignore" -> assertThat(read(body)).as(reason).containsExactly(good);
        case "malformed" ->
            assertThatThrownBy(() -> read(body)).as(reason).isInstanceOf(WireException.class);
        default -> throw new AssertionError(reason);
      }
    }
    assertThat(seen).isEqualTo(20);
  }

  @Test
  void addressesAreWrittenInBothForms() throws IOException {
    for (JsonNode vector : vectors().get("serialize")) {
      byte[] v2 = Hex.parse(vector.get("v2").asText());
      NetworkAddress address = new NetworkAddress(0, 0, v2[0], Bytes.of(v2, 2, v2.length), 0x1234);
      assertThat(payload(new Message.AddrV2(List.of(address))))
          .isEqualTo("01" + "00000000" + "00" + vector.get("v2").asText() + "1234");
      if (vector.has("v1_note")) {
        assertThatThrownBy(() -> payload(new Message.Addr(List.of(address))))
            .isInstanceOf(IllegalArgumentException.class);
      } else {
        assertThat(payload(new Message.Addr(List.of(address))))
            .isEqualTo("01" + "00000000" + "0000000000000000" + vector.get("v1").asText() + "1234");
      }
    }
  }

  @Test
  void wholeMessagesInBothForms() throws IOException {
    JsonNode messages = vectors().get("messages");
    List<NetworkAddress> entries = new ArrayList<>();
    for (JsonNode entry : messages.get("entries")) {
      entries.add(
          new NetworkAddress(
              entry.get("time").asLong(),
              entry.get("services").asLong(),
              NetworkAddress.IPV6,
              Bytes.wrap(InetAddress.getByName(entry.get("address").asText()).getAddress()),
              entry.get("port").asInt()));
    }
    assertThat(entries).hasSize(3);
    String addr = messages.get("addr_payload").asText();
    String addrV2 = messages.get("addrv2_payload").asText();
    assertThat(Codec.read("addr", Hex.parse(addr))).isEqualTo(new Message.Addr(entries));
    assertThat(Codec.read("addrv2", Hex.parse(addrV2))).isEqualTo(new Message.AddrV2(entries));
    assertThat(payload(new Message.Addr(entries))).isEqualTo(addr);
    assertThat(payload(new Message.AddrV2(entries))).isEqualTo(addrV2);
  }

  private static List<NetworkAddress> read(ByteWriter body) {
    return ((Message.AddrV2) Codec.read("addrv2", body.toArray())).addresses();
  }

  private static String payload(Message message) {
    byte[] frame = FrameEncoder.encode(1, message);
    return Hex.format(Arrays.copyOfRange(frame, Frame.HEADER_LENGTH, frame.length));
  }
}
