package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.discovery.NodeAddress;

/** The messages to a SOCKS5 proxy, byte by byte as in RFC 1928 and RFC 1929. */
final class Socks5Test {

  private static final String ONION =
      "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion";

  private static final NodeAddress EXAMPLE = new NodeAddress("example.com", 8333);

  /** 05 01 00 03, the length 11, "example.com", port 8333. */
  private static final String CONNECT = "050100030b6578616d706c652e636f6d208d";

  private static Socks5 talk() {
    return new Socks5(EXAMPLE, new Random(1));
  }

  private static String take(Socks5 socks, String hex) {
    return Hex.format(socks.take(ByteBuffer.wrap(Hex.parse(hex))));
  }

  @Test
  void offersNoLoginAndOneByUserName() {
    assertThat(Hex.format(Socks5.greeting())).isEqualTo("05020002");
  }

  @Test
  void withoutLogin() {
    Socks5 socks = talk();
    assertThat(take(socks, "0500")).isEqualTo(CONNECT);
    assertThat(take(socks, "05000001" + "7f000001" + "1f90")).isEmpty();
    assertThat(socks.isDone()).isTrue();
    assertThat(socks.isFailed()).isFalse();
  }

  @Test
  void withLogin() {
    Socks5 socks = talk();
    byte[] login = Hex.parse(take(socks, "0502"));
    assertThat(login).hasSize(3 + 32 + 32).startsWith(1, 32);
    assertThat(login[1 + 1 + 32]).isEqualTo((byte) 32);
    String user = new String(login, 2, 32, StandardCharsets.US_ASCII);
    String password = new String(login, 35, 32, StandardCharsets.US_ASCII);
    assertThat(user).matches("[0-9a-f]{32}").isNotEqualTo(password);
    assertThat(password).matches("[0-9a-f]{32}");
    assertThat(take(socks, "0100")).isEqualTo(CONNECT);
  }

  /** Tor uses separate circuits only for different user names or passwords. */
  @Test
  void noTwoConnectionsLogInAsTheSame() {
    Random dice = new Random(7);
    Set<String> logins = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertThat(logins.add(take(new Socks5(EXAMPLE, dice), "0502"))).isTrue();
    }
  }

  @Test
  void everyDestinationIsHandedOverAsText() {
    for (String host : new String[] {ONION, "127.0.0.1", "::1", "a"}) {
      Socks5 socks = new Socks5(new NodeAddress(host, 1), new Random(1));
      byte[] name = host.getBytes(StandardCharsets.US_ASCII);
      assertThat(take(socks, "0500"))
          .isEqualTo(
              "05010003" + Hex.format(new byte[] {(byte) name.length}) + Hex.format(name) + "0001");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "05000001000000000000, IPv4",
    "0500000400000000000000000000000000000000ffff, IPv6",
    "050000030161ffff, a name",
    "0500000300ffff, an empty name"
  })
  void answersOfEveryKindEndWhereTheyEnd(String reply, String kind) {
    for (int cut = 0; cut <= reply.length() / 2; cut++) {
      Socks5 socks = talk();
      take(socks, "0500");
      ByteBuffer first = ByteBuffer.wrap(Hex.parse(reply.substring(0, 2 * cut)));
      ByteBuffer second = ByteBuffer.wrap(Hex.parse(reply.substring(2 * cut) + "f9beb4d9"));
      socks.take(first);
      assertThat(socks.isDone()).as("%s cut at %d", kind, cut).isEqualTo(cut == reply.length() / 2);
      socks.take(second);
      assertThat(socks.isDone()).isTrue();
      assertThat(second.remaining()).as("the peer's bytes are left alone").isEqualTo(4);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, general failure",
    "2, does not allow",
    "3, network unreachable",
    "4, host unreachable",
    "5, connection refused",
    "6, TTL expired",
    "9, 0x09",
    "144, 0x90",
    "240, descriptor not found",
    "241, descriptor is invalid",
    "242, introduced",
    "243, rendezvous",
    "244, authorized clients only",
    "245, authorization",
    "246, no valid onion address",
    "247, in time",
    "255, 0xff"
  })
  void refusalsConcernThePeer(int code, String expected) {
    // Two bytes are enough: not all proxies send the rest.
    Socks5 socks = talk();
    take(socks, "0500");
    assertThat(take(socks, "05" + String.format("%02x", code))).isEmpty();
    assertThat(socks.isFailed()).isTrue();
    assertThat(socks.isProxysFault()).isFalse();
    assertThat(socks.failure()).contains(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "05ff | login method",
        "0501 | login method 1",
        "0580 | login method 128",
        "48 | HTTP",
        "00 | garbage",
        "04 | garbage",
        "0502,0101 | refuses the user name",
        "0502,0500 | garbage",
        "0500,0400 | garbage",
        "0500,0507 | command not supported",
        "0500,0508 | address type not supported",
        "0500,0500000200 | garbage",
      })
  void aProxyOfNoUseIsNotThePeersFault(String answers, String expected) {
    Socks5 socks = talk();
    for (String answer : answers.split(",", -1)) {
      take(socks, answer.strip());
    }
    assertThat(socks.isFailed()).isTrue();
    assertThat(socks.isProxysFault()).isTrue();
    assertThat(socks.failure()).contains(expected);
  }

  @Test
  void hangingUpIsThePeersFaultOnceItWasAskedFor() {
    Socks5 early = talk();
    early.closed("closed by the other side");
    assertThat(early.isProxysFault()).isTrue();
    Socks5 late = talk();
    take(late, "0500");
    late.closed("closed by the other side");
    assertThat(late.isFailed()).isTrue();
    assertThat(late.isProxysFault()).isFalse();
  }

  @Test
  void destinationsThatNoProxyCanBeAskedFor() {
    assertThat(Socks5.objection(EXAMPLE)).isNull();
    assertThat(Socks5.objection(new NodeAddress(ONION, 1))).isNull();
    assertThat(Socks5.objection(new NodeAddress("q" + ONION.substring(1), 1))).contains("mistyped");
    assertThat(Socks5.objection(new NodeAddress("a".repeat(255), 1))).isNull();
    assertThat(Socks5.objection(new NodeAddress("a".repeat(256), 1))).contains("longer than 255");
  }

  /** Whatever comes, it ends or waits; it never throws and never reads beyond the last answer. */
  @Property
  void anyBytesAreTaken(@ForAll byte[] bytes, @ForAll @IntRange(min = 1, max = 300) int cut) {
    Socks5 socks = talk();
    ByteBuffer all = ByteBuffer.wrap(bytes);
    while (all.hasRemaining() && !socks.isDone() && !socks.isFailed()) {
      int before = all.position();
      ByteBuffer part = all.duplicate();
      part.limit(Math.min(bytes.length, before + cut));
      socks.take(part);
      assertThat(part.position()).isGreaterThan(before);
      all.position(part.position());
    }
    assertThat(socks.isDone() && socks.isFailed()).isFalse();
  }
}
