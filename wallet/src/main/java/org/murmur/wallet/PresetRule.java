package org.murmur.wallet;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.privacy.Preset;
import org.murmur.wallet.store.SentFilter;
import org.murmur.wallet.store.WalletStore;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncOptions;

/**
 * Chooses the preset of a session. The options come first, then the preset that the wallet used
 * last, then a rule: private on mainnet, unless all peers are on this machine or in private
 * networks; fast on other networks.
 */
final class PresetRule {

  private PresetRule() {}

  /** One guard gets the scripts, the other one the outpoints. */
  private static final int GUARDS = 2;

  /** The same options with the choice filled in. */
  static SyncOptions apply(PresetChoice choice, SyncOptions options) {
    boolean one = choice.preset() == Preset.PRIVATE && choice.leastPeers() == 1;
    return options.guards(options.guards().onePeer(one)).preset(choice.preset());
  }

  /** Chooses, with data from the wallet's file. */
  static PresetChoice choose(
      SyncOptions options, List<NodeAddress> named, ChainParams network, WalletStore store) {
    boolean epoch = wasShownPrivately(store);
    Optional<Preset> last = last(store, network);
    Preset preset =
        options.preset().orElseGet(() -> last.orElseGet(() -> rule(options, named, network)));
    PresetChoice.Reason reason =
        options.preset().isPresent()
            ? PresetChoice.Reason.SAID
            : last.isPresent() ? PresetChoice.Reason.LAST : PresetChoice.Reason.RULE;
    boolean was = epoch || last.equals(Optional.of(Preset.PRIVATE));
    boolean exposes = preset == Preset.FAST && was && !options.headersOnly();
    boolean one = preset == Preset.FAST || options.guards().onePeer() || isOneGuard(options, store);
    return new PresetChoice(preset, reason, exposes, one ? 1 : GUARDS);
  }

  /**
   * The preset that the wallet used last. If the file lacks it, the last filter shows it. On
   * mainnet, a filter with everything at the user's own node does not count.
   */
  static Optional<Preset> last(WalletStore store, ChainParams network) {
    Optional<Preset> kept = store.preset();
    @Nullable SentFilter shown = store.lastShown();
    if (kept.isPresent() || shown == null) {
      return kept;
    }
    if (shown.content() instanceof Content.Epoch) {
      return Optional.of(Preset.PRIVATE);
    }
    return shown.peer().isLocal() && network.equals(ChainParams.MAINNET)
        ? Optional.empty()
        : Optional.of(Preset.FAST);
  }

  /** Whether the last filter that a peer received is one of the private preset. */
  static boolean wasShownPrivately(WalletStore store) {
    SentFilter shown = store.lastShown();
    return shown != null && shown.content() instanceof Content.Epoch;
  }

  /** Whether the last filter that a peer received is one of the fast preset. */
  static boolean wasShownFast(WalletStore store) {
    return store.lastShown() != null && !wasShownPrivately(store);
  }

  /** Whether one peer became the guard of both roles: it learns nothing more by it. */
  private static boolean isOneGuard(SyncOptions options, WalletStore store) {
    if (!options.guards().dismissed().isEmpty()) {
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

  private static Preset rule(SyncOptions options, List<NodeAddress> named, ChainParams network) {
    boolean strangers = options.discovers() || !named.stream().allMatch(NodeAddress::isLocal);
    return network.equals(ChainParams.MAINNET) && strangers ? Preset.PRIVATE : Preset.FAST;
  }
}
