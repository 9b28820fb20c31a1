package org.murmur.wallet.session;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.PrivatePreset;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.sync.GuardOptions;
import org.murmur.wallet.sync.NamedPeers;
import org.murmur.wallet.sync.SyncOptions;

/** The machine's settings, from a user's options. */
public final class SessionSettings {

  /** One is shown the scripts, the other the outpoints. */
  private static final int GUARDS = 2;

  /** Enough to go on when one is lost, and not slow when one is. */
  private static final int FOUND_PEERS = 3;

  private SessionSettings() {}

  static SyncSettings of(
      Books books, Network network, SyncOptions options, NamedPeers named, SecureRandom dice)
      throws StoreException {
    SyncSettings usual = SyncSettings.of(peers(books, options, named), dice.nextLong());
    SyncSettings settings =
        usual
            .connections(connections(options, usual.connections()))
            .verifiedBy(options.verify())
            .rate(options.rate())
            .headersOnly(options.headersOnly())
            .maxBytes(options.maxBytes())
            .follow(options.follow())
            .mempoolWait(options.mempoolWait())
            .checkpoints(options.checkpoints().orElseGet(() -> Checkpoints.of(network)))
            .spotChecks(options.spotChecks())
            .proxied(options.proxy().isPresent());
    if (options.discovers()) {
      settings = settings.discoveringBy(discovery(network, options, named));
    }
    return options.isPrivate() ? settings.guardedBy(preset(books, options, named, dice)) : settings;
  }

  /** However few may be called at once, those who hold the filters are among them. */
  private static List<PeerAddress> peers(Books books, SyncOptions options, NamedPeers named)
      throws StoreException {
    if (!options.isPrivate()) {
      return named.peers();
    }
    List<PeerAddress> guardsFirst = new ArrayList<>(books.shown(true));
    guardsFirst.retainAll(named.peers());
    List<PeerAddress> others = new ArrayList<>(named.peers());
    others.removeAll(guardsFirst);
    guardsFirst.addAll(others);
    return guardsFirst;
  }

  private static int connections(SyncOptions options, int usual) {
    if (options.discovers()) {
      return wanted(options);
    }
    return options.connections() == 0 ? usual : Math.max(options.connections(), least(options));
  }

  /**
   * Returns how many found peers a session connects to. Each of them learns a filter.
   *
   * @param options with a preset
   * @return 1 or more
   */
  public static int wanted(SyncOptions options) {
    int usual = options.isPrivate() ? GUARDS : FOUND_PEERS;
    return Math.max(options.connections() == 0 ? usual : options.connections(), least(options));
  }

  private static int least(SyncOptions options) {
    return options.isPrivate() ? leastGuards(options) : options.verify();
  }

  /** Whether fewer connections are allowed than it takes guards. */
  static boolean isShortOfGuards(SyncOptions options) {
    int wanted = options.connections();
    return options.isPrivate() && wanted > 0 && wanted < leastGuards(options);
  }

  private static int leastGuards(SyncOptions options) {
    return options.guards().onePeer() ? 1 : GUARDS;
  }

  private static Discovery discovery(Network network, SyncOptions options, NamedPeers named) {
    boolean regtest = network.equals(Network.REGTEST);
    return new Discovery(
        options.dnsSeeds().orElseGet(network::dnsSeeds),
        named.seedNodes(),
        (regtest ? Scope.LOCAL : Scope.INTERNET).withOnion(options.proxy().isPresent()),
        network.defaultPort(),
        Set.copyOf(named.avoided()));
  }

  private static PrivatePreset preset(
      Books books, SyncOptions options, NamedPeers named, SecureRandom dice) throws StoreException {
    GuardOptions how = options.guards();
    return new PrivatePreset(
        books.filterKey(dice), how.rate(), how.onePeer(), Set.copyOf(named.dismissed()));
  }
}
