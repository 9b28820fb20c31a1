package org.murmur.p2p.chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.wire.Headers;

/**
 * The headers of the active chain, one behind the other in chunks of a difficulty period.
 *
 * <p>A header's hash is not stored: it is the {@code previous} field of the header above, and only
 * the tip's is kept beside. An open-addressing table of heights finds a header by its hash; a slot
 * is compared with the chain itself, so a slot that a reorganisation made stale just never matches,
 * and nothing need be removed. Table and sums are brought up to date when somebody asks, so that
 * connecting headers and opening a stored chain do not pay for them. A million headers cost 80 MB
 * and 8 MB for the table.
 *
 * <p>A candidate is written in place above the tip, checked there, and becomes part of the chain by
 * {@link #grow}: on refusal nothing needs to be undone.
 */
final class ActiveChain implements Ancestors {

  private static final int CHUNK = ConsensusRules.PERIOD;
  private static final int LENGTH = BlockHeader.LENGTH;

  private byte[][] chunks = new byte[8][];
  private int height;
  private final byte[] tip = new byte[Hash256.LENGTH];

  /** Height + 1 of a header, 0 where empty; at most half of the slots are used. */
  private int[] slots = new int[1024];

  private int usedSlots;
  private int indexedTo = -1;

  /** For each full chunk the work from genesis to its last header, and the latest time in it. */
  private final List<ChainWork> workThrough = new ArrayList<>();

  private final List<Long> latestTime = new ArrayList<>();

  ActiveChain(BlockHeader genesis) {
    genesis.bytes().write(chunk(0), 0);
    genesis.hash().write(tip, 0);
  }

  int height() {
    return height;
  }

  Hash256 tip() {
    return Hash256.read(tip, 0);
  }

  /** The chunk that holds a height, made if it is missing; for writing candidates. */
  byte[] chunk(int at) {
    int index = at / CHUNK;
    if (index >= chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunks.length);
    }
    byte[] chunk = chunks[index];
    if (chunk == null) {
      chunk = new byte[CHUNK * LENGTH];
      chunks[index] = chunk;
    }
    return chunk;
  }

  /** Where a height's header begins in its chunk. */
  static int offset(int at) {
    return at % CHUNK * LENGTH;
  }

  /** Writes headers without checking them, the first one at a height; to be followed by grow. */
  void write(Headers run, int from) {
    for (int i = 0; i < run.count(); ) {
      int at = from + i;
      int end = Math.min(run.count(), i + CHUNK - at % CHUNK);
      run.copy(i, end, chunk(at), offset(at));
      i = end;
    }
  }

  /** Takes over the headers that were written above the tip, up to a height. */
  void grow(int to, byte[] hash) {
    height = to;
    System.arraycopy(hash, 0, tip, 0, tip.length);
  }

  /** Forgets the headers above a height. */
  void truncate(int to) {
    hashAt(to).write(tip, 0);
    height = to;
    indexedTo = Math.min(indexedTo, to);
    int full = (to + 1) / CHUNK;
    while (workThrough.size() > full) {
      workThrough.remove(workThrough.size() - 1);
      latestTime.remove(latestTime.size() - 1);
    }
  }

  @Override
  public int bits(int at) {
    return LittleEndian.int32(chunks[at / CHUNK], offset(at) + BlockHeader.BITS);
  }

  @Override
  public long time(int at) {
    return Integer.toUnsignedLong(
        LittleEndian.int32(chunks[at / CHUNK], offset(at) + BlockHeader.TIME));
  }

  Hash256 hashAt(int at) {
    Objects.checkIndex(at, height + 1);
    return at == height
        ? tip()
        : Hash256.read(chunks[(at + 1) / CHUNK], offset(at + 1) + BlockHeader.PREVIOUS);
  }

  /** A copy of a header. */
  Bytes header(int at) {
    Objects.checkIndex(at, height + 1);
    return Bytes.of(chunks[at / CHUNK], offset(at), offset(at) + LENGTH);
  }

  /** A copy of the headers of a range of heights, the last one excluded. */
  Headers headers(int from, int to) {
    Objects.checkFromToIndex(from, to, height + 1);
    byte[] copy = new byte[(to - from) * LENGTH];
    for (int at = from; at < to; ) {
      int run = Math.min(to - at, CHUNK - at % CHUNK);
      System.arraycopy(chunks[at / CHUNK], offset(at), copy, (at - from) * LENGTH, run * LENGTH);
      at += run;
    }
    return Headers.ofStored(Bytes.wrap(copy));
  }

  /** Whether the header at a height consists of these bytes. */
  boolean holds(int at, byte[] header) {
    return same(chunks[at / CHUNK], offset(at), header, 0, LENGTH);
  }

  /** The height of a hash, -1 if it is not here. */
  int heightOf(Hash256 hash) {
    byte[] key = hash.toInternal();
    index();
    int mask = slots.length - 1;
    for (int slot = LittleEndian.int32(key, 0) & mask; slots[slot] != 0; slot = slot + 1 & mask) {
      int at = slots[slot] - 1;
      if (at <= height && isHash(at, key)) {
        return at;
      }
    }
    return -1;
  }

  /** The work from genesis to a height. */
  ChainWork workThrough(int at) {
    sum();
    int full = (at + 1) / CHUNK;
    ChainWork before = full == 0 ? ChainWork.ZERO : workThrough.get(full - 1);
    return before.plus(work(full * CHUNK, at + 1));
  }

  /** The first height whose time is at least this. */
  OptionalInt firstHeightSince(long seconds) {
    sum();
    int chunk = 0;
    while (chunk < latestTime.size() && latestTime.get(chunk) < seconds) {
      chunk++;
    }
    for (int at = chunk * CHUNK; at <= height; at++) {
      if (time(at) >= seconds) {
        return OptionalInt.of(at);
      }
    }
    return OptionalInt.empty();
  }

  static boolean same(byte[] one, int oneOffset, byte[] other, int otherOffset, int length) {
    for (int i = 0; i < length; i++) {
      if (one[oneOffset + i] != other[otherOffset + i]) {
        return false;
      }
    }
    return true;
  }

  private boolean isHash(int at, byte[] key) {
    return at == height
        ? same(tip, 0, key, 0, Hash256.LENGTH)
        : same(
            chunks[(at + 1) / CHUNK],
            offset(at + 1) + BlockHeader.PREVIOUS,
            key,
            0,
            Hash256.LENGTH);
  }

  private void index() {
    if (2L * (usedSlots + height - indexedTo) > slots.length) {
      int capacity = slots.length;
      while (capacity < 2L * (height + 1)) {
        capacity *= 2;
      }
      slots = new int[capacity];
      usedSlots = 0;
      indexedTo = -1;
    }
    while (indexedTo < height) {
      insert(++indexedTo);
    }
  }

  // A hash's low bytes are uniform: its zeros are at the other end.
  private void insert(int at) {
    int key =
        at == height
            ? LittleEndian.int32(tip, 0)
            : LittleEndian.int32(chunks[(at + 1) / CHUNK], offset(at + 1) + BlockHeader.PREVIOUS);
    int mask = slots.length - 1;
    int slot = key & mask;
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = at + 1;
    usedSlots++;
  }

  private void sum() {
    for (int chunk = workThrough.size(); (chunk + 1) * CHUNK <= height + 1; chunk++) {
      ChainWork before = chunk == 0 ? ChainWork.ZERO : workThrough.get(chunk - 1);
      workThrough.add(before.plus(work(chunk * CHUNK, (chunk + 1) * CHUNK)));
      long latest = 0;
      for (int at = chunk * CHUNK; at < (chunk + 1) * CHUNK; at++) {
        latest = Math.max(latest, time(at));
      }
      latestTime.add(latest);
    }
  }

  /** The work of a range of heights, run by run of equal targets. */
  private ChainWork work(int from, int to) {
    ChainWork sum = ChainWork.ZERO;
    int at = from;
    while (at < to) {
      int bits = bits(at);
      int end = at + 1;
      while (end < to && bits(end) == bits) {
        end++;
      }
      sum = sum.plus(Target.ofBits(bits).work().times(end - at));
      at = end;
    }
    return sum;
  }
}
