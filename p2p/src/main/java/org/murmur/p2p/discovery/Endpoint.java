package org.murmur.p2p.discovery;

import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.OnionAddress;

/**
 * A network address and port, never a name: the key of the address table. A {@link NetworkAddress}
 * is a peer's announcement of an endpoint, and a {@link KnownAddress} is an endpoint with its
 * history.
 *
 * @param network the BIP-0155 network id
 * @param address 4, 16 or 32 bytes in network order
 * @param port 1 to 65,535
 */
public record Endpoint(int network, Bytes address, int port) {

  private static final int IPV4_PARTS = 4;
  private static final int IPV6_PARTS = 8;

  /** IPv4 inside IPv6, ::ffff:0:0/96 (RFC 4291). */
  private static final Bytes IPV4_MAPPED = Bytes.ofHex("00000000000000000000ffff");

  /**
   * Checks the length of the address for its network, and the port range.
   *
   * @throws IllegalArgumentException if not, or if the network is unknown
   */
  public Endpoint {
    if (port == 0) {
      throw new IllegalArgumentException("port 0, expected 1 to 65535");
    }
    new NetworkAddress(0, 0, network, address, port);
  }

  /**
   * Parses an IP or Tor address. No name is resolved.
   *
   * @param host an IPv4 address, an IPv6 address without brackets, or a name in {@code .onion}
   * @param port 1 to 65,535
   * @return the endpoint, or empty for any other name
   */
  public static Optional<Endpoint> parse(String host, int port) {
    if (OnionAddress.isOnion(host)) {
      return onion(host).map(key -> new Endpoint(NetworkAddress.TORV3, key, port));
    }
    if (host.indexOf(':') >= 0) {
      return ipv6(host).map(address -> ofIpv6(address, port));
    }
    return ipv4(host).map(address -> new Endpoint(NetworkAddress.IPV4, address, port));
  }

  /** An IPv4 address has one form only. */
  private static Endpoint ofIpv6(Bytes address, int port) {
    return startsWith(address, IPV4_MAPPED)
        ? new Endpoint(NetworkAddress.IPV4, address.slice(IPV4_MAPPED.length(), 16), port)
        : new Endpoint(NetworkAddress.IPV6, address, port);
  }

  static boolean startsWith(Bytes address, Bytes prefix) {
    return address.length() >= prefix.length() && address.slice(0, prefix.length()).equals(prefix);
  }

  private static Optional<Bytes> onion(String host) {
    try {
      return Optional.of(OnionAddress.parse(host));
    } catch (IllegalArgumentException e) {
      // Version 2 or misspelled: it cannot exist.
      return Optional.empty();
    }
  }

  private static Optional<Bytes> ipv4(String text) {
    String[] parts = text.split("\\.", -1);
    byte[] bytes = new byte[IPV4_PARTS];
    if (parts.length != IPV4_PARTS) {
      return Optional.empty();
    }
    for (int i = 0; i < IPV4_PARTS; i++) {
      if (!parts[i].matches("0|[1-9]\\d{0,2}") || Integer.parseInt(parts[i]) > 0xff) {
        return Optional.empty();
      }
      bytes[i] = (byte) Integer.parseInt(parts[i]);
    }
    return Optional.of(Bytes.wrap(bytes));
  }

  private static Optional<Bytes> ipv6(String text) {
    String plain = text;
    int dot = plain.indexOf('.');
    if (dot >= 0) {
      // The last 32 bits may stand as an IPv4 address (RFC 4291, 2.2).
      int colon = plain.lastIndexOf(':');
      Optional<Bytes> tail = ipv4(plain.substring(colon + 1));
      if (!tail.isPresent()) {
        return Optional.empty();
      }
      String hex = tail.get().toHex();
      plain = plain.substring(0, colon + 1) + hex.substring(0, 4) + ":" + hex.substring(4);
    }
    int gap = plain.indexOf("::");
    if (gap != plain.lastIndexOf("::")) {
      return Optional.empty();
    }
    String[] head = parts(gap < 0 ? plain : plain.substring(0, gap));
    String[] tail = parts(gap < 0 ? "" : plain.substring(gap + 2));
    int given = head.length + tail.length;
    if (gap < 0 ? given != IPV6_PARTS : given >= IPV6_PARTS) {
      return Optional.empty();
    }
    byte[] bytes = new byte[2 * IPV6_PARTS];
    boolean fine = put(head, bytes, 0) && put(tail, bytes, IPV6_PARTS - tail.length);
    return fine ? Optional.of(Bytes.wrap(bytes)) : Optional.empty();
  }

  private static String[] parts(String text) {
    return text.isEmpty() ? new String[0] : text.split(":", -1);
  }

  private static boolean put(String[] parts, byte[] bytes, int at) {
    for (int i = 0; i < parts.length; i++) {
      if (!parts[i].matches("[0-9a-fA-F]{1,4}")) {
        return false;
      }
      int value = Integer.parseInt(parts[i], 16);
      bytes[2 * (at + i)] = (byte) (value >> 8);
      bytes[2 * (at + i) + 1] = (byte) value;
    }
    return true;
  }

  /**
   * Returns the address in canonical form: dotted for IPv4, RFC 5952 for IPv6, {@code .onion} for
   * Tor.
   *
   * @return without port and brackets; of other networks the bytes in hexadecimal
   */
  public String host() {
    if (network == NetworkAddress.TORV3) {
      return OnionAddress.text(address);
    }
    if (network == NetworkAddress.IPV4) {
      return unsigned(0) + "." + unsigned(1) + "." + unsigned(2) + "." + unsigned(3);
    }
    return network == NetworkAddress.IPV6 || network == NetworkAddress.CJDNS
        ? ipv6()
        : address.toHex();
  }

  private String ipv6() {
    int gap = -1;
    int longest = 1;
    int run = 0;
    for (int i = 0; i < IPV6_PARTS; i++) {
      run = part(i) == 0 ? run + 1 : 0;
      if (run > longest) {
        longest = run;
        gap = i - run + 1;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < IPV6_PARTS; i++) {
      if (i == gap) {
        text.append("::");
        i += longest - 1;
      } else {
        boolean first = text.length() == 0 || text.charAt(text.length() - 1) == ':';
        text.append(first ? "" : ":").append(Integer.toHexString(part(i)));
      }
    }
    return text.toString();
  }

  private int part(int index) {
    return unsigned(2 * index) << 8 | unsigned(2 * index + 1);
  }

  /** A byte of the address. */
  int unsigned(int index) {
    return address.at(index) & 0xff;
  }

  /** Whether it is 0.0.0.0 or ::, the address of no machine (RFC 1122, RFC 4291). */
  boolean isUnspecified() {
    for (int i = 0; i < address.length(); i++) {
      if (address.at(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The form {@code host:port}, with brackets around IPv6. */
  @Override
  public String toString() {
    String host = host();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
