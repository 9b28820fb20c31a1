package org.murmur.wallet.session;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.PrivatePreset;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.sync.GuardOptions;
import org.murmur.wallet.sync.NamedPeers;
import org.murmur.wallet.sync.SyncOptions;

/** The machine's settings, from a user's request. */
public final class SessionSettings {

  /** One gets the scripts, the other the outpoints. */
  private static final int GUARDS = 2;

  /** Enough to continue when one is lost, and for good speed when one is slow. */
  private static final int FOUND_PEERS = 3;

  private SessionSettings() {}

  static SyncSettings of(
      Books books, ChainParams network, SessionRequest request, SecureRandom dice) {
    SyncOptions options = request.options();
    SyncSettings usual = SyncSettings.of(peers(books, request), dice.nextLong());
    SyncSettings settings =
        usual
            .connections(connections(request, usual.connections()))
            .verifiedBy(options.verify())
            .maxBytes(options.maxBytes())
            .checkpoints(options.checkpoints().orElseGet(() -> Checkpoints.of(network)))
            .proxied(options.proxy().isPresent())
            .avoiding(request.named().avoided());
    if (options.discovers()) {
      settings = settings.discoveringBy(discovery(network, request));
    }
    if (request.isBroadcast()) {
      return settings.headersOnly(true).mempoolWait(Duration.ZERO);
    }
    if (request.goal() instanceof SessionGoal.Fees fees) {
      return settings.headersOnly(true).mempoolWait(Duration.ZERO).recentBlocks(fees.blocks());
    }
    settings =
        settings
            .rate(options.rate())
            .headersOnly(options.headersOnly())
            .follow(options.follow())
            .mempoolWait(options.mempoolWait())
            .spotChecks(options.spotChecks());
    if (request.isGuarded()) {
      return settings.guardedBy(preset(books.filterKey(dice), request));
    }
    return options.headersOnly() ? settings : settings.keyedBy(books.filterKey(dice));
  }

  /** Even if few may be connected at once, the guards must be among them. */
  private static List<NodeAddress> peers(Books books, SessionRequest request) {
    List<NodeAddress> named = request.named().peers();
    if (!request.isGuarded()) {
      return named;
    }
    List<NodeAddress> guardsFirst = new ArrayList<>(books.shown(true));
    guardsFirst.retainAll(named);
    List<NodeAddress> others = new ArrayList<>(named);
    others.removeAll(guardsFirst);
    guardsFirst.addAll(others);
    return guardsFirst;
  }

  private static int connections(SessionRequest request, int usual) {
    SyncOptions options = request.options();
    if (options.discovers()) {
      return wanted(options, request.isGuarded());
    }
    int least = least(options, request.isGuarded());
    return options.connections() == 0 ? usual : Math.max(options.connections(), least);
  }

  /**
   * Returns how many found peers a session connects to. Each of them learns a filter.
   *
   * @param options with a preset
   * @return 1 or more
   */
  public static int wanted(SyncOptions options) {
    return wanted(options, options.isPrivate());
  }

  private static int wanted(SyncOptions options, boolean guarded) {
    int usual = guarded ? GUARDS : FOUND_PEERS;
    int wanted = options.connections() == 0 ? usual : options.connections();
    return Math.max(wanted, least(options, guarded));
  }

  private static int least(SyncOptions options, boolean guarded) {
    return guarded ? leastGuards(options) : options.verify();
  }

  /** Whether fewer connections are allowed than there are guards. */
  static boolean isShortOfGuards(SessionRequest request) {
    int wanted = request.options().connections();
    return request.isGuarded() && wanted > 0 && wanted < leastGuards(request.options());
  }

  private static int leastGuards(SyncOptions options) {
    return options.guards().onePeer() ? 1 : GUARDS;
  }

  private static Discovery discovery(ChainParams network, SessionRequest request) {
    SyncOptions options = request.options();
    NamedPeers named = request.named();
    boolean regtest = network.equals(ChainParams.REGTEST);
    return new Discovery(
        options.dnsSeeds().orElseGet(network::dnsSeeds),
        named.seedNodes(),
        (regtest ? Scope.LOCAL : Scope.INTERNET).withOnion(options.proxy().isPresent()),
        network.defaultPort());
  }

  private static PrivatePreset preset(Bytes key, SessionRequest request) {
    GuardOptions how = request.options().guards();
    Set<NodeAddress> dismissed = Set.copyOf(request.named().dismissed());
    return new PrivatePreset(key, how.rate(), how.onePeer(), dismissed);
  }
}
