package org.murmur.wallet.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.net.HostNames;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.wallet.privacy.Preset;

/**
 * Options of a sync. Begin with {@link #connect} and derive: each method that takes a value returns
 * a changed copy. Immutable.
 */
public final class SyncOptions {

  /** How long to wait for unconfirmed transactions. */
  private static final Duration USUAL_WAIT = Duration.ofSeconds(10);

  /**
   * How long to wait for the peers' reactions to a broadcast. Core returns a new transaction only
   * after its next announcements to inbound peers, which are 5 seconds apart on average, at random
   * (INBOUND_INVENTORY_BROADCAST_INTERVAL): 10 seconds would be too short for one in five.
   */
  private static final Duration BROADCAST_WAIT = Duration.ofSeconds(30);

  // Constructors write these; with() changes them only in its own new copy.
  private List<String> peers;
  private int connections;
  private boolean follow;
  private Duration mempoolWait = USUAL_WAIT;
  private Duration timeout = Duration.ZERO;
  private double rate = SyncSettings.FAST_RATE;
  private boolean headersOnly;
  private long maxBytes;
  private Duration broadcastWait = BROADCAST_WAIT;
  private Optional<Checkpoints> checkpoints = Optional.empty();
  private int verify = 1;
  private int spotChecks;
  private Optional<Preset> preset = Optional.empty();
  private GuardOptions guards = GuardOptions.USUAL;
  private boolean fromGenesis;
  private Optional<Proxy> proxy = Optional.empty();
  private boolean discovers;
  private List<String> seedNodes = List.of();
  private Optional<List<String>> dnsSeeds = Optional.empty();
  private List<String> avoided = List.of();
  private HostNames hostNames = HostNames.SYSTEM;
  private Optional<StopSignal> stopSignal = Optional.empty();

  private SyncOptions(List<String> peers) {
    this.peers = List.copyOf(peers);
  }

  private SyncOptions(SyncOptions other) {
    peers = other.peers;
    connections = other.connections;
    follow = other.follow;
    mempoolWait = other.mempoolWait;
    timeout = other.timeout;
    rate = other.rate;
    headersOnly = other.headersOnly;
    maxBytes = other.maxBytes;
    broadcastWait = other.broadcastWait;
    checkpoints = other.checkpoints;
    verify = other.verify;
    spotChecks = other.spotChecks;
    preset = other.preset;
    guards = other.guards;
    fromGenesis = other.fromGenesis;
    proxy = other.proxy;
    discovers = other.discovers;
    seedNodes = other.seedNodes;
    dnsSeeds = other.dnsSeeds;
    avoided = other.avoided;
    hostNames = other.hostNames;
    stopSignal = other.stopSignal;
  }

  /**
   * Syncs with these peers until complete, under the {@linkplain #preset preset} that the wallet
   * used last.
   *
   * @param peers {@code HOST}, {@code HOST:PORT} or {@code [IPv6]:PORT}; without a port, the
   *     network's default port counts
   * @return options to derive others from
   * @throws IllegalArgumentException if one is none of these
   */
  public static SyncOptions connect(String... peers) {
    for (String peer : peers) {
      // Any port will do: only the wallet knows the network.
      NodeAddress unused = NodeAddress.parse(peer, 1);
    }
    return new SyncOptions(List.of(peers));
  }

  /**
   * Syncs with discovered peers: those known from earlier sessions and, if these are not enough,
   * those that DNS seeds and other peers announce. Not for regtest, unless seed nodes are named.
   * The {@linkplain #preset preset} is the one that the wallet used last; a wallet's first sync on
   * mainnet is private.
   *
   * @return options to derive others from
   */
  public static SyncOptions discover() {
    return new SyncOptions(List.of()).with(changed -> changed.discovers = true);
  }

  private SyncOptions with(Consumer<SyncOptions> change) {
    SyncOptions changed = new SyncOptions(this);
    change.accept(changed);
    changed.check();
    return changed;
  }

  private void check() {
    if (connections < 0) {
      throw new IllegalArgumentException("connections " + connections + ", expected 0 or more");
    }
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected more than 0 and less than 1");
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
    if (isPrivate() && (verify > 1 || spotChecks > 0)) {
      throw new IllegalArgumentException(
          "the private preset compares nothing: no two peers get the same filter");
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes " + maxBytes + ", expected 0 or more");
    }
  }

  /**
   * Returns the peers to connect to; only these.
   *
   * @return {@code HOST} or {@code HOST:PORT}, IPv6 in brackets; unmodifiable
   */
  public List<String> peers() {
    return peers;
  }

  /**
   * Derives options with other peers to connect to.
   *
   * @param others {@code HOST} or {@code HOST:PORT}
   * @return new options
   */
  public SyncOptions peers(List<String> others) {
    return with(changed -> changed.peers = List.copyOf(others));
  }

  /**
   * Returns whether peers are discovered and not named.
   *
   * @return true for options derived from {@link #discover}
   */
  public boolean discovers() {
    return discovers;
  }

  /**
   * Returns the nodes that are asked for addresses first.
   *
   * @return {@code HOST} or {@code HOST:PORT}; unmodifiable
   */
  public List<String> seedNodes() {
    return seedNodes;
  }

  /**
   * Derives options with nodes to ask for addresses before all others. Nodes given by an IP address
   * may become peers like any other.
   *
   * @param nodes {@code HOST} or {@code HOST:PORT}
   * @return new options
   */
  public SyncOptions seedNodes(String... nodes) {
    return with(changed -> changed.seedNodes = List.of(nodes));
  }

  /**
   * Returns the DNS seeds that are asked if too few addresses are known.
   *
   * @return names; empty for those of the network
   */
  public Optional<List<String>> dnsSeeds() {
    return dnsSeeds;
  }

  /**
   * Derives options with other DNS seeds than the network's, for a custom network.
   *
   * @param names none to ask no DNS
   * @return new options
   */
  public SyncOptions dnsSeeds(List<String> names) {
    return with(changed -> changed.dnsSeeds = Optional.of(List.copyOf(names)));
  }

  /**
   * Returns the resolver of host names.
   *
   * @return the system's, unless another was set
   */
  public HostNames hostNames() {
    return hostNames;
  }

  /**
   * Derives options with another resolver of host names. With a proxy it is not used.
   *
   * @param names resolves names
   * @return new options
   */
  public SyncOptions hostNames(HostNames names) {
    return with(changed -> changed.hostNames = names);
  }

  /**
   * Returns the signal that ends the session in addition to {@code SpvWallet.stop}.
   *
   * @return empty for none
   */
  public Optional<StopSignal> stopSignal() {
    return stopSignal;
  }

  /**
   * Derives options with a signal that ends the session, even if it is set before the session
   * begins. A payment over the connections of a running sync stops waiting then; that sync goes on.
   *
   * @param signal ends it
   * @return new options
   */
  public SyncOptions stoppedBy(StopSignal signal) {
    return with(changed -> changed.stopSignal = Optional.of(signal));
  }

  /**
   * Returns the peers that are never connected to, even if discovered.
   *
   * @return {@code HOST} or {@code HOST:PORT}; unmodifiable
   */
  public List<String> avoided() {
    return avoided;
  }

  /**
   * Derives options with peers that are never connected to, even if discovered.
   *
   * @param peers {@code HOST} or {@code HOST:PORT}
   * @return new options
   */
  public SyncOptions avoiding(List<String> peers) {
    return with(changed -> changed.avoided = List.copyOf(peers));
  }

  /**
   * Returns how many peers to connect to at once.
   *
   * @return 0 for all
   */
  public int connections() {
    return connections;
  }

  /**
   * Derives options with another number of connections.
   *
   * @param count how many peers at once; 0 for all
   * @return new options
   * @throws IllegalArgumentException if it is negative
   */
  public SyncOptions connections(int count) {
    return with(changed -> changed.connections = count);
  }

  /**
   * Returns whether to fetch and check the headers from genesis on, even of a wallet whose headers
   * begin later.
   *
   * @return true to do so; scanned blocks are then scanned again
   */
  public boolean fromGenesis() {
    return fromGenesis;
  }

  /**
   * Derives options that fetch and check the headers from genesis on, or not.
   *
   * @param all whether to do so
   * @return new options
   */
  public SyncOptions fromGenesis(boolean all) {
    return with(changed -> changed.fromGenesis = all);
  }

  /**
   * Returns whether to follow the chain after the sync, until stopped.
   *
   * @return true to follow
   */
  public boolean follow() {
    return follow;
  }

  /**
   * Derives options that follow the chain after the sync, or end.
   *
   * @param stay whether to follow
   * @return new options
   */
  public SyncOptions follow(boolean stay) {
    return with(changed -> changed.follow = stay);
  }

  /**
   * Returns how long to wait for unconfirmed transactions.
   *
   * @return zero to request none
   */
  public Duration mempoolWait() {
    return mempoolWait;
  }

  /**
   * Derives options with another waiting time for unconfirmed transactions.
   *
   * @param wait how long; zero to request none
   * @return new options
   * @throws IllegalArgumentException if it is negative
   */
  public SyncOptions mempoolWait(Duration wait) {
    return with(changed -> changed.mempoolWait = wait);
  }

  /**
   * Returns the time limit of a session, complete or not: a sync, a rescan or a broadcast.
   *
   * @return zero for no limit
   */
  public Duration timeout() {
    return timeout;
  }

  /**
   * Derives options with another time limit.
   *
   * @param limit how long; zero for no limit
   * @return new options
   * @throws IllegalArgumentException if it is negative
   */
  public SyncOptions timeout(Duration limit) {
    return with(changed -> changed.timeout = limit);
  }

  /**
   * Returns the false-positive rate of the filters.
   *
   * @return greater than 0 and less than 1
   */
  public double rate() {
    return rate;
  }

  /**
   * Derives options with another false-positive rate.
   *
   * @param falsePositives greater than 0 and less than 1
   * @return new options
   * @throws IllegalArgumentException if it is out of its range
   */
  public SyncOptions rate(double falsePositives) {
    return with(changed -> changed.rate = falsePositives);
  }

  /**
   * Returns whether to sync headers only; complete then refers to headers.
   *
   * @return true for headers only
   */
  public boolean headersOnly() {
    return headersOnly;
  }

  /**
   * Derives options that sync headers only, or blocks too.
   *
   * @param only whether to sync headers only
   * @return new options
   */
  public SyncOptions headersOnly(boolean only) {
    return with(changed -> changed.headersOnly = only);
  }

  /**
   * Returns how many received bytes end a sync, complete or not.
   *
   * @return 0 for no limit
   */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Derives options with a limit of received bytes. No more than this are read, and no request is
   * sent if its answer would exceed the limit, as far as its size is known. Unrequested or
   * unexpectedly large messages may arrive beyond it, some thousand bytes; they are not read. With
   * less than 200,000 a sync may get nowhere ({@link WalletWarning.LimitTooSmall}): one answer with
   * headers has up to 162,003.
   *
   * @param bytes received, without those that are sent; 0 for no limit
   * @return new options
   * @throws IllegalArgumentException if it is negative
   */
  public SyncOptions maxBytes(long bytes) {
    return with(changed -> changed.maxBytes = bytes);
  }

  /**
   * Returns how long a broadcast waits for the peers' reactions. A shorter {@link #timeout} ends it
   * before.
   *
   * @return zero for no limit
   */
  public Duration broadcastWait() {
    return broadcastWait;
  }

  /**
   * Derives options with another waiting time for the peers' reactions to a broadcast.
   *
   * @param wait how long
   * @return new options
   * @throws IllegalArgumentException if it is negative
   */
  public SyncOptions broadcastWait(Duration wait) {
    return with(changed -> changed.broadcastWait = wait);
  }

  /**
   * Returns the known blocks of a custom chain.
   *
   * @return empty for the network's
   */
  public Optional<Checkpoints> checkpoints() {
    return checkpoints;
  }

  /**
   * Derives options with other checkpoints than the network's, for a custom chain.
   *
   * @param known blocks of that chain
   * @return new options
   */
  public SyncOptions checkpoints(Checkpoints known) {
    return with(changed -> changed.checkpoints = Optional.of(known));
  }

  /**
   * Returns how many different peers must serve every block.
   *
   * @return at least 1
   */
  public int verify() {
    return verify;
  }

  /**
   * Derives options under which several peers serve every block. Their answers are compared. A peer
   * that omitted a transaction is dropped, and the blocks that only it served are scanned again.
   *
   * @param count how many different peers must serve every block, at least 1
   * @return new options
   * @throws IllegalArgumentException for less than 1, or for more under the private preset
   */
  public SyncOptions verify(int count) {
    return with(changed -> changed.verify = count);
  }

  /**
   * Returns how many whole blocks, at random heights, are fetched and compared with the filtered
   * ones.
   *
   * @return 0 for none
   */
  public int spotChecks() {
    return spotChecks;
  }

  /**
   * Derives options that fetch whole blocks at random heights and compare them with the filtered
   * ones.
   *
   * @param count how many blocks; each costs its whole size
   * @return new options
   * @throws IllegalArgumentException if it is negative, or above 0 under the private preset
   */
  public SyncOptions spotChecks(int count) {
    return with(changed -> changed.spotChecks = count);
  }

  /**
   * Returns the chosen preset.
   *
   * @return empty for the one that the wallet used last; in its first sync fast on test networks
   *     and for peers on this machine or in private networks, private otherwise
   */
  public Optional<Preset> preset() {
    return preset;
  }

  /**
   * Derives options under a preset.
   *
   * @param chosen the preset
   * @return new options
   * @throws IllegalArgumentException if it is private, and blocks are to be verified or spot
   *     checked
   */
  public SyncOptions preset(Preset chosen) {
    return with(changed -> changed.preset = Optional.of(chosen));
  }

  /**
   * Returns whether the options name the private preset.
   *
   * @return false also if they name none
   */
  public boolean isPrivate() {
    return preset.equals(Optional.of(Preset.PRIVATE));
  }

  /**
   * Derives options under the fast preset: each peer gets one filter that it can read the whole
   * wallet from. No other option makes a private wallet fast; {@link WalletWarning.WalletExposed}
   * is reported first then.
   *
   * @return new options
   */
  public SyncOptions fast() {
    return preset(Preset.FAST);
  }

  /**
   * Returns the options of the private preset.
   *
   * @return {@link GuardOptions#USUAL}, unless others were set
   */
  public GuardOptions guards() {
    return guards;
  }

  /**
   * Derives options with other options of the private preset. Does not choose that preset.
   *
   * @param how its options
   * @return new options
   */
  public SyncOptions guards(GuardOptions how) {
    return with(changed -> changed.guards = how);
  }

  /**
   * Derives options under the private preset: scripts go to one guard and outpoints to another, in
   * filters that are the same after a restart. No other peer gets a filter.
   *
   * @param how its options
   * @return new options
   * @throws IllegalArgumentException if blocks are to be verified or spot checked
   */
  public SyncOptions privately(GuardOptions how) {
    return guards(how).preset(Preset.PRIVATE);
  }

  /**
   * Returns the proxy that all connections go through.
   *
   * @return empty for direct connections
   */
  public Optional<Proxy> proxy() {
    return proxy;
  }

  /**
   * Derives options that connect through a SOCKS5 proxy, Tor's for instance. It resolves all names,
   * and each connection uses its own login. There are no connections and no look-ups without the
   * proxy, not even for peers on this machine.
   *
   * @param through where the proxy listens
   * @return new options
   */
  public SyncOptions proxy(Proxy through) {
    return with(changed -> changed.proxy = Optional.of(through));
  }
}
