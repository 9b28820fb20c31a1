package org.murmur.p2p.internal.wire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

/**
 * Encodes and decodes node addresses in both forms.
 *
 * <p>Unusable addresses are skipped: unknown networks, Tor version 2, and other networks' addresses
 * embedded in IPv6.
 */
final class AddressCodec {

  /** Core's MAX_ADDR_TO_SEND. */
  static final int MAX_PER_MESSAGE = 1_000;

  /** Bytes of an entry of {@code addr}. */
  static final int V1_LENGTH = 4 + 8 + 16 + 2;

  /** The longest address of any network, known or not (BIP-0155). */
  static final int MAX_ADDRESS = 512;

  /** The most bytes of an entry of {@code addrv2}. */
  static final int V2_MAX_LENGTH = 4 + 9 + 1 + 3 + MAX_ADDRESS + 2;

  private static final int V2_MIN_LENGTH = 4 + 1 + 1 + 1 + 2;
  private static final int IPV6_LENGTH = 16;
  private static final int TORV2 = 3;
  private static final int TORV2_LENGTH = 10;
  private static final byte CJDNS_PREFIX = (byte) 0xfc;

  /** IPv4 inside IPv6, ::ffff:0:0/96 (RFC 4291). */
  private static final Bytes IPV4_MAPPED = Bytes.ofHex("00000000000000000000ffff");

  /** Tor version 2 inside IPv6, fd87:d87e:eb43::/48 (OnionCat). */
  private static final Bytes TORV2_MAPPED = Bytes.ofHex("fd87d87eeb43");

  /** Core's internal addresses embedded in IPv6; no node listens there. */
  private static final Bytes INTERNAL = Bytes.ofHex("fd6b88c08724");

  private AddressCodec() {}

  // addr:
  //   count cs | (time 4 | services 8 | address 16 | port 2 big-endian) each
  //
  // An IPv4 address stands inside an IPv6 address.
  static List<NetworkAddress> readV1(PayloadReader in) {
    int count = in.count("addresses", V1_LENGTH, MAX_PER_MESSAGE);
    List<NetworkAddress> addresses = new ArrayList<>(count);
    ByteReader cursor = in.at("addresses");
    for (int i = 0; i < count; i++) {
      long time = cursor.uint32();
      long services = cursor.int64();
      Bytes address = cursor.bytes(IPV6_LENGTH);
      int port = cursor.uint16BigEndian();
      if (startsWith(address, IPV4_MAPPED)) {
        Bytes ipv4 = address.slice(IPV4_MAPPED.length(), IPV6_LENGTH);
        addresses.add(new NetworkAddress(time, services, NetworkAddress.IPV4, ipv4, port));
      } else if (!startsWith(address, TORV2_MAPPED) && !startsWith(address, INTERNAL)) {
        addresses.add(new NetworkAddress(time, services, NetworkAddress.IPV6, address, port));
      }
    }
    return addresses;
  }

  static void writeV1(List<NetworkAddress> addresses, ByteWriter out) {
    checkCount(addresses);
    out.compactSize(addresses.size());
    for (NetworkAddress address : addresses) {
      out.int32((int) address.time()).int64(address.services());
      if (address.network() == NetworkAddress.IPV4) {
        out.bytes(IPV4_MAPPED);
      } else if (address.network() != NetworkAddress.IPV6) {
        throw new IllegalArgumentException(
            "network " + address.network() + " in addr, expected IPv4 or IPv6");
      }
      out.bytes(address.address()).uint16BigEndian(address.port());
    }
  }

  // addrv2 (BIP-0155):
  //   count cs | (time 4 | services cs | network 1 | address cs+n | port 2 big-endian) each
  static List<NetworkAddress> readV2(PayloadReader in) {
    int count = in.count("addresses", V2_MIN_LENGTH, MAX_PER_MESSAGE);
    List<NetworkAddress> addresses = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long time = in.at("time").uint32();
      long services = in.at("services").compactSize();
      int network = in.at("network").uint8();
      Bytes address = readAddress(in, network);
      int port = in.at("port").uint16BigEndian();
      if (address != null) {
        addresses.add(new NetworkAddress(time, services, network, address, port));
      }
    }
    return addresses;
  }

  /** Returns null for a well-formed but unusable address. */
  static @Nullable Bytes readAddress(PayloadReader in, int network) {
    int length = in.length("address", MAX_ADDRESS);
    ByteReader cursor = in.at("address");
    int expected = network == TORV2 ? TORV2_LENGTH : NetworkAddress.lengthOf(network);
    if (expected >= 0 && length != expected) {
      throw new MalformedException(
          length + " bytes for network " + network + ", expected " + expected, cursor.position());
    }
    Bytes address = cursor.bytes(length);
    return isUsable(network, address) ? address : null;
  }

  private static boolean isUsable(int network, Bytes address) {
    return switch (network) {
      case NetworkAddress.IPV4, NetworkAddress.TORV3, NetworkAddress.I2P -> true;
      case NetworkAddress.IPV6 ->
          !startsWith(address, IPV4_MAPPED)
              && !startsWith(address, TORV2_MAPPED)
              && !startsWith(address, INTERNAL);
      case NetworkAddress.CJDNS -> address.at(0) == CJDNS_PREFIX;
      default -> false;
    };
  }

  static void writeV2(List<NetworkAddress> addresses, ByteWriter out) {
    checkCount(addresses);
    out.compactSize(addresses.size());
    for (NetworkAddress address : addresses) {
      out.int32((int) address.time()).compactSize(address.services());
      out.uint8(address.network()).varBytes(address.address());
      out.uint16BigEndian(address.port());
    }
  }

  private static void checkCount(List<NetworkAddress> addresses) {
    if (addresses.size() > MAX_PER_MESSAGE) {
      throw new IllegalArgumentException(
          "address count " + addresses.size() + ", expected at most " + MAX_PER_MESSAGE);
    }
  }

  private static boolean startsWith(Bytes address, Bytes prefix) {
    for (int i = 0; i < prefix.length(); i++) {
      if (address.at(i) != prefix.at(i)) {
        return false;
      }
    }
    return true;
  }
}
