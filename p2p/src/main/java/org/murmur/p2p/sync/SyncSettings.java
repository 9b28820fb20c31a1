package org.murmur.p2p.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.murmur.bip37.FilterParameters;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * How a session is to be run. Begin with {@link #of} and derive: each method that takes a value
 * returns new settings that differ in it. Immutable.
 */
public final class SyncSettings {

  /**
   * So low that the server's copy does not degrade when it adds outpoints: 2,000 elements are 10.8
   * kB.
   */
  public static final double FAST_RATE = 1e-9;

  /**
   * What we call ourselves on the wire (BIP-0014): no version, nothing to tell wallets apart by.
   */
  public static final String USER_AGENT = "/murmur/";

  /** How long a connection and its handshake may take. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /**
   * The same through a proxy: Tor takes up to some twenty seconds for the way to an onion service.
   */
  private static final Duration PROXIED_CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** How long a peer that owes us something may be silent. */
  private static final Duration STALL_TIMEOUT = Duration.ofSeconds(30);

  /** Core spreads its answer to {@code mempool} over some seconds. */
  private static final Duration MEMPOOL_WAIT = Duration.ofSeconds(10);

  // Written by constructors and by the change that with() makes to its own new copy only.
  private List<PeerAddress> peers;
  private long seed;
  private int connections;
  private int verify = 1;
  private double rate = FAST_RATE;
  private boolean headersOnly;
  private long maxBytes;
  private boolean follow;
  private Duration mempoolWait = MEMPOOL_WAIT;
  private Duration connectTimeout = CONNECT_TIMEOUT;
  private Duration stallTimeout = STALL_TIMEOUT;
  private Checkpoints checkpoints = Checkpoints.NONE;
  private int spotChecks;
  private Optional<PrivatePreset> guarded = Optional.empty();
  private boolean proxied;
  private Optional<Discovery> discovery = Optional.empty();

  private SyncSettings(List<PeerAddress> peers, long seed) {
    this.peers = List.copyOf(peers);
    this.seed = seed;
    this.connections = Math.max(1, peers.size());
  }

  private SyncSettings(SyncSettings other) {
    peers = other.peers;
    seed = other.seed;
    connections = other.connections;
    verify = other.verify;
    rate = other.rate;
    headersOnly = other.headersOnly;
    maxBytes = other.maxBytes;
    follow = other.follow;
    mempoolWait = other.mempoolWait;
    connectTimeout = other.connectTimeout;
    stallTimeout = other.stallTimeout;
    checkpoints = other.checkpoints;
    spotChecks = other.spotChecks;
    guarded = other.guarded;
    proxied = other.proxied;
    discovery = other.discovery;
  }

  /**
   * Returns the usual settings for some peers: all of them at once, complete and done.
   *
   * @param peers who to connect to; only these, unless others are to be {@link #discoveringBy
   *     found}
   * @param seed for tweaks and nonces; the machine has no dice of its own
   * @return settings to derive others from
   */
  public static SyncSettings of(List<PeerAddress> peers, long seed) {
    return new SyncSettings(peers, seed);
  }

  private SyncSettings with(Consumer<SyncSettings> change) {
    SyncSettings changed = new SyncSettings(this);
    change.accept(changed);
    changed.check();
    return changed;
  }

  private void check() {
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
      throw new IllegalArgumentException("rate " + rate + ", expected more than 0 and less than 1");
    }
    if (mempoolWait.isNegative()) {
      throw new IllegalArgumentException("mempool wait " + mempoolWait + ", expected 0 or more");
    }
    requirePositive("connect timeout", connectTimeout);
    requirePositive("stall timeout", stallTimeout);
    if (guarded.isPresent() && compares()) {
      throw new IllegalArgumentException("guards are not compared: no peer sees what another does");
    }
  }

  private static void requirePositive(String name, Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException(name + " " + timeout + ", expected more than 0");
    }
  }

  /**
   * Returns who to connect to; only these, unless others are to be {@link #discoveringBy found}.
   *
   * @return unmodifiable, in the order of preference
   */
  public List<PeerAddress> peers() {
    return peers;
  }

  /**
   * Returns what tweaks and nonces come from.
   *
   * @return any
   */
  public long seed() {
    return seed;
  }

  /**
   * Returns how many peers to connect to at once.
   *
   * @return at least 1
   */
  public int connections() {
    return connections;
  }

  /**
   * Derives settings with another number of connections.
   *
   * @param count how many peers at once, at least 1
   * @return new settings
   * @throws IllegalArgumentException for less than 1
   */
  public SyncSettings connections(int count) {
    return with(changed -> changed.connections = count);
  }

  /**
   * Returns by how many different peers every block has to be seen.
   *
   * @return at least 1
   */
  public int verify() {
    return verify;
  }

  /**
   * Derives settings with every block seen by several peers.
   *
   * @param peers by how many different peers, at least 1
   * @return new settings
   * @throws IllegalArgumentException for less than 1, or for more where guards are chosen
   */
  public SyncSettings verifiedBy(int peers) {
    return with(changed -> changed.verify = peers);
  }

  /**
   * Returns the false-positive rate of the fast preset's filters, per element, when they are full.
   *
   * @return greater than 0 and less than 1
   */
  public double rate() {
    return rate;
  }

  /**
   * Derives settings with another false-positive rate.
   *
   * @param falsePositives greater than 0 and less than 1
   * @return new settings
   * @throws IllegalArgumentException if it is out of its range
   */
  public SyncSettings rate(double falsePositives) {
    return with(changed -> changed.rate = falsePositives);
  }

  /**
   * Returns how many bytes may come in the session.
   *
   * @return 0 for no limit
   */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Derives settings with a limit of traffic. No more is asked for than it allows, as far as the
   * size of the answers can be estimated, and the shell reads no more than this.
   *
   * @param bytes received; 0 for no limit
   * @return new settings
   */
  public SyncSettings maxBytes(long bytes) {
    return with(changed -> changed.maxBytes = bytes);
  }

  /**
   * Returns whether blocks are left alone; complete then speaks of the headers.
   *
   * @return true for headers only
   */
  public boolean headersOnly() {
    return headersOnly;
  }

  /**
   * Derives settings that leave blocks alone, or not.
   *
   * @param only whether to sync headers only
   * @return new settings
   */
  public SyncSettings headersOnly(boolean only) {
    return with(changed -> changed.headersOnly = only);
  }

  /**
   * Returns whether to stay when complete and take what comes.
   *
   * @return true to stay
   */
  public boolean follow() {
    return follow;
  }

  /**
   * Derives settings that stay when complete, or not.
   *
   * @param stay whether to stay
   * @return new settings
   */
  public SyncSettings follow(boolean stay) {
    return with(changed -> changed.follow = stay);
  }

  /**
   * Returns how long to wait for the peers' unconfirmed transactions.
   *
   * @return zero to not ask
   */
  public Duration mempoolWait() {
    return mempoolWait;
  }

  /**
   * Derives settings with another waiting time for unconfirmed transactions.
   *
   * @param wait how long; zero to not ask
   * @return new settings
   * @throws IllegalArgumentException if it is negative
   */
  public SyncSettings mempoolWait(Duration wait) {
    return with(changed -> changed.mempoolWait = wait);
  }

  /**
   * Returns how long a connection and its handshake may take.
   *
   * @return more than zero
   */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /**
   * Returns how long a peer that owes us something may be silent.
   *
   * @return more than zero
   */
  public Duration stallTimeout() {
    return stallTimeout;
  }

  /**
   * Returns the blocks known beforehand, between which headers are asked for side by side.
   *
   * @return none by default
   */
  public Checkpoints checkpoints() {
    return checkpoints;
  }

  /**
   * Derives settings with other checkpoints.
   *
   * @param known blocks of the network's chain
   * @return new settings
   */
  public SyncSettings checkpoints(Checkpoints known) {
    return with(changed -> changed.checkpoints = known);
  }

  /**
   * Returns how many whole blocks, at random heights, are compared with what was told of them.
   *
   * @return 0 for none
   */
  public int spotChecks() {
    return spotChecks;
  }

  /**
   * Derives settings with another number of spot checks.
   *
   * @param blocks how many whole blocks are compared with what was told of them
   * @return new settings
   * @throws IllegalArgumentException if it is negative, or above 0 where guards are chosen
   */
  public SyncSettings spotChecks(int blocks) {
    return with(changed -> changed.spotChecks = blocks);
  }

  /**
   * Returns who may be shown filters, and which: the private preset.
   *
   * @return empty for the fast one
   */
  public Optional<PrivatePreset> guarded() {
    return guarded;
  }

  /**
   * Derives settings under the private preset.
   *
   * @param preset who may be shown filters, and which
   * @return new settings
   * @throws IllegalArgumentException if peers are to be compared
   */
  public SyncSettings guardedBy(PrivatePreset preset) {
    return with(changed -> changed.guarded = Optional.of(preset));
  }

  /**
   * Returns whether the shell connects through a proxy: then names are resolved there, nothing is
   * looked up here, and no number of a peer is known but those it was named by.
   *
   * @return false for direct connections
   */
  public boolean proxied() {
    return proxied;
  }

  /**
   * Derives settings for connections through a proxy, or without; the first may take longer.
   *
   * @param through whether the shell has a proxy
   * @return new settings
   */
  public SyncSettings proxied(boolean through) {
    return with(
        changed -> {
          changed.proxied = through;
          changed.connectTimeout = through ? PROXIED_CONNECT_TIMEOUT : CONNECT_TIMEOUT;
        });
  }

  /**
   * Returns where peers are found.
   *
   * @return empty if only those are called that are named
   */
  public Optional<Discovery> discovery() {
    return discovery;
  }

  /**
   * Derives settings under which peers are found beside those that are named.
   *
   * @param how where to look
   * @return new settings
   */
  public SyncSettings discoveringBy(Discovery how) {
    return with(changed -> changed.discovery = Optional.of(how));
  }

  /**
   * Returns whether what peers tell of blocks is to be compared.
   *
   * @return true if several peers have to see each block, or whole blocks are looked at
   */
  public boolean compares() {
    return verify > 1 || spotChecks > 0;
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
