package org.murmur.wallet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.session.SessionRequest;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncOptions;

/**
 * Chooses the preset of a session. The options come first, then the preset that the wallet used
 * last, then a rule: private on mainnet, unless all peers are on this machine or in private
 * networks; fast on other networks.
 */
final class PresetRule {

  private PresetRule() {}

  /** The same options with the choice filled in. */
  static SyncOptions apply(PresetChoice choice, SyncOptions options, ChainParams network) {
    SyncOptions chosen = options.preset(choice.preset());
    return switch (choice.preset()) {
      case FAST -> chosen;
      case PRIVATE ->
          chosen.ifPrivate(
              values -> values.onePeer(choice.leastPeers() == 1).at(network.defaultPort()));
      case COMPACT -> {
        Preset.Pool pool = pool(options, network).at(network.defaultPort());
        yield chosen.pool(pool).peers(peers -> with(pool, peers));
      }
    };
  }

  /** The node whose memory pool is asked is called first: nobody takes its place. */
  private static Peers with(Preset.Pool pool, Peers peers) {
    List<NodeAddress> named = new ArrayList<>(peers.named());
    pool.node().ifPresent(node -> named.add(0, node));
    return peers.named(named);
  }

  /** All that is announced costs too much on mainnet, and shows little in a short sync. */
  private static Preset.Pool pool(SyncOptions options, ChainParams network) {
    boolean usual = options.follow() && !network.equals(ChainParams.MAINNET);
    return options.headersOnly()
        ? Preset.Pool.NONE
        : options.pool().orElse(usual ? Preset.Pool.ALL : Preset.Pool.NONE);
  }

  /** Chooses, with data from the wallet's file. */
  static PresetChoice choose(
      SyncOptions options, Peers peers, ChainParams network, WalletStore store) {
    boolean epoch = wasShownPrivately(store);
    Optional<Preset.Kind> last = last(store, network);
    Preset.Kind preset =
        options.preset().orElseGet(() -> last.orElseGet(() -> rule(peers, network)));
    PresetChoice.Reason reason =
        options.preset().isPresent()
            ? PresetChoice.Reason.SAID
            : last.isPresent() ? PresetChoice.Reason.LAST : PresetChoice.Reason.RULE;
    boolean was = epoch || last.filter(kind -> kind != Preset.Kind.FAST).isPresent();
    boolean exposes = preset == Preset.Kind.FAST && was && !options.headersOnly();
    int least =
        switch (preset) {
          case FAST -> 1;
          case PRIVATE ->
              options.guarded().onePeer() || isOneGuard(options, store) ? 1 : Preset.Private.GUARDS;
          case COMPACT -> SessionRequest.compact(options).leastPeers();
        };
    return new PresetChoice(preset, reason, exposes, least);
  }

  /**
   * The preset that the wallet used last. If the file lacks it, the last filter shows it. On
   * mainnet, a filter with everything at the user's own node does not count.
   */
  static Optional<Preset.Kind> last(WalletStore store, ChainParams network) {
    Optional<Preset.Kind> kept = store.preset();
    @Nullable SentFilter shown = store.lastShown();
    if (kept.isPresent() || shown == null) {
      return kept;
    }
    if (shown.content() instanceof Content.Epoch) {
      return Optional.of(Preset.Kind.PRIVATE);
    }
    return shown.peer().isLocal() && network.equals(ChainParams.MAINNET)
        ? Optional.empty()
        : Optional.of(Preset.Kind.FAST);
  }

  /** Whether the last filter that a peer received is one of the private preset. */
  static boolean wasShownPrivately(WalletStore store) {
    SentFilter shown = store.lastShown();
    return shown != null && shown.content() instanceof Content.Epoch;
  }

  /** The number of the last filter that a peer received; -1 before the first. */
  static long lastShown(WalletStore store) {
    @Nullable SentFilter shown = store.lastShown();
    return shown == null ? -1 : shown.load();
  }

  /** Whether one peer became the guard of both roles: it learns nothing more by it. */
  private static boolean isOneGuard(SyncOptions options, WalletStore store) {
    if (!options.guarded().dismissed().isEmpty()) {
      return false;
    }
    Map<FilterRole, NodeAddress> guards = new EnumMap<>(FilterRole.class);
    store.showings(
        sent -> {
          if (sent.content() instanceof Content.Epoch epoch) {
            guards.put(epoch.role(), sent.peer());
          }
        });
    return guards.size() == FilterRole.values().length
        && new HashSet<>(guards.values()).size() == 1;
  }

  private static Preset.Kind rule(Peers peers, ChainParams network) {
    boolean strangers =
        peers.discovery().isPresent() || !peers.named().stream().allMatch(NodeAddress::isLocal);
    return network.equals(ChainParams.MAINNET) && strangers
        ? Preset.Kind.PRIVATE
        : Preset.Kind.FAST;
  }
}
