package org.murmur.p2p.discovery;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.wire.NetworkAddress;

/**
 * The reachable addresses; others are not stored.
 *
 * @param local of IPv4 and IPv6 addresses only those of this machine and of private networks (a
 *     regtest network has no others); otherwise only those that are routed on the internet
 * @param ip whether IPv4 and IPv6 addresses can be reached
 * @param onion whether Tor addresses can be reached, through a proxy
 */
public record Scope(boolean local, boolean ip, boolean onion) {

  /** The internet, without a proxy. */
  public static final Scope INTERNET = new Scope(false, true, false);

  /** This machine and private networks. */
  public static final Scope LOCAL = new Scope(true, true, false);

  private static final Bytes LOOPBACK = Bytes.ofHex("00000000000000000000000000000001");

  /** Never assigned: documentation (RFC 3849), ORCHID (RFC 4843) and its successor (RFC 7343). */
  private static final Bytes DOCUMENTATION = Bytes.ofHex("20010db8");

  private static final int ORCHID = 0x200100;

  /**
   * {@return a scope in which Tor addresses can be reached, or not}
   *
   * @param reachable whether they can
   */
  public Scope withOnion(boolean reachable) {
    return new Scope(local, ip, reachable);
  }

  /**
   * Returns whether an address is in a reachable range.
   *
   * @param endpoint any
   * @return true if a connection may be tried
   */
  public boolean accepts(Endpoint endpoint) {
    if (endpoint.port() < 1 || endpoint.port() > 0xffff) {
      return false;
    }
    return switch (endpoint.network()) {
      case NetworkAddress.IPV4 -> ip && (local ? isLocal4(endpoint) : isRouted4(endpoint));
      case NetworkAddress.IPV6 -> ip && (local ? isLocal6(endpoint) : isRouted6(endpoint));
      // On regtest only their own operator announces them, so they count as local.
      case NetworkAddress.TORV3 -> onion;
      default -> false;
    };
  }

  private static boolean isLocal4(Endpoint endpoint) {
    int first = endpoint.unsigned(0);
    return first == 127 || isPrivate4(first, endpoint.unsigned(1));
  }

  /** RFC 1918, and RFC 3927 (link-local). */
  private static boolean isPrivate4(int first, int second) {
    return first == 10
        || (first == 172 && second >= 16 && second <= 31)
        || (first == 192 && second == 168)
        || (first == 169 && second == 254);
  }

  private static boolean isRouted4(Endpoint endpoint) {
    int first = endpoint.unsigned(0);
    int second = endpoint.unsigned(1);
    int third = endpoint.unsigned(2);
    // Multicast and reserved ranges (RFC 5771, 1112) begin at 224.
    boolean nobodys = first == 0 || first == 127 || first >= 224;
    // Carrier-grade NAT (RFC 6598) and benchmarking (RFC 2544).
    boolean shared = first == 100 && second >= 64 && second <= 127;
    boolean benchmark = first == 198 && (second == 18 || second == 19);
    // RFC 5737.
    boolean documentation =
        (first == 192 && second == 0 && third == 2)
            || (first == 198 && second == 51 && third == 100)
            || (first == 203 && second == 0 && third == 113);
    return !nobodys && !shared && !benchmark && !documentation && !isPrivate4(first, second);
  }

  private static boolean isLocal6(Endpoint endpoint) {
    return endpoint.address().equals(LOOPBACK) || isPrivate6(endpoint);
  }

  /** RFC 4193 (fc00::/7) and RFC 4862 (fe80::/10). */
  private static boolean isPrivate6(Endpoint endpoint) {
    int first = endpoint.unsigned(0);
    return (first & 0xfe) == 0xfc || (first == 0xfe && (endpoint.unsigned(1) & 0xc0) == 0x80);
  }

  private static boolean isRouted6(Endpoint endpoint) {
    int prefix = endpoint.unsigned(0) << 16 | endpoint.unsigned(1) << 8 | endpoint.unsigned(2);
    int fourth = endpoint.unsigned(3) >> 4;
    boolean orchid = prefix == ORCHID && (fourth == 1 || fourth == 2);
    boolean documentation = Endpoint.startsWith(endpoint.address(), DOCUMENTATION);
    // ::/16 contains the unspecified address, loopback and embedded IPv4; ff00::/8 is multicast.
    boolean nobodys =
        (endpoint.unsigned(0) == 0 && endpoint.unsigned(1) == 0) || endpoint.unsigned(0) == 0xff;
    return !nobodys && !orchid && !documentation && !isPrivate6(endpoint);
  }
}
