package org.murmur.p2p.internal.wire;

import org.murmur.bip37.bytes.Bytes;

/**
 * The address of a node in an {@code addr} or {@code addrv2} message, as announced. Its port may be
 * 0, and its time may be wrong.
 *
 * @param time when it was last seen, seconds since 1970, unsigned 32 bits
 * @param services service bits as reported
 * @param network the BIP-0155 network id: 1 IPv4, 2 IPv6, 4 Tor v3, 5 I2P, 6 CJDNS
 * @param address 4, 16 or 32 bytes in network order
 * @param port 0 to 65,535
 */
public record NetworkAddress(long time, long services, int network, Bytes address, int port) {

  /** Network id of IPv4 (BIP-0155). */
  public static final int IPV4 = 1;

  /** Network id of IPv6 (BIP-0155). */
  public static final int IPV6 = 2;

  /** Network id of Tor version 3 (BIP-0155). */
  public static final int TORV3 = 4;

  /** Network id of I2P (BIP-0155). */
  public static final int I2P = 5;

  /** Network id of CJDNS (BIP-0155). */
  public static final int CJDNS = 6;

  /** Checks the length of the address for its network, and the port range. */
  public NetworkAddress {
    int expected = lengthOf(network);
    if (expected < 0 || address.length() != expected) {
      throw new IllegalArgumentException(
          "address of "
              + address.length()
              + " bytes for network "
              + network
              + ", expected "
              + (expected < 0 ? "a known network" : expected));
    }
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("port " + port + ", expected 0 to 65535");
    }
  }

  /** Returns the address length of a network, or -1 for an unknown network. */
  static int lengthOf(int network) {
    return switch (network) {
      case IPV4 -> 4;
      case IPV6, CJDNS -> 16;
      case TORV3, I2P -> 32;
      default -> -1;
    };
  }
}
