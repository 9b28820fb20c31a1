package org.murmur.wallet;

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
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.sync.Books;

/** What the machine is told of a user's options. */
final class SessionSettings {

  /** One is shown the scripts, the other the outpoints. */
  private static final int GUARDS = 2;

  /** Enough to go on when one is lost, and not slow when one is. */
  private static final int FOUND_PEERS = 3;

  private SessionSettings() {}

  static SyncSettings of(Books books, Network network, SyncOptions options, SecureRandom dice)
      throws StoreException, WalletException {
    SyncSettings usual = SyncSettings.of(peers(books, network, options), dice.nextLong());
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
      settings = settings.discoveringBy(discovery(network, options));
    }
    return options.isPrivate()
        ? settings.guardedBy(preset(books, network, options, dice))
        : settings;
  }

  /** However few may be called at once, those who hold the filters are among them. */
  private static List<PeerAddress> peers(Books books, Network network, SyncOptions options)
      throws StoreException, WalletException {
    List<PeerAddress> named = addresses(network, options);
    if (!options.isPrivate()) {
      return named;
    }
    List<PeerAddress> guards = new ArrayList<>(books.shown(true));
    guards.retainAll(named);
    named.removeAll(guards);
    guards.addAll(named);
    return guards;
  }

  private static int connections(SyncOptions options, int usual) {
    if (options.discovers()) {
      return wanted(options);
    }
    return options.connections() == 0 ? usual : Math.max(options.connections(), least(options));
  }

  /** How many peers that are found share the work; each more learns a filter. */
  static int wanted(SyncOptions options) {
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

  private static Discovery discovery(Network network, SyncOptions options) throws WalletException {
    boolean regtest = network.equals(Network.REGTEST);
    return new Discovery(
        options.dnsSeeds().orElseGet(network::dnsSeeds),
        addresses(options.seedNodes(), network),
        (regtest ? Scope.LOCAL : Scope.INTERNET).withOnion(options.proxy().isPresent()),
        network.defaultPort(),
        Set.copyOf(addresses(options.avoided(), network)));
  }

  private static PrivatePreset preset(
      Books books, Network network, SyncOptions options, SecureRandom dice)
      throws StoreException, WalletException {
    GuardOptions how = options.guards();
    return new PrivatePreset(
        books.filterKey(dice),
        how.rate(),
        how.onePeer(),
        Set.copyOf(addresses(how.dismissed(), network)));
  }

  /** The peers of a session, of which there must be some if none are to be found. */
  static List<PeerAddress> addresses(Network network, SyncOptions options) throws WalletException {
    List<PeerAddress> addresses = addresses(options.peers(), network);
    if (addresses.isEmpty() && !options.discovers()) {
      throw new WalletException(
          WalletException.Kind.BAD_INPUT, "no peer to connect to: name at least one");
    }
    checkHidden(addresses, options);
    checkHidden(addresses(options.seedNodes(), network), options);
    return addresses;
  }

  private static void checkHidden(List<PeerAddress> addresses, SyncOptions options)
      throws WalletException {
    for (PeerAddress address : addresses) {
      if (address.isHidden() && !options.proxy().isPresent()) {
        throw new WalletException(
            WalletException.Kind.BAD_INPUT,
            address + " can only be reached through a proxy, and none is named");
      }
    }
  }

  static List<PeerAddress> addresses(List<String> peers, Network network) throws WalletException {
    List<PeerAddress> addresses = new ArrayList<>();
    for (String peer : peers) {
      try {
        addresses.add(PeerAddress.parse(peer, network.defaultPort()));
      } catch (IllegalArgumentException e) {
        throw new WalletException(
            WalletException.Kind.BAD_INPUT, String.valueOf(e.getMessage()), e);
      }
    }
    return addresses;
  }
}
