package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;

/**
 * How fast a peer serves filtered blocks, and how many to request at a time. It is measured over
 * past answers, a chunk at a time; the newest counts half.
 */
public final class Pace {

  /** Chunk of a peer that works alone: only an empty pipeline would cost time. */
  private static final int ALONE_CHUNK = 500;

  private static final int ALONE_WINDOW = 4_000;

  /** Chunk of a peer that shares the work and whose pace is not known yet. */
  private static final int FIRST_CHUNK = 50;

  private static final int FIRST_WINDOW = 200;

  /** A chunk takes this much of a peer's time, in seconds: the most that it can delay the end. */
  private static final double CHUNK_TIME = 0.067;

  /** Requests reach ahead by this much of its time beyond the round trip, in seconds. */
  private static final double AHEAD = 0.12;

  private static final int SMALLEST_CHUNK = 10;

  private static final int LARGEST_CHUNK = 1_000;

  private static final int LARGEST_WINDOW = 10_000;

  /** Maximum bytes requested ahead, by the size of the blocks so far: they must fit in memory. */
  private static final long MAX_BYTES = 16L << 20;

  /**
   * A peer that owes blocks and is silent for this long does not keep others from doing its work.
   */
  private static final Duration LATE = Duration.ofSeconds(2);

  private static final int LATE_ROUND_TRIPS = 4;

  private static final int LATE_BLOCKS = 10;

  /** Too few blocks to measure the pace. */
  private static final int SAMPLE = 8;

  /** The round trip in milliseconds, or -1. */
  private long roundTrip = -1;

  // Blocks a second; 0 while unknown.
  private double rate;
  private double bytesPerBlock;
  private Instant began = Instant.EPOCH;
  private int blocks;
  private long bytes;

  /** A request was answered after this long; the fastest answer counts. */
  public void answered(Duration after) {
    long millis = after.toMillis();
    roundTrip = roundTrip < 0 ? millis : Math.min(roundTrip, millis);
  }

  /** A block came; the time until the next one of the same chunk is the peer's own. */
  public void served(boolean firstOfChunk, Instant now) {
    if (firstOfChunk) {
      began = now;
      blocks = 0;
    } else {
      blocks++;
    }
  }

  /** It is about to get a request and owes nothing: earlier bytes were not its blocks. */
  public void begins() {
    bytes = 0;
    blocks = 0;
  }

  /** Bytes came, mostly of blocks. */
  public void received(int wireBytes) {
    bytes += wireBytes;
  }

  /** The last block of a chunk came. */
  public void chunkDone(int size, Instant now) {
    if (size > 0) {
      bytesPerBlock = mean(bytesPerBlock, (double) bytes / size);
    }
    bytes = 0;
    if (blocks >= SAMPLE) {
      double seconds = Math.max(1e-4, Duration.between(began, now).toNanos() / 1e9);
      rate = mean(rate, blocks / seconds);
    }
    blocks = 0;
  }

  private static double mean(double known, double measured) {
    return known == 0 ? measured : (known + measured) / 2;
  }

  /** Blocks a second, or 0 while unknown. */
  public double rate() {
    return rate;
  }

  /** The size of a block with its transactions, or 0 while unknown. */
  double bytesPerBlock() {
    return bytesPerBlock;
  }

  /** How long it may be silent while it owes blocks, before others do its work. */
  public Duration patience() {
    double blocks = rate == 0 ? 0 : LATE_BLOCKS / rate;
    return LATE.plusMillis(Math.max(0, roundTrip) * LATE_ROUND_TRIPS + (long) (blocks * 1e3));
  }

  /** How many blocks to request in one message. */
  public int chunk(boolean alone) {
    if (alone) {
      return ALONE_CHUNK;
    }
    return rate == 0 ? FIRST_CHUNK : clamp(rate * CHUNK_TIME, SMALLEST_CHUNK, LARGEST_CHUNK);
  }

  /** Maximum blocks in flight: another chunk is requested as soon as it fits. */
  public int window(boolean alone) {
    double ahead = rate * (Math.max(0, roundTrip) / 1e3 + AHEAD);
    double most;
    if (alone) {
      most = Math.max(ALONE_WINDOW, ahead);
    } else {
      most = rate == 0 ? FIRST_WINDOW : ahead;
    }
    if (bytesPerBlock > 0) {
      most = Math.min(most, MAX_BYTES / bytesPerBlock);
    }
    return clamp(most, SMALLEST_CHUNK, LARGEST_WINDOW);
  }

  private static int clamp(double value, int least, int most) {
    return (int) Math.max(least, Math.min(most, value));
  }
}
