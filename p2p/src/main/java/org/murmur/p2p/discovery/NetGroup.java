package org.murmur.p2p.discovery;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.wire.NetworkAddress;

/**
 * A network group: addresses that are likely to have the same operator. An owner of one address
 * gets others of its group cheaply, and those of other groups not. The rules are those of Bitcoin
 * Core without an ASN map: 16 bits of IPv4, 32 of IPv6 (36 at a provider of free tunnels), 4 of
 * networks whose addresses are free. An IPv6 address that represents an IPv4 address is in the
 * latter's group.
 *
 * <p>Loopback addresses are grouped in the same way, by 16 bits.
 *
 * @param name the name to display, for instance {@code 192.0.0.0/16}
 */
public record NetGroup(String name) {

  /** NAT64 (RFC 6052), and stateless translation (RFC 6145): IPv4 in the last four bytes. */
  private static final Bytes NAT64 = Bytes.ofHex("0064ff9b0000000000000000");

  private static final Bytes TRANSLATED = Bytes.ofHex("0000000000000000ffff0000");

  /** 6to4 (RFC 3964): IPv4 in bytes 2 to 5. */
  private static final Bytes SIX_TO_FOUR = Bytes.ofHex("2002");

  /** Teredo (RFC 4380): IPv4 in the last four bytes, inverted. */
  private static final Bytes TEREDO = Bytes.ofHex("20010000");

  /** he.net has free tunnels: 32 bits would put thousands of unrelated users into one group. */
  private static final Bytes FREE_TUNNELS = Bytes.ofHex("20010470");

  /**
   * Returns the group of an address.
   *
   * @param endpoint any
   * @return its group
   */
  public static NetGroup of(Endpoint endpoint) {
    Bytes address = endpoint.address();
    return switch (endpoint.network()) {
      case NetworkAddress.IPV4 -> ipv4(endpoint.unsigned(0), endpoint.unsigned(1));
      case NetworkAddress.IPV6 -> ipv6(endpoint, address);
      case NetworkAddress.TORV3 -> fourBits("onion", endpoint);
      case NetworkAddress.I2P -> fourBits("i2p", endpoint);
      default -> fourBits("network " + endpoint.network(), endpoint);
    };
  }

  /**
   * Returns the group of a source that has a name and no address, such as a DNS seed.
   *
   * @param name the source's name
   * @return a group that contains no address
   */
  public static NetGroup ofName(String name) {
    return new NetGroup("name " + name);
  }

  private static NetGroup ipv4(int first, int second) {
    return new NetGroup(first + "." + second + ".0.0/16");
  }

  private static NetGroup ipv6(Endpoint endpoint, Bytes address) {
    if (Endpoint.startsWith(address, NAT64) || Endpoint.startsWith(address, TRANSLATED)) {
      return ipv4(endpoint.unsigned(12), endpoint.unsigned(13));
    }
    if (Endpoint.startsWith(address, SIX_TO_FOUR)) {
      return ipv4(endpoint.unsigned(2), endpoint.unsigned(3));
    }
    if (Endpoint.startsWith(address, TEREDO)) {
      return ipv4(0xff ^ endpoint.unsigned(12), 0xff ^ endpoint.unsigned(13));
    }
    boolean tunnel = Endpoint.startsWith(address, FREE_TUNNELS);
    byte[] prefix = new byte[16];
    for (int i = 0; i < 4; i++) {
      prefix[i] = address.at(i);
    }
    if (tunnel) {
      prefix[4] = (byte) (address.at(4) & 0xf0);
    }
    String text = new Endpoint(NetworkAddress.IPV6, Bytes.wrap(prefix), 1).host();
    return new NetGroup(text + (tunnel ? "/36" : "/32"));
  }

  private static NetGroup fourBits(String what, Endpoint endpoint) {
    return new NetGroup(what + " " + Integer.toHexString(endpoint.unsigned(0) >> 4) + "…");
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
