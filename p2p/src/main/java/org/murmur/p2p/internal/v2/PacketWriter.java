package org.murmur.p2p.internal.v2;

/**
 * Encrypts packets of one direction (BIP-0324, "Packet encryption").
 *
 * <pre>
 * encrypted length of the contents 3 | encrypted: header 1, contents | tag 16
 * </pre>
 *
 * <p>Not thread safe.
 */
final class PacketWriter {

  /** Bytes of a packet without contents. */
  static final int OVERHEAD = LengthCipher.LENGTH + PacketCipher.HEADER + PacketCipher.TAG;

  private static final byte[] NOTHING = new byte[0];

  private final LengthCipher lengths;
  private final PacketCipher packets;

  PacketWriter(SessionKeys keys) {
    lengths = keys.lengths(true);
    packets = keys.packets(true);
  }

  /** Returns the packet of some contents. */
  byte[] packet(byte[] contents) {
    return packet(contents, NOTHING, false);
  }

  /** Returns a packet that the other side drops. */
  byte[] decoy(byte[] contents) {
    return packet(contents, NOTHING, true);
  }

  /**
   * Returns a packet.
   *
   * @param additional what its tag authenticates besides: in the first packet the garbage
   * @param ignored whether it is a decoy, which the other side drops
   */
  byte[] packet(byte[] contents, byte[] additional, boolean ignored) {
    byte[] packet = new byte[OVERHEAD + contents.length];
    packet[0] = (byte) contents.length;
    packet[1] = (byte) (contents.length >>> 8);
    packet[2] = (byte) (contents.length >>> 16);
    lengths.crypt(packet, 0);
    byte header = ignored ? PacketCipher.IGNORE : 0;
    packets.encrypt(header, contents, additional, packet, LengthCipher.LENGTH);
    return packet;
  }
}
