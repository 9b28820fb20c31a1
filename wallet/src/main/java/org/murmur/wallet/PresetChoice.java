package org.murmur.wallet;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.wallet.privacy.Preset;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.store.WalletStore;

/**
 * Which preset a session uses, and why. What was said counts first, then what the wallet used last,
 * then a rule: fast on test networks and for peers on this machine or in private networks, private
 * elsewhere.
 *
 * @param preset the preset
 * @param reason why this one
 * @param exposes whether a filter with everything would be shown, and the wallet was private so far
 * @param leastPeers how many peers it takes
 */
public record PresetChoice(Preset preset, Reason reason, boolean exposes, int leastPeers) {

  /** Why a session uses a preset. */
  public enum Reason {
    /** The options name it. */
    SAID,
    /** The wallet used it last. */
    LAST,
    /** The rule for a first sync. */
    RULE
  }

  /** One guard is shown the scripts, the other one the outpoints. */
  private static final int GUARDS = 2;

  /** The same options with all that this decides. */
  SyncOptions applyTo(SyncOptions options) {
    boolean one = preset == Preset.PRIVATE && leastPeers == 1;
    return options.guards(options.guards().onePeer(one)).preset(preset);
  }

  /** Chooses, and reads from the wallet's file what it takes to. */
  static PresetChoice of(
      SyncOptions options, List<PeerAddress> named, Network network, WalletStore store)
      throws StoreException {
    Load shown = store.lastLoad();
    boolean epoch = shown != null && shown.content() instanceof Content.Epoch;
    Optional<Preset> last = last(store, network);
    Preset preset =
        options.preset().orElseGet(() -> last.orElseGet(() -> rule(options, named, network)));
    Reason reason =
        options.preset().isPresent() ? Reason.SAID : last.isPresent() ? Reason.LAST : Reason.RULE;
    boolean was = epoch || last.equals(Optional.of(Preset.PRIVATE));
    boolean exposes = preset == Preset.FAST && was && !options.headersOnly();
    boolean one = preset == Preset.FAST || options.guards().onePeer() || isOneGuard(options, store);
    return new PresetChoice(preset, reason, exposes, one ? 1 : GUARDS);
  }

  /**
   * What the wallet used last. Where the file does not say, because no preset was named or an older
   * version wrote it, the last filter tells. An exact one at a node of the user's own says nothing
   * of strangers.
   */
  static Optional<Preset> last(WalletStore store, Network network) throws StoreException {
    Optional<Preset> kept = store.preset();
    @Nullable Load shown = store.lastLoad();
    if (kept.isPresent() || shown == null) {
      return kept;
    }
    if (shown.content() instanceof Content.Epoch) {
      return Optional.of(Preset.PRIVATE);
    }
    return shown.peer().isLocal() && network.equals(Network.MAINNET)
        ? Optional.empty()
        : Optional.of(Preset.FAST);
  }

  /** Whether one peer was made the guard of everything: nothing more is given away to it. */
  private static boolean isOneGuard(SyncOptions options, WalletStore store) throws StoreException {
    if (!options.guards().dismissed().isEmpty()) {
      return false;
    }
    Map<FilterRole, PeerAddress> guards = new EnumMap<>(FilterRole.class);
    for (Load load : store.loads()) {
      if (load.content() instanceof Content.Epoch epoch) {
        guards.put(epoch.role(), load.peer());
      }
    }
    return guards.size() == FilterRole.values().length
        && new HashSet<>(guards.values()).size() == 1;
  }

  private static Preset rule(SyncOptions options, List<PeerAddress> named, Network network) {
    boolean strangers = options.discovers() || !named.stream().allMatch(PeerAddress::isLocal);
    return network.equals(Network.MAINNET) && strangers ? Preset.PRIVATE : Preset.FAST;
  }
}
