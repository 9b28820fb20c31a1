package org.murmur.p2p.sync;

import java.time.Duration;

/**
 * How long a session may take, and how much it may receive. Begin with {@link #USUAL} and derive.
 *
 * @param time after this time a session ends, complete or not; zero for no limit
 * @param bytes how many bytes are received at most; 0 for no limit. No more than this are read, and
 *     no request is sent if its answer would exceed the limit, as far as its size is known.
 *     Unrequested or unexpectedly large messages may arrive beyond it, some thousand bytes; they
 *     are not read. With less than 200,000 a sync may get nowhere: one answer with headers has up
 *     to 162,003
 * @param mempoolWait how long to wait for the peers' unconfirmed transactions; zero to request none
 * @param broadcastWait how long a broadcast waits for the peers' reactions, if {@code time} is not
 *     shorter; zero for no limit
 */
public record Limits(Duration time, long bytes, Duration mempoolWait, Duration broadcastWait) {

  /**
   * No limits. Core spreads its answer to {@code mempool} over some seconds. It returns a new
   * transaction only after its next announcements to inbound peers, which are 5 seconds apart on
   * average, at random (INBOUND_INVENTORY_BROADCAST_INTERVAL): 10 seconds would be too short for
   * one broadcast in five.
   */
  public static final Limits USUAL =
      new Limits(Duration.ZERO, 0, Duration.ofSeconds(10), Duration.ofSeconds(30));

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public Limits {
    if (mempoolWait.isNegative() || time.isNegative() || broadcastWait.isNegative()) {
      throw new IllegalArgumentException(
          "time "
              + time
              + ", mempool wait "
              + mempoolWait
              + ", broadcast wait "
              + broadcastWait
              + ", expected 0 or more");
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("limit of bytes " + bytes + ", expected 0 or more");
    }
  }

  /**
   * Derives limits with another time.
   *
   * @param limit zero for no limit
   * @return new limits
   */
  public Limits time(Duration limit) {
    return new Limits(limit, bytes, mempoolWait, broadcastWait);
  }

  /**
   * Derives limits with another number of received bytes.
   *
   * @param limit 0 for no limit
   * @return new limits
   */
  public Limits bytes(long limit) {
    return new Limits(time, limit, mempoolWait, broadcastWait);
  }

  /**
   * Derives limits with another waiting time for unconfirmed transactions.
   *
   * @param wait zero to request none
   * @return new limits
   */
  public Limits mempoolWait(Duration wait) {
    return new Limits(time, bytes, wait, broadcastWait);
  }

  /**
   * Derives limits with another waiting time for the peers' reactions to a broadcast.
   *
   * @param wait zero for no limit
   * @return new limits
   */
  public Limits broadcastWait(Duration wait) {
    return new Limits(time, bytes, mempoolWait, wait);
  }
}
