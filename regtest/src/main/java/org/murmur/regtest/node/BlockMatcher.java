package org.murmur.regtest.node;

import java.util.BitSet;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.regtest.chain.Block;

/**
 * Finds the transactions of a block that match a filter.
 *
 * <p>The rules are those of {@link ServerFilter}. This class scans the serialised block in place
 * first and skips transactions of which the filter contains nothing. That is almost every one, and
 * allocates nothing. For one thread.
 */
final class BlockMatcher {

  private static final int PUSHDATA1 = 0x4c;
  private static final int PUSHDATA2 = 0x4d;
  private static final int PUSHDATA4 = 0x4e;

  private byte[] raw = new byte[0];
  private int at;

  /** Matches in the order of the block, and lets the filter grow as its flag says. */
  BitSet match(Block block, ServerFilter filter) {
    BitSet matches = new BitSet(block.size());
    raw = block.array();
    for (int i = 0; i < block.size(); i++) {
      at = block.start(i);
      if (containsAny(block, i, filter) && filter.matchAndUpdate(block.tx(i))) {
        matches.set(i);
      }
    }
    return matches;
  }

  private boolean containsAny(Block block, int index, ServerFilter filter) {
    if (filter.contains(block.txidArray(), index * Hash256.LENGTH, Hash256.LENGTH)) {
      return true;
    }
    at += 4;
    if (raw[at] == 0) {
      // Marker and flag of the form with witness data.
      at += 2;
    }
    for (long inputs = size(); inputs > 0; inputs--) {
      if (filter.contains(raw, at, OutPoint.LENGTH)) {
        return true;
      }
      at += OutPoint.LENGTH;
      if (containsPush(filter)) {
        return true;
      }
      at += 4;
    }
    for (long outputs = size(); outputs > 0; outputs--) {
      at += 8;
      if (containsPush(filter)) {
        return true;
      }
    }
    return false;
  }

  /** Skips a script with its length and tests its pushes; stops at a match. */
  private boolean containsPush(ServerFilter filter) {
    int length = (int) size();
    int end = at + length;
    while (at < end) {
      int code = raw[at++] & 0xff;
      long push = 0;
      if (code < PUSHDATA1) {
        push = code;
      } else if (code <= PUSHDATA4) {
        int width = 1 << (code - PUSHDATA1);
        if (end - at < width) {
          break;
        }
        push = pushLength(code);
        at += width;
      }
      if (push > end - at) {
        break;
      }
      if (push > 0 && filter.contains(raw, at, (int) push)) {
        return true;
      }
      at += (int) push;
    }
    at = end;
    return false;
  }

  private long pushLength(int code) {
    return switch (code) {
      case PUSHDATA1 -> raw[at] & 0xff;
      case PUSHDATA2 -> LittleEndian.uint16(raw, at);
      default -> Integer.toUnsignedLong(LittleEndian.int32(raw, at));
    };
  }

  /** A CompactSize of a block that was parsed before, so it is well-formed. */
  private long size() {
    int first = raw[at++] & 0xff;
    if (first < 0xfd) {
      return first;
    }
    int width = first == 0xfd ? 2 : first == 0xfe ? 4 : 8;
    long value =
        switch (width) {
          case 2 -> LittleEndian.uint16(raw, at);
          case 4 -> Integer.toUnsignedLong(LittleEndian.int32(raw, at));
          default -> LittleEndian.int64(raw, at);
        };
    at += width;
    return value;
  }
}
