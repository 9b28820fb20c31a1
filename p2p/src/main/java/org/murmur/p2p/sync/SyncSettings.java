package org.murmur.p2p.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.FilterParameters;
import org.murmur.p2p.chain.Checkpoints;

/**
 * How a session is to be run.
 *
 * @param peers who to connect to; only these
 * @param connections how many of them at once, at least 1
 * @param verify by how many different peers every block has to be seen, at least 1
 * @param rate false-positive rate of the fast preset's filters, per element, when they are full
 * @param headersOnly leave blocks alone; complete then speaks of the headers
 * @param follow stay when complete and take what comes
 * @param mempoolWait how long to wait for the peers' unconfirmed transactions; zero to not ask
 * @param connectTimeout how long a connection and its handshake may take
 * @param stallTimeout how long a peer that owes us something may be silent
 * @param userAgent what to call ourselves (BIP-0014)
 * @param seed for tweaks and nonces; the machine has no dice of its own
 * @param checkpoints blocks known beforehand, between which headers are asked for side by side
 * @param spotChecks how many whole blocks, at random heights, are compared with what was told of
 *     them; 0 for none
 * @param guarded who may be shown filters, and which: the private preset; empty for the fast one
 */
public record SyncSettings(
    List<PeerAddress> peers,
    int connections,
    int verify,
    double rate,
    boolean headersOnly,
    boolean follow,
    Duration mempoolWait,
    Duration connectTimeout,
    Duration stallTimeout,
    String userAgent,
    long seed,
    Checkpoints checkpoints,
    int spotChecks,
    Optional<PrivatePreset> guarded) {

  /**
   * So low that the server's copy does not degrade when it adds outpoints: 2,000 elements are 10.8
   * kB.
   */
  public static final double FAST_RATE = 1e-9;

  /**
   * What we call ourselves on the wire (BIP-0014): no version, nothing to tell wallets apart by.
   */
  public static final String USER_AGENT = "/murmur/";

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException for no connections, verification by nobody, a negative number
   *     of spot checks, a rate outside (0, 1), a negative wait, a timeout that is not positive, or
   *     guards that are to be compared
   */
  public SyncSettings {
    peers = List.copyOf(peers);
    if (connections < 1) {
      throw new IllegalArgumentException("connections " + connections + ", expected at least 1");
    }
    if (verify < 1) {
      throw new IllegalArgumentException("verify by " + verify + " peers, expected at least 1");
    }
    if (spotChecks < 0) {
      throw new IllegalArgumentException("spot checks " + spotChecks + ", expected 0 or more");
    }
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected between 0 and 1");
    }
    if (mempoolWait.isNegative()) {
      throw new IllegalArgumentException("mempool wait " + mempoolWait + ", expected 0 or more");
    }
    requirePositive("connect timeout", connectTimeout);
    requirePositive("stall timeout", stallTimeout);
    if (guarded.isPresent() && (verify > 1 || spotChecks > 0)) {
      throw new IllegalArgumentException("guards are not compared: no peer sees what another does");
    }
  }

  /**
   * Makes settings without checkpoints and spot checks.
   *
   * @param peers who to connect to; only these
   * @param connections how many of them at once, at least 1
   * @param verify by how many different peers every block has to be seen, at least 1
   * @param rate false-positive rate of the fast preset's filters, per element, when they are full
   * @param headersOnly leave blocks alone; complete then speaks of the headers
   * @param follow stay when complete and take what comes
   * @param mempoolWait how long to wait for the peers' unconfirmed transactions; zero to not ask
   * @param connectTimeout how long a connection and its handshake may take
   * @param stallTimeout how long a peer that owes us something may be silent
   * @param userAgent what to call ourselves (BIP-0014)
   * @param seed for tweaks and nonces
   */
  public SyncSettings(
      List<PeerAddress> peers,
      int connections,
      int verify,
      double rate,
      boolean headersOnly,
      boolean follow,
      Duration mempoolWait,
      Duration connectTimeout,
      Duration stallTimeout,
      String userAgent,
      long seed) {
    this(
        peers,
        connections,
        verify,
        rate,
        headersOnly,
        follow,
        mempoolWait,
        connectTimeout,
        stallTimeout,
        userAgent,
        seed,
        Checkpoints.NONE,
        0,
        Optional.empty());
  }

  /**
   * Makes settings of the fast preset.
   *
   * @param peers who to connect to; only these
   * @param connections how many of them at once, at least 1
   * @param verify by how many different peers every block has to be seen, at least 1
   * @param rate false-positive rate of the fast preset's filters, per element, when they are full
   * @param headersOnly leave blocks alone; complete then speaks of the headers
   * @param follow stay when complete and take what comes
   * @param mempoolWait how long to wait for the peers' unconfirmed transactions; zero to not ask
   * @param connectTimeout how long a connection and its handshake may take
   * @param stallTimeout how long a peer that owes us something may be silent
   * @param userAgent what to call ourselves (BIP-0014)
   * @param seed for tweaks and nonces
   * @param checkpoints blocks known beforehand, between which headers are asked for side by side
   * @param spotChecks how many whole blocks are compared with what was told of them
   */
  public SyncSettings(
      List<PeerAddress> peers,
      int connections,
      int verify,
      double rate,
      boolean headersOnly,
      boolean follow,
      Duration mempoolWait,
      Duration connectTimeout,
      Duration stallTimeout,
      String userAgent,
      long seed,
      Checkpoints checkpoints,
      int spotChecks) {
    this(
        peers,
        connections,
        verify,
        rate,
        headersOnly,
        follow,
        mempoolWait,
        connectTimeout,
        stallTimeout,
        userAgent,
        seed,
        checkpoints,
        spotChecks,
        Optional.empty());
  }

  /**
   * Derives settings under the private preset.
   *
   * @param preset who may be shown filters, and which
   * @return new settings
   * @throws IllegalArgumentException if peers are to be compared
   */
  public SyncSettings guardedBy(PrivatePreset preset) {
    return new SyncSettings(
        peers,
        connections,
        verify,
        rate,
        headersOnly,
        follow,
        mempoolWait,
        connectTimeout,
        stallTimeout,
        userAgent,
        seed,
        checkpoints,
        spotChecks,
        Optional.of(preset));
  }

  /**
   * Returns whether what peers tell of blocks is to be compared.
   *
   * @return true if several peers have to see each block, or whole blocks are looked at
   */
  public boolean compares() {
    return verify > 1 || spotChecks > 0;
  }

  private static void requirePositive(String name, Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException(name + " " + timeout + ", expected more than 0");
    }
  }

  /**
   * Returns the usual settings for some peers: all of them at once, complete and done.
   *
   * @param peers who to connect to
   * @param seed for tweaks and nonces
   * @return settings to derive others from
   */
  public static SyncSettings of(List<PeerAddress> peers, long seed) {
    return new SyncSettings(
        peers,
        Math.max(1, peers.size()),
        1,
        FAST_RATE,
        false,
        false,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        USER_AGENT,
        seed);
  }

  /**
   * Derives settings with other checkpoints.
   *
   * @param known blocks of the network's chain
   * @return new settings
   */
  public SyncSettings checkpoints(Checkpoints known) {
    return new SyncSettings(
        peers,
        connections,
        verify,
        rate,
        headersOnly,
        follow,
        mempoolWait,
        connectTimeout,
        stallTimeout,
        userAgent,
        seed,
        known,
        spotChecks,
        guarded);
  }

  /**
   * Derives settings with another number of spot checks.
   *
   * @param blocks how many whole blocks are compared with what was told of them
   * @return new settings
   * @throws IllegalArgumentException if it is negative
   */
  public SyncSettings spotChecks(int blocks) {
    return new SyncSettings(
        peers,
        connections,
        verify,
        rate,
        headersOnly,
        follow,
        mempoolWait,
        connectTimeout,
        stallTimeout,
        userAgent,
        seed,
        checkpoints,
        blocks,
        guarded);
  }

  /**
   * Returns the same, but with every block seen by several peers.
   *
   * @param witnesses by how many different peers, at least 1
   * @return settings to derive others from
   * @throws IllegalArgumentException for less than 1
   */
  public SyncSettings verifiedBy(int witnesses) {
    return new SyncSettings(
        peers,
        connections,
        witnesses,
        rate,
        headersOnly,
        follow,
        mempoolWait,
        connectTimeout,
        stallTimeout,
        userAgent,
        seed,
        checkpoints,
        spotChecks,
        guarded);
  }

  /**
   * Tells what the fast preset's filter of some elements looks like, but for its tweak.
   *
   * @param elements how many
   * @param rate as {@link #rate}
   * @return parameters with tweak 0
   */
  public static FilterParameters fastFilter(int elements, double rate) {
    return new FilterPolicy(rate).parameters(elements, 0);
  }
}
