package org.murmur.wallet;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.sync.SyncSettings;

/**
 * How to sync. Begin with {@link #connect} and derive.
 *
 * @param peers {@code HOST} or {@code HOST:PORT}, IPv6 in brackets; only these are connected to
 * @param connections how many of them at once; 0 for all
 * @param follow stay when complete, and take what comes until stopped
 * @param mempoolWait how long to wait for unconfirmed transactions; zero to not ask
 * @param timeout after this long it ends, complete or not; zero for no limit
 * @param rate false-positive rate of the filters, greater than 0 and less than 1
 * @param headersOnly leave blocks alone; complete then speaks of the headers
 * @param maxBytes ends after receiving this much, complete or not; 0 for no limit
 * @param broadcastWait how long a broadcast waits for the peers' words
 * @param checkpoints blocks known beforehand, for a chain of one's own; empty for the network's
 * @param verify by how many different peers every block has to be seen, at least 1
 * @param spotChecks how many whole blocks, at random heights, are fetched and compared with what
 *     was told of them; 0 for none
 * @param guarded how the private preset is to be; empty for the fast one
 */
public record SyncOptions(
    List<String> peers,
    int connections,
    boolean follow,
    Duration mempoolWait,
    Duration timeout,
    double rate,
    boolean headersOnly,
    long maxBytes,
    Duration broadcastWait,
    Optional<Checkpoints> checkpoints,
    int verify,
    int spotChecks,
    Optional<GuardOptions> guarded) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a number is out of its range
   */
  public SyncOptions {
    peers = List.copyOf(peers);
    if (connections < 0) {
      throw new IllegalArgumentException("connections " + connections + ", expected 0 or more");
    }
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected between 0 and 1");
    }
    if (mempoolWait.isNegative() || timeout.isNegative() || broadcastWait.isNegative()) {
      throw new IllegalArgumentException("durations must not be negative");
    }
    if (verify < 1) {
      throw new IllegalArgumentException("verify by " + verify + " peers, expected at least 1");
    }
    if (spotChecks < 0) {
      throw new IllegalArgumentException("spot checks " + spotChecks + ", expected 0 or more");
    }
    if (guarded.isPresent() && (verify > 1 || spotChecks > 0)) {
      throw new IllegalArgumentException(
          "the private preset compares nothing: no peer is shown what another one is");
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes " + maxBytes + ", expected 0 or more");
    }
  }

  /**
   * Syncs with these peers until complete.
   *
   * @param peers {@code HOST} or {@code HOST:PORT}
   * @return options to derive others from
   */
  public static SyncOptions connect(String... peers) {
    return new SyncOptions(
        Arrays.asList(peers),
        0,
        false,
        Duration.ofSeconds(10),
        Duration.ZERO,
        SyncSettings.FAST_RATE,
        false,
        0,
        Duration.ofSeconds(10),
        Optional.empty(),
        1,
        0,
        Optional.empty());
  }

  /**
   * Derives options with another number of connections.
   *
   * @param count how many peers at once; 0 for all
   * @return new options
   */
  public SyncOptions connections(int count) {
    return new SyncOptions(
        peers,
        count,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options that stay when complete, or not.
   *
   * @param stay whether to stay
   * @return new options
   */
  public SyncOptions follow(boolean stay) {
    return new SyncOptions(
        peers,
        connections,
        stay,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options with another waiting time for unconfirmed transactions.
   *
   * @param wait how long; zero to not ask
   * @return new options
   */
  public SyncOptions mempoolWait(Duration wait) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        wait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options with a limit of time.
   *
   * @param limit how long; zero for no limit
   * @return new options
   */
  public SyncOptions timeout(Duration limit) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        limit,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options with another false-positive rate.
   *
   * @param falsePositives greater than 0 and less than 1
   * @return new options
   */
  public SyncOptions rate(double falsePositives) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        falsePositives,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options that leave blocks alone, or not.
   *
   * @param only whether to sync headers only
   * @return new options
   */
  public SyncOptions headersOnly(boolean only) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        only,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options with a limit of traffic.
   *
   * @param bytes received; 0 for no limit
   * @return new options
   */
  public SyncOptions maxBytes(long bytes) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        bytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options with another waiting time for what peers say of a broadcast.
   *
   * @param wait how long
   * @return new options
   */
  public SyncOptions broadcastWait(Duration wait) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        wait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options with other checkpoints than the network's, for a chain of one's own.
   *
   * @param known blocks of that chain
   * @return new options
   */
  public SyncOptions checkpoints(Checkpoints known) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        Optional.of(known),
        verify,
        spotChecks,
        guarded);
  }

  /**
   * Derives options that have every block seen by several peers. What they tell is compared; who
   * left something out is dropped, and what only it saw is looked at again.
   *
   * @param count by how many different peers every block has to be seen, at least 1
   * @return new options
   */
  public SyncOptions verify(int count) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        count,
        spotChecks,
        guarded);
  }

  /**
   * Derives options that fetch whole blocks at random heights and compare them with what was told.
   *
   * @param count how many blocks; each costs its whole size
   * @return new options
   */
  public SyncOptions spotChecks(int count) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        count,
        guarded);
  }

  /**
   * Derives options under the private preset: scripts go to one guard and outpoints to another, in
   * filters that are the same after a restart, and nobody else is shown any.
   *
   * @param how what it can be told
   * @return new options
   * @throws IllegalArgumentException if blocks are to be verified or spot checked
   */
  public SyncOptions privately(GuardOptions how) {
    return new SyncOptions(
        peers,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        Optional.of(how));
  }

  /**
   * Derives options with other peers.
   *
   * @param others {@code HOST} or {@code HOST:PORT}
   * @return new options
   */
  SyncOptions peers(List<String> others) {
    return new SyncOptions(
        others,
        connections,
        follow,
        mempoolWait,
        timeout,
        rate,
        headersOnly,
        maxBytes,
        broadcastWait,
        checkpoints,
        verify,
        spotChecks,
        guarded);
  }
}
