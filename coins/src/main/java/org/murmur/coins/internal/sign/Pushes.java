package org.murmur.coins.internal.sign;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

/** The items that a script of pushes alone leaves on the stack. */
final class Pushes {

  private static final int OP_PUSHDATA1 = 0x4c;
  private static final int OP_PUSHDATA2 = 0x4d;
  private static final int OP_1NEGATE = 0x4f;
  private static final int OP_1 = 0x51;
  private static final int OP_16 = 0x60;
  private static final int NEGATIVE_ONE = 0x81;

  /** The largest item of a script (Core's MAX_SCRIPT_ELEMENT_SIZE). */
  private static final int MAX_ITEM = 520;

  private Pushes() {}

  /** Empty if the script does more than pushing, or pushes in a longer way than needed. */
  static Optional<List<Bytes>> parse(Bytes script) {
    List<Bytes> items = new ArrayList<>();
    ByteReader in = new ByteReader(script.unsafeArray());
    try {
      while (in.remaining() > 0) {
        Optional<Bytes> item = next(in);
        if (!item.isPresent()) {
          return Optional.empty();
        }
        items.add(item.get());
      }
    } catch (MalformedException e) {
      return Optional.empty();
    }
    return Optional.of(items);
  }

  private static Optional<Bytes> next(ByteReader in) {
    int opcode = in.uint8();
    if (opcode < OP_PUSHDATA1) {
      return Optional.of(in.bytes(opcode)).filter(item -> !isNumber(item));
    }
    if (opcode == OP_PUSHDATA1) {
      int length = in.uint8();
      return length < OP_PUSHDATA1 ? Optional.empty() : Optional.of(in.bytes(length));
    }
    if (opcode == OP_PUSHDATA2) {
      int length = in.uint16();
      return length < 0x100 || length > MAX_ITEM ? Optional.empty() : Optional.of(in.bytes(length));
    }
    if (opcode == OP_1NEGATE) {
      return Optional.of(item(NEGATIVE_ONE));
    }
    return opcode >= OP_1 && opcode <= OP_16
        ? Optional.of(item(opcode - OP_1 + 1))
        : Optional.empty();
  }

  /** Whether an opcode of its own pushes it. */
  private static boolean isNumber(Bytes item) {
    int value = item.length() == 1 ? item.at(0) & 0xff : 0;
    return value == NEGATIVE_ONE || (value >= 1 && value <= OP_16 - OP_1 + 1);
  }

  private static Bytes item(int value) {
    return Bytes.wrap(new byte[] {(byte) value});
  }
}
