package org.murmur.p2p.internal.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;

/**
 * A message as the contents of an encrypted packet (BIP-0324, "Application layer specification").
 *
 * <pre>
 * short id 1 | payload        or        0 | command 12, ASCII, zero-padded | payload
 * </pre>
 *
 * <p>No checksum: the packet's tag authenticates the contents. Pure and safe for any thread.
 */
public final class Contents {

  /** The most bytes of contents, as Core has it: the longest payload with a long command. */
  public static final int MAX_LENGTH = 1 + Frame.COMMAND_LENGTH + Frame.MAX_PAYLOAD;

  /**
   * The commands with a short id, which is the index here. Ids 1 to 21 and 28 are of BIP-0324, 22
   * to 27 of BIP-0157; 0 means that the command follows in full.
   */
  static final List<String> SHORT =
      List.of(
          "",
          "addr",
          "block",
          "blocktxn",
          "cmpctblock",
          "feefilter",
          "filteradd",
          "filterclear",
          "filterload",
          "getblocks",
          "getblocktxn",
          "getdata",
          "getheaders",
          "headers",
          "inv",
          "mempool",
          "merkleblock",
          "notfound",
          "ping",
          "pong",
          "sendcmpct",
          "tx",
          "getcfilters",
          "cfilter",
          "getcfheaders",
          "cfheaders",
          "getcfcheckpt",
          "cfcheckpt",
          "addrv2");

  private static final Map<String, Integer> IDS = new HashMap<>();

  static {
    for (int id = 1; id < SHORT.size(); id++) {
      IDS.put(SHORT.get(id), id);
    }
  }

  private Contents() {}

  /**
   * Encodes a message.
   *
   * @throws IllegalArgumentException if the message holds more than the protocol allows, or what
   *     its form cannot carry
   */
  public static byte[] encode(Message message) {
    String command = Codec.command(message);
    Integer id = IDS.get(command);
    ByteWriter out = new ByteWriter(1 + Frame.COMMAND_LENGTH + Codec.lengthHint(message));
    if (id == null) {
      byte[] name = command.getBytes(StandardCharsets.US_ASCII);
      out.uint8(0).bytes(Arrays.copyOf(name, Frame.COMMAND_LENGTH), 0, Frame.COMMAND_LENGTH);
    } else {
      out.uint8(id);
    }
    int before = out.length();
    Codec.write(message, out);
    int length = out.length() - before;
    if (length > Frame.MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          command + " of " + length + " bytes, expected at most " + Frame.MAX_PAYLOAD);
    }
    return out.toArray();
  }

  /**
   * Decodes contents that were authenticated. An id that nobody has defined yet is an unknown
   * message, which is ignored.
   *
   * @param from index of the first byte of the contents, which end with the array
   * @throws WireException if they are no message
   */
  public static Message decode(byte[] packet, int from) {
    if (from == packet.length) {
      throw new WireException("packet", "command", 0, "no contents", null);
    }
    int id = packet[from] & 0xff;
    if (id >= SHORT.size()) {
      return new Message.Unknown("v2 id " + id, Bytes.of(packet, from + 1, packet.length));
    }
    int body = from + 1;
    String command = SHORT.get(id);
    if (id == 0) {
      body += Frame.COMMAND_LENGTH;
      command = Frame.command(packet, from + 1);
    }
    int length = packet.length - body;
    int most = Codec.maxPayload(command);
    if (length > most) {
      throw new WireException(
          command, WireException.LENGTH, 0, length + " bytes, expected at most " + most, null);
    }
    return Codec.read(command, Arrays.copyOfRange(packet, body, packet.length));
  }
}
