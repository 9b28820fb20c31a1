package org.murmur.p2p.sync;

import java.time.Duration;

/**
 * How long a session may take, and how much it may receive. Begin with {@link #USUAL} and derive.
 *
 * @param time after this time a session ends, complete or not
 * @param bytes how many bytes are received at most. No more than this are read, and no request is
 *     sent if its answer would exceed the limit, as far as its size is known. Unrequested or
 *     unexpectedly large messages may arrive beyond it, some thousand bytes; they are not read.
 *     With less than 200,000 a sync may get nowhere: one answer with headers has up to 162,003
 * @param mempoolWait how long to wait for the peers' unconfirmed transactions; zero to request none
 * @param broadcastWait how long a broadcast waits for the peers' reactions, if {@code time} is not
 *     shorter
 * @param search how long a session that does not follow goes on without a peer that serves it,
 *     where peers are found
 */
public record Limits(
    Duration time, long bytes, Duration mempoolWait, Duration broadcastWait, Duration search) {

  /** No limit of time: a hundred years. */
  public static final Duration FOREVER = Duration.ofDays(36_500);

  /** No limit of bytes. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * No limits. Core spreads its answer to {@code mempool} over some seconds. It returns a new
   * transaction only after its next announcements to inbound peers, which are 5 seconds apart on
   * average, at random (INBOUND_INVENTORY_BROADCAST_INTERVAL): 10 seconds would be too short for
   * one broadcast in five.
   */
  public static final Limits USUAL =
      new Limits(
          FOREVER,
          UNLIMITED,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10));

  /**
   * Checks the values; a longer time is {@link #FOREVER}.
   *
   * @throws IllegalArgumentException if one is negative, or a limit is zero
   */
  public Limits {
    time = time.compareTo(FOREVER) > 0 ? FOREVER : time;
    mempoolWait = mempoolWait.compareTo(FOREVER) > 0 ? FOREVER : mempoolWait;
    broadcastWait = broadcastWait.compareTo(FOREVER) > 0 ? FOREVER : broadcastWait;
    search = search.compareTo(FOREVER) > 0 ? FOREVER : search;
    Duration least = Duration.ofMillis(1);
    if (mempoolWait.isNegative()
        || time.compareTo(least) < 0
        || broadcastWait.compareTo(least) < 0
        || search.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "time "
              + time
              + ", mempool wait "
              + mempoolWait
              + ", broadcast wait "
              + broadcastWait
              + ", search "
              + search
              + ", expected more than 0, or a mempool wait of 0");
    }
    if (bytes < 1) {
      throw new IllegalArgumentException("limit of bytes " + bytes + ", expected 1 or more");
    }
  }

  /**
   * {@return limits with another time}
   *
   * @param limit {@link #FOREVER} for none
   * @throws IllegalArgumentException if it is not positive
   */
  public Limits time(Duration limit) {
    return new Limits(limit, bytes, mempoolWait, broadcastWait, search);
  }

  /**
   * {@return limits with another number of received bytes}
   *
   * @param limit {@link #UNLIMITED} for none
   * @throws IllegalArgumentException if it is not positive
   */
  public Limits bytes(long limit) {
    return new Limits(time, limit, mempoolWait, broadcastWait, search);
  }

  /**
   * {@return limits with another waiting time for unconfirmed transactions}
   *
   * @param wait zero to request none
   */
  public Limits mempoolWait(Duration wait) {
    return new Limits(time, bytes, wait, broadcastWait, search);
  }

  /**
   * {@return limits with another waiting time for the peers' reactions to a broadcast}
   *
   * @param wait {@link #FOREVER} for no limit
   * @throws IllegalArgumentException if it is not positive
   */
  public Limits broadcastWait(Duration wait) {
    return new Limits(time, bytes, mempoolWait, wait, search);
  }

  /**
   * {@return limits with another time for the search of peers}
   *
   * @param limit {@link #FOREVER} for none
   * @throws IllegalArgumentException if it is not positive
   */
  public Limits search(Duration limit) {
    return new Limits(time, bytes, mempoolWait, broadcastWait, limit);
  }
}
