package org.murmur.p2p.internal.chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.wire.Headers;

/**
 * The headers of the active chain, in chunks of one difficulty period: heights 1 to 2016, 2017 to
 * 4032 and so on, as they are stored. The {@linkplain ChainBase base}, usually genesis, is in none
 * of them.
 *
 * <p>A header's hash is not stored: it is the {@code previous} field of the next header. Only the
 * tip's hash is stored. A {@link HeightIndex} finds a header by hash, and the result is compared
 * with the chain. Index and sums are updated on demand, so that connecting headers and opening a
 * stored chain do not pay for them.
 *
 * <p>With a {@link HeaderArchive}, only the last chunks and uncommitted headers stay in memory.
 * Others are read on demand, and a few recently read ones are cached. Without an archive all stay.
 *
 * <p>A candidate is written above the tip, checked there, and becomes part of the chain by {@link
 * #grow}. A refused candidate needs no undo.
 */
final class ActiveChain implements Ancestors {

  private static final int CHUNK = ConsensusRules.PERIOD;
  private static final int LENGTH = BlockHeader.LENGTH;

  /** Cached chunks from the archive: 1.3 MB, enough for several scanning peers. */
  private static final int MAX_PAGED = 8;

  private final ChainBase base;

  private final BlockHeader genesis;

  /** The last chunk without a header of this chain. */
  private final int baseChunk;

  private final @Nullable HeaderArchive archive;
  private byte[][] chunks = new byte[8][];
  private int height;
  private final byte[] tip = new byte[Hash256.LENGTH];

  /** Chunks from here on are in memory. Lower ones are cached in paged, or on disk. */
  private int firstKept;

  private final int[] paged = new int[MAX_PAGED];
  private int nextPaged;

  /** The highest height in the archive. */
  private int archived;

  private final HeightIndex index = new HeightIndex();
  private int indexedTo;

  /**
   * The work from genesis to the base, then to the last header of each full chunk; and the latest
   * time of each.
   */
  private final List<ChainWork> workThrough = new ArrayList<>();

  private final List<Long> latestTime = new ArrayList<>();

  /** The work up to a former tip, so that the sum for the next tip is short. */
  private int summedTo = -1;

  private ChainWork summed = ChainWork.ZERO;

  ActiveChain(ChainBase base, BlockHeader genesis) {
    this(base, genesis, null, base.height());
  }

  /** A chain whose headers up to a height are in an archive. */
  ActiveChain(ChainBase base, BlockHeader genesis, @Nullable HeaderArchive archive, int stored) {
    this.base = base;
    this.genesis = genesis;
    this.baseChunk = base.height() / CHUNK;
    this.archive = archive;
    this.height = base.height();
    this.firstKept = baseChunk + 1;
    this.indexedTo = base.height() - 1;
    base.hash().write(tip, 0);
    workThrough.add(base.work());
    latestTime.add(base.time());
    if (archive != null && stored > base.height()) {
      height = stored;
      archived = stored;
      firstKept = index(stored);
      keep(firstKept);
    }
  }

  ChainBase base() {
    return base;
  }

  @Override
  public int lowest() {
    return base.height();
  }

  private static int index(int at) {
    return (at + CHUNK - 1) / CHUNK;
  }

  /** Offset of a header in its chunk. */
  static int offset(int at) {
    return (at + CHUNK - 1) % CHUNK * LENGTH;
  }

  /** The height of a chunk's first header. */
  private int first(int chunk) {
    return Math.max(base.height(), (chunk - 1) * CHUNK) + 1;
  }

  /** The height of a chunk's last header. */
  private static int last(int chunk) {
    return chunk * CHUNK;
  }

  int height() {
    return height;
  }

  Hash256 tip() {
    return Hash256.read(tip, 0);
  }

  /** The chunk of a height, created if missing; for writing candidates. */
  byte[] chunk(int at) {
    int index = index(at);
    if (index >= chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(index + 1, 2 * chunks.length));
    }
    byte[] chunk = chunks[index];
    if (chunk == null) {
      chunk = new byte[CHUNK * LENGTH];
      chunks[index] = chunk;
    }
    return chunk;
  }

  /** The chunk of a height of the chain, or of candidates above it. */
  private byte[] at(int height) {
    int index = index(height);
    byte[] chunk = index < chunks.length ? chunks[index] : null;
    return chunk != null ? chunk : page(index);
  }

  /** Reads a chunk from the archive; it replaces the oldest cached one. */
  private byte[] page(int index) {
    int oldest = paged[nextPaged];
    if (oldest > baseChunk && oldest < firstKept) {
      chunks[oldest] = null;
    }
    paged[nextPaged] = index;
    nextPaged = (nextPaged + 1) % MAX_PAGED;
    return keep(index);
  }

  private byte[] keep(int index) {
    while (index >= chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunks.length);
    }
    byte[] chunk = read(index);
    chunks[index] = chunk;
    return chunk;
  }

  private byte[] read(int index) {
    if (archive == null) {
      throw new AssertionError("chunk " + index + " is neither in memory nor stored");
    }
    int from = first(index);
    int to = Math.min(last(index), archived) + 1;
    Headers headers = archive.read(from, to);
    if (headers.count() != to - from) {
      throw new IllegalStateException(
          headers.count() + " headers read from height " + from + ", expected " + (to - from));
    }
    byte[] chunk = new byte[CHUNK * LENGTH];
    headers.copy(0, headers.count(), chunk, offset(from));
    return chunk;
  }

  /** Drops chunks from memory that are on disk up to a height. */
  void stored(int to) {
    if (archive == null) {
      return;
    }
    archived = to;
    // The last full chunk stays as well, because branches near the tip need their ancestors.
    while (firstKept < index(height) - 1 && last(firstKept) <= to) {
      if (baseChunk + workThrough.size() == firstKept) {
        sum(firstKept, at(last(firstKept)));
      }
      chunks[firstKept] = null;
      firstKept++;
    }
  }

  /** The lowest height above which all headers are in memory. */
  int keptFrom() {
    return firstKept == baseChunk + 1 ? base.height() : first(firstKept);
  }

  /** Writes headers from a height on, without checks. Call grow afterwards. */
  void write(Headers run, int from) {
    for (int i = 0; i < run.count(); ) {
      int at = from + i;
      int end = Math.min(run.count(), i + last(index(at)) + 1 - at);
      run.copy(i, end, chunk(at), offset(at));
      i = end;
    }
  }

  /** Makes the headers written above the tip part of the chain, up to a height. */
  void grow(int to, byte[] hash) {
    height = to;
    System.arraycopy(hash, 0, tip, 0, tip.length);
  }

  /** Removes the headers above a height. */
  void truncate(int to) {
    hashAt(to).write(tip, 0);
    if (to > base.height()) {
      at(to);
    }
    firstKept = Math.max(baseChunk + 1, Math.min(firstKept, index(to)));
    height = to;
    archived = Math.min(archived, to);
    indexedTo = Math.min(indexedTo, to);
    summedTo = summedTo > to ? -1 : summedTo;
    int full = to / CHUNK + 1 - baseChunk;
    while (workThrough.size() > full) {
      workThrough.remove(workThrough.size() - 1);
      latestTime.remove(latestTime.size() - 1);
    }
  }

  @Override
  public int bits(int at) {
    return at == base.height()
        ? base.bits()
        : LittleEndian.int32(at(at), offset(at) + BlockHeader.BITS);
  }

  @Override
  public long time(int at) {
    return at == base.height() ? base.time() : time(at(at), at);
  }

  private static long time(byte[] chunk, int at) {
    return Integer.toUnsignedLong(LittleEndian.int32(chunk, offset(at) + BlockHeader.TIME));
  }

  Hash256 hashAt(int at) {
    requireKnown(at);
    return at == height ? tip() : Hash256.read(at(at + 1), offset(at + 1) + BlockHeader.PREVIOUS);
  }

  /** Throws if there is no header at a height, or only one below the base. */
  void requireKnown(int at) {
    if (at < base.height() || at > height) {
      throw new IndexOutOfBoundsException(
          "height " + at + ", expected " + base.height() + " to " + height);
    }
  }

  /** Throws if the header at a height is not completely known. */
  private void requireWhole(int at) {
    if (at == base.height() && !base.isGenesis()) {
      throw new IndexOutOfBoundsException(
          "of the header at height " + at + " only a part is known");
    }
  }

  /** A copy of a header. */
  Bytes header(int at) {
    requireKnown(at);
    requireWhole(at);
    if (at == 0) {
      return genesis.bytes();
    }
    return Bytes.of(at(at), offset(at), offset(at) + LENGTH);
  }

  /** A copy of the headers of a range of heights, the last one excluded. */
  Headers headers(int from, int to) {
    Objects.checkFromToIndex(from, to, height + 1);
    if (from < to) {
      requireKnown(from);
      requireWhole(from);
    }
    byte[] copy = new byte[(to - from) * LENGTH];
    int at = from;
    if (from == 0 && to > 0) {
      genesis.bytes().write(copy, 0);
      at++;
    }
    while (at < to) {
      int run = Math.min(to, last(index(at)) + 1) - at;
      System.arraycopy(at(at), offset(at), copy, (at - from) * LENGTH, run * LENGTH);
      at += run;
    }
    return Headers.ofStored(Bytes.wrap(copy));
  }

  /** Whether the header at a height equals these bytes. */
  boolean holds(int at, byte[] header) {
    return same(at(at), offset(at), header, 0, LENGTH);
  }

  /**
   * The height of a hash, or -1. Looks near the tip first: the index takes a dozen bytes a header.
   */
  int heightOf(Hash256 hash) {
    int recent = recentHeightOf(hash);
    if (recent >= 0) {
      return recent;
    }
    byte[] key = hash.toInternal();
    index();
    return index.find(key, at -> isHash(at, key));
  }

  /** The same for headers in memory, without the index. */
  int recentHeightOf(Hash256 hash) {
    byte[] key = hash.toInternal();
    for (int at = height; at >= keptFrom() && at > height - 2 * CHUNK; at--) {
      if (isHash(at, key)) {
        return at;
      }
    }
    return -1;
  }

  /** The work from genesis to a height. */
  ChainWork workThrough(int at) {
    sum();
    int full = at / CHUNK; // the last chunk that ends at or below this height
    int from = Math.max(base.height(), last(full));
    ChainWork known = workThrough.get(full - baseChunk);
    if (summedTo > from && summedTo <= at) {
      from = summedTo;
      known = summed;
    }
    ChainWork sum = known.plus(work(from + 1, at + 1));
    if (at == height) {
      summedTo = at;
      summed = sum;
    }
    return sum;
  }

  /** The first height whose time is at least this. */
  OptionalInt firstHeightSince(long seconds) {
    sum();
    int full = 0;
    while (full < latestTime.size() && latestTime.get(full) < seconds) {
      full++;
    }
    int from = full == 0 ? base.height() : first(baseChunk + full);
    for (int at = from; at <= height; at++) {
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
    if (at > height) {
      return false; // stale since a reorganisation
    }
    return at == height
        ? same(tip, 0, key, 0, Hash256.LENGTH)
        : same(at(at + 1), offset(at + 1) + BlockHeader.PREVIOUS, key, 0, Hash256.LENGTH);
  }

  private void index() {
    if (index.entries() > 2L * (height - base.height() + 1) + CHUNK) { // most entries are stale
      index.clear();
      indexedTo = base.height() - 1;
    }
    while (indexedTo < height - 1) {
      // A header's hash is in the next header, so a chunk has the hashes from the header before it
      // on.
      int chunk = index(indexedTo + 2);
      byte[] bytes = passing(chunk);
      int end = Math.min(height, last(chunk));
      while (indexedTo + 1 < end) {
        indexedTo++;
        index.add(bytes, offset(indexedTo + 1) + BlockHeader.PREVIOUS, indexedTo);
      }
    }
    if (indexedTo < height) {
      index.add(tip, 0, height);
      indexedTo = height;
    }
  }

  /** A chunk for a single pass; it does not replace cached ones. */
  private byte[] passing(int index) {
    byte[] chunk = index < chunks.length ? chunks[index] : null;
    return chunk != null ? chunk : read(index);
  }

  private void sum() {
    for (int chunk = baseChunk + workThrough.size(); last(chunk) <= height; chunk++) {
      sum(chunk, passing(chunk));
    }
  }

  private void sum(int chunk, byte[] bytes) {
    ChainWork before = workThrough.get(chunk - 1 - baseChunk);
    workThrough.add(before.plus(work(bytes, first(chunk), last(chunk) + 1)));
    long latest = 0;
    for (int at = first(chunk); at <= last(chunk); at++) {
      latest = Math.max(latest, time(bytes, at));
    }
    latestTime.add(latest);
  }

  /** The work of a range of heights in one chunk. */
  private ChainWork work(int from, int to) {
    return from == to ? ChainWork.ZERO : work(at(from), from, to);
  }

  /** The same, run by run of equal targets. */
  private static ChainWork work(byte[] chunk, int from, int to) {
    ChainWork sum = ChainWork.ZERO;
    int at = from;
    while (at < to) {
      int bits = LittleEndian.int32(chunk, offset(at) + BlockHeader.BITS);
      int end = at + 1;
      while (end < to && LittleEndian.int32(chunk, offset(end) + BlockHeader.BITS) == bits) {
        end++;
      }
      sum = sum.plus(Target.ofBits(bits).work().times(end - at));
      at = end;
    }
    return sum;
  }
}
