package org.murmur.p2p.sync;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * Settings of a session. Begin with {@link #of} and derive: each method that takes a value returns
 * a changed copy. Immutable.
 */
public final class SyncSettings {

  /**
   * So low that the server-side filter does not degrade as the server adds outpoints: 2,000
   * elements take 10.8 kB.
   */
  public static final double FAST_RATE = 1e-9;

  /** Our user agent (BIP-0014): without a version, so that it does not distinguish wallets. */
  public static final String USER_AGENT = "/murmur/";

  /** How long a connection and its handshake may take. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** The same through a proxy: Tor takes up to about 20 seconds to reach an onion service. */
  private static final Duration PROXIED_CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** How long a peer may be silent before it answers a request. */
  private static final Duration STALL_TIMEOUT = Duration.ofSeconds(30);

  /** Core spreads its answer to {@code mempool} over some seconds. */
  private static final Duration MEMPOOL_WAIT = Duration.ofSeconds(10);

  // Constructors write these; with() changes them only in its own new copy.
  private List<NodeAddress> peers;
  private long seed;
  private Bytes key;
  private int connections;
  private int verify = 1;
  private double rate = FAST_RATE;
  private int filterElements;
  private boolean headersOnly;
  private int recentBlocks;
  private long maxBytes;
  private boolean follow;
  private Duration mempoolWait = MEMPOOL_WAIT;
  private Duration connectTimeout = CONNECT_TIMEOUT;
  private Duration stallTimeout = STALL_TIMEOUT;
  private Checkpoints checkpoints = Checkpoints.NONE;
  private int spotChecks;
  private Optional<PrivatePreset> guarded = Optional.empty();
  private boolean proxied;
  private Set<NodeAddress> avoided = Set.of();
  private Optional<Discovery> discovery = Optional.empty();

  private SyncSettings(List<NodeAddress> peers, long seed) {
    this.peers = List.copyOf(peers);
    this.seed = seed;
    this.key = new ByteWriter(Long.BYTES).int64(seed).toBytes();
    this.connections = Math.max(1, peers.size());
  }

  private SyncSettings(SyncSettings other) {
    peers = other.peers;
    seed = other.seed;
    key = other.key;
    connections = other.connections;
    verify = other.verify;
    rate = other.rate;
    filterElements = other.filterElements;
    headersOnly = other.headersOnly;
    recentBlocks = other.recentBlocks;
    maxBytes = other.maxBytes;
    follow = other.follow;
    mempoolWait = other.mempoolWait;
    connectTimeout = other.connectTimeout;
    stallTimeout = other.stallTimeout;
    checkpoints = other.checkpoints;
    spotChecks = other.spotChecks;
    guarded = other.guarded;
    proxied = other.proxied;
    avoided = other.avoided;
    discovery = other.discovery;
  }

  /**
   * Returns the usual settings: connect to all these peers at once, sync, end.
   *
   * @param peers peers to connect to; only these, unless others are {@link #discoveringBy
   *     discovered}
   * @param seed for nonces; the machine has no other source of randomness
   * @return settings to derive others from
   */
  public static SyncSettings of(List<NodeAddress> peers, long seed) {
    return new SyncSettings(peers, seed);
  }

  /**
   * Returns what the tweaks of the fast preset's filters follow from.
   *
   * @return a secret of the wallet; without one, {@link #of} makes it of the seed
   */
  public Bytes key() {
    return key;
  }

  /**
   * Derives settings under which a peer gets the same filter in each session, while that holds the
   * same elements.
   *
   * @param secret the same in every session of a wallet, and unique to it; not empty
   * @return the derived settings
   */
  public SyncSettings keyedBy(Bytes secret) {
    return with(changed -> changed.key = secret);
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
    if (recentBlocks < 0 || (recentBlocks > 0 && !headersOnly)) {
      throw new IllegalArgumentException(
          "recent blocks " + recentBlocks + ", expected 0 or more, in a session of headers only");
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
      throw new IllegalArgumentException("guards are not compared: no two get the same filter");
    }
  }

  private static void requirePositive(String name, Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException(name + " " + timeout + ", expected more than 0");
    }
  }

  /**
   * Returns the peers to connect to; only these, unless others are {@link #discoveringBy
   * discovered}.
   *
   * @return unmodifiable, in the order of preference
   */
  public List<NodeAddress> peers() {
    return peers;
  }

  /**
   * Returns the seed of tweaks and nonces.
   *
   * @return any value
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
   * Returns how many different peers have to see every block.
   *
   * @return at least 1
   */
  public int verify() {
    return verify;
  }

  /**
   * Derives settings under which several peers see every block.
   *
   * @param peers how many different peers, at least 1
   * @return new settings
   * @throws IllegalArgumentException for less than 1, or for more than 1 with guards
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
   * Returns how many elements one filter of the fast preset holds at most. The blocks are scanned
   * in several passes if there are more.
   *
   * @return at least 1; as many as {@link FilterParameters#MAX_BYTES} can hold at the rate, unless
   *     set lower
   */
  public int filterElements() {
    return filterElements == 0 ? FilterPolicy.capacity(rate) : filterElements;
  }

  /**
   * Derives settings with smaller filters.
   *
   * @param most how many elements a filter holds at most, at least 1
   * @return new settings
   * @throws IllegalArgumentException if it is less than 1 or more than fit
   */
  public SyncSettings filterElements(int most) {
    if (most < 1 || most > FilterPolicy.capacity(rate)) {
      throw new IllegalArgumentException(
          "filter of " + most + " elements, expected 1 to " + FilterPolicy.capacity(rate));
    }
    return with(changed -> changed.filterElements = most);
  }

  /**
   * Returns how many bytes the session may receive.
   *
   * @return 0 for no limit
   */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Derives settings with a limit of traffic. The machine estimates the size of answers and
   * requests no more than the limit allows; the shell reads no more than the limit.
   *
   * @param bytes received bytes; 0 for no limit
   * @return new settings
   */
  public SyncSettings maxBytes(long bytes) {
    return with(changed -> changed.maxBytes = bytes);
  }

  /**
   * Returns whether to sync headers only; {@link SyncEvent.Complete} then refers to headers.
   *
   * @return true for headers only
   */
  public boolean headersOnly() {
    return headersOnly;
  }

  /**
   * Derives settings that sync headers only, or blocks too.
   *
   * @param only whether to sync headers only
   * @return new settings
   */
  public SyncSettings headersOnly(boolean only) {
    return with(changed -> changed.headersOnly = only);
  }

  /**
   * Returns how many of the last blocks are downloaded whole after the headers, with their witness
   * data. {@link SyncEvent.RecentBlock} brings each.
   *
   * @return 0 for none
   */
  public int recentBlocks() {
    return recentBlocks;
  }

  /**
   * Derives settings that download some of the last blocks after the headers.
   *
   * @param count how many, up to 4 MB each; fewer come if the peers or the byte limit allow no more
   * @return new settings
   * @throws IllegalArgumentException if it is negative, or more than headers are synced
   */
  public SyncSettings recentBlocks(int count) {
    return with(changed -> changed.recentBlocks = count);
  }

  /**
   * Returns whether to follow the chain after the sync is complete.
   *
   * @return true to follow
   */
  public boolean follow() {
    return follow;
  }

  /**
   * Derives settings that follow the chain after the sync, or end.
   *
   * @param stay whether to follow
   * @return new settings
   */
  public SyncSettings follow(boolean stay) {
    return with(changed -> changed.follow = stay);
  }

  /**
   * Returns how long to wait for the peers' unconfirmed transactions.
   *
   * @return zero for no request
   */
  public Duration mempoolWait() {
    return mempoolWait;
  }

  /**
   * Derives settings with another waiting time for unconfirmed transactions.
   *
   * @param wait how long; zero for no request
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
   * Returns how long a peer may be silent before it answers a request.
   *
   * @return more than zero
   */
  public Duration stallTimeout() {
    return stallTimeout;
  }

  /**
   * Returns the known blocks; headers between them are requested in parallel.
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
   * Returns how many whole blocks, at random heights, are compared with the served matches.
   *
   * @return 0 for none
   */
  public int spotChecks() {
    return spotChecks;
  }

  /**
   * Derives settings with another number of spot checks.
   *
   * @param blocks how many whole blocks to compare with the served matches
   * @return new settings
   * @throws IllegalArgumentException if it is negative, or above 0 with guards
   */
  public SyncSettings spotChecks(int blocks) {
    return with(changed -> changed.spotChecks = blocks);
  }

  /**
   * Returns the private preset: which peers may get filters, and which filters.
   *
   * @return empty for the fast preset
   */
  public Optional<PrivatePreset> guarded() {
    return guarded;
  }

  /**
   * Derives settings under the private preset.
   *
   * @param preset which peers may get filters, and which filters
   * @return new settings
   * @throws IllegalArgumentException with cross-checks
   */
  public SyncSettings guardedBy(PrivatePreset preset) {
    return with(changed -> changed.guarded = Optional.of(preset));
  }

  /**
   * Returns whether the shell connects through a proxy. The proxy then resolves names, there are no
   * lookups here, and only the IP addresses that the user named are known.
   *
   * @return false for direct connections
   */
  public boolean proxied() {
    return proxied;
  }

  /**
   * Derives settings with or without a proxy; connecting through a proxy may take longer.
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
   * Returns the peers that this session must not talk to, whatever the source of their address.
   *
   * @return in canonical form
   */
  public Set<NodeAddress> avoided() {
    return avoided;
  }

  /**
   * Derives settings that avoid some peers. One that turns out to be at the address of another name
   * is dropped before our version message.
   *
   * @param peers in any spelling of their addresses
   * @return new settings
   */
  public SyncSettings avoiding(Collection<NodeAddress> peers) {
    Set<NodeAddress> all = Set.copyOf(peers);
    return with(changed -> changed.avoided = all);
  }

  /**
   * Returns how to discover peers.
   *
   * @return empty to call only the named peers
   */
  public Optional<Discovery> discovery() {
    return discovery;
  }

  /**
   * Derives settings that discover peers in addition to the named ones.
   *
   * @param how where to search
   * @return new settings
   */
  public SyncSettings discoveringBy(Discovery how) {
    return with(changed -> changed.discovery = Optional.of(how));
  }

  /**
   * Returns whether blocks are cross-checked.
   *
   * @return true if several peers have to see each block, or whole blocks are checked
   */
  public boolean compares() {
    return verify > 1 || spotChecks > 0;
  }

  /**
   * Returns how many elements one filter of the fast preset holds at most.
   *
   * @param rate as {@link #rate}
   * @return at least 1
   */
  public static int fastElements(double rate) {
    return FilterPolicy.capacity(rate);
  }

  /**
   * Returns the parameters of the fast preset's filter, without its tweak.
   *
   * @param elements how many
   * @param rate as {@link #rate}
   * @return parameters with tweak 0
   */
  public static FilterParameters fastFilter(int elements, double rate) {
    return FilterPolicy.fresh(elements, rate);
  }
}
