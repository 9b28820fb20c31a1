package org.murmur.p2p.internal.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.OnionAddress;

/**
 * The client side of a SOCKS5 handshake (RFC 1928): bytes in, bytes out, no socket and no clock.
 *
 * <p>The host is always sent as text, also an IP address, as Bitcoin Core does. Tor takes a binary
 * address as a sign of a leaked DNS query; it warns, or refuses under SafeSocks. Each connection
 * offers its own random user name and password (RFC 1929), so that Tor uses a separate circuit and
 * two peers do not see the same exit. A proxy without login works as well.
 */
final class Socks5 {

  private static final int VERSION = 5;
  private static final int LOGIN_VERSION = 1;
  private static final int NO_LOGIN = 0;
  private static final int USER_AND_PASSWORD = 2;
  private static final int NO_WAY = 0xff;
  private static final int CONNECT = 1;
  private static final int IPV4 = 1;
  private static final int NAME = 3;
  private static final int IPV6 = 4;

  /** A name's length is one byte. */
  private static final int MAX_HOST = 255;

  /** Random bytes in a user name and in a password: never the same twice. */
  private static final int CHANCE = 16;

  /** Length of an answer up to its address type, and up to a name's length field. */
  private static final int REPLY_HEAD = 5;

  /** The longest answer, which contains a name. */
  private static final int MAX_ANSWER = REPLY_HEAD + MAX_HOST + 2;

  private static final byte[] NOTHING = new byte[0];

  private enum State {
    METHOD,
    LOGIN,
    REPLY,
    DONE,
    FAILED
  }

  private final NodeAddress destination;
  private final String user;
  private final String password;
  private final byte[] answer = new byte[MAX_ANSWER];
  private int length;
  private State state = State.METHOD;
  private String failure = "";
  private boolean proxysFault;

  /**
   * Begins the handshake for a peer without {@linkplain #objection objection}. User name and
   * password are drawn.
   */
  Socks5(NodeAddress destination, Random dice) {
    this.destination = destination;
    this.user = chance(dice);
    this.password = chance(dice);
  }

  private static String chance(Random dice) {
    byte[] bytes = new byte[CHANCE];
    dice.nextBytes(bytes);
    return Hex.format(bytes);
  }

  /** Why a destination cannot be requested from a proxy, or null. */
  static @Nullable String objection(NodeAddress destination) {
    if (host(destination).length > MAX_HOST) {
      return "the host name is longer than " + MAX_HOST + " bytes";
    }
    if (OnionAddress.isOnion(destination.host())) {
      try {
        OnionAddress.parse(destination.host());
      } catch (IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
      }
    }
    return null;
  }

  private static byte[] host(NodeAddress destination) {
    return destination.host().getBytes(StandardCharsets.UTF_8);
  }

  /** The first bytes to send. */
  static byte[] greeting() {
    return new byte[] {VERSION, 2, NO_LOGIN, USER_AND_PASSWORD};
  }

  /** Whether the handshake succeeded; the following bytes belong to the destination. */
  boolean isDone() {
    return state == State.DONE;
  }

  /** Whether the handshake failed. */
  boolean isFailed() {
    return state == State.FAILED;
  }

  /** The error, without the names of proxy and destination. */
  String failure() {
    return failure;
  }

  /** Whether the failure is the proxy's and not the destination's. */
  boolean isProxysFault() {
    return proxysFault;
  }

  /**
   * Processes bytes from the proxy up to the end of its last answer, and returns bytes to send now,
   * often none; later bytes belong to the destination.
   */
  byte[] take(ByteBuffer in) {
    while (in.hasRemaining() && state != State.DONE && state != State.FAILED) {
      answer[length++] = in.get();
      byte[] next = look();
      if (next.length > 0) {
        return next;
      }
    }
    return NOTHING;
  }

  /** The connection to the proxy ended during the handshake. */
  void closed(String why) {
    if (state == State.REPLY) {
      // Some proxies disconnect instead of reporting an unreachable destination.
      fail(false, "the proxy closed the connection instead of connecting (" + why + ")");
    } else {
      fail(true, "hung up (" + why + "); is it a SOCKS5 proxy?");
    }
  }

  private byte[] look() {
    return switch (state) {
      case METHOD -> method();
      case LOGIN -> login();
      case REPLY -> reply();
      case DONE, FAILED -> NOTHING;
    };
  }

  private int at(int index) {
    return answer[index] & 0xff;
  }

  private byte[] method() {
    if (at(0) != VERSION) {
      return garbled();
    }
    if (length < 2) {
      return NOTHING;
    }
    return switch (at(1)) {
      case NO_LOGIN -> connect();
      case USER_AND_PASSWORD -> {
        enter(State.LOGIN);
        byte[] name = user.getBytes(StandardCharsets.US_ASCII);
        byte[] word = password.getBytes(StandardCharsets.US_ASCII);
        yield new ByteWriter()
            .uint8(LOGIN_VERSION)
            .uint8(name.length)
            .bytes(name, 0, name.length)
            .uint8(word.length)
            .bytes(word, 0, word.length)
            .toArray();
      }
      case NO_WAY -> fail(true, "requires a login method that Murmur does not support");
      default -> fail(true, "requires login method " + at(1) + ", which was not offered");
    };
  }

  private byte[] login() {
    if (at(0) != LOGIN_VERSION) {
      return garbled();
    }
    if (length < 2) {
      return NOTHING;
    }
    return at(1) == 0
        ? connect()
        : fail(
            true,
            "refuses the user name, which is random for each connection: it must accept "
                + "any, as Tor does, or require none");
  }

  private byte[] connect() {
    enter(State.REPLY);
    byte[] host = host(destination);
    return new ByteWriter()
        .uint8(VERSION)
        .uint8(CONNECT)
        .uint8(0)
        .uint8(NAME)
        .uint8(host.length)
        .bytes(host, 0, host.length)
        .uint16BigEndian(destination.port())
        .toArray();
  }

  // version 1 | reply 1 | reserved 1 | kind of address 1 | address | port 2
  private byte[] reply() {
    if (at(0) != VERSION) {
      return garbled();
    }
    if (length >= 2 && at(1) != 0) {
      // Some proxies omit the rest of a refusal.
      return refused(at(1));
    }
    if (length < REPLY_HEAD) {
      return NOTHING;
    }
    int more =
        switch (at(3)) {
          case IPV4 -> 3;
          case IPV6 -> 15;
          case NAME -> at(4);
          default -> -1;
        };
    if (more < 0) {
      return garbled();
    }
    if (length == REPLY_HEAD + more + 2) {
      enter(State.DONE);
    }
    return NOTHING;
  }

  /** The codes of RFC 1928, and those above 0xf0 of Tor (its proposal 304). */
  private byte[] refused(int code) {
    return switch (code) {
      case 0x01 -> peer("the proxy could not connect (general failure)");
      case 0x02 -> peer("the proxy does not allow this connection");
      case 0x03 -> peer("network unreachable, says the proxy");
      case 0x04 -> peer("host unreachable, says the proxy");
      case 0x05 -> peer("connection refused, says the proxy");
      case 0x06 -> peer("the proxy got no connection in time (TTL expired)");
      case 0x07 -> fail(true, "does not open connections (command not supported)");
      case 0x08 -> fail(true, "does not accept host names (address type not supported)");
      case 0xf0 -> peer("no such onion service, or it is down (descriptor not found)");
      case 0xf1 -> peer("the onion service's descriptor is invalid, says Tor");
      case 0xf2 -> peer("the onion service could not be introduced to, says Tor");
      case 0xf3 -> peer("no rendezvous with the onion service, says Tor");
      case 0xf4 -> peer("the onion service wants authorized clients only, says Tor");
      case 0xf5 -> peer("the onion service refuses this client's authorization, says Tor");
      case 0xf6 -> peer("no valid onion address, says Tor");
      case 0xf7 -> peer("the onion service did not answer in time, says Tor");
      default ->
          peer(String.format(Locale.ROOT, "the proxy could not connect (its code 0x%02x)", code));
    };
  }

  private byte[] peer(String why) {
    return fail(false, why);
  }

  private byte[] garbled() {
    boolean http = at(0) == 'H';
    return fail(
        true,
        http
            ? "answers in HTTP; it is no SOCKS5 proxy"
            : "answers with garbage; is it a SOCKS5 proxy?");
  }

  private byte[] fail(boolean itself, String why) {
    state = State.FAILED;
    proxysFault = itself;
    failure = why;
    return NOTHING;
  }

  private void enter(State next) {
    state = next;
    length = 0;
  }
}
