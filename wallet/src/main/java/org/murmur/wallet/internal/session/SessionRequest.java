package org.murmur.wallet.internal.session;

import java.time.Duration;
import java.util.Optional;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.sync.SyncOptions;

/**
 * A user's request for a session. The options have the peers that it may use, and a preset if the
 * goal needs filters. If it {@code exposes} a private wallet, there is a warning before anything is
 * sent.
 */
public record SessionRequest(SessionGoal goal, SyncOptions options, boolean exposes) {

  /** Whether the peers that get filters are guards. */
  boolean isGuarded() {
    return isScan() && options.preset().equals(Optional.of(Preset.Kind.PRIVATE));
  }

  /** Whether the session scans blocks for the wallet. */
  boolean isScan() {
    return !isBroadcast() && !(goal instanceof SessionGoal.Fees);
  }

  /** Whether the session only sends a transaction. */
  boolean isBroadcast() {
    return goal instanceof SessionGoal.Broadcast;
  }

  /**
   * Returns which filters peers get. In a session without filters it only says how many peers are
   * needed.
   */
  public Preset preset() {
    if (isScan() && options.preset().equals(Optional.of(Preset.Kind.COMPACT))) {
      return compact(options);
    }
    Preset.Fast fast = options.fast();
    Preset.Private guarded = options.guarded();
    if (isGuarded()) {
      return guarded.filterPeers(filterPeers(options, guarded.filterPeers()));
    }
    return isScan()
        ? fast.filterPeers(filterPeers(options, fast.filterPeers()))
        : Preset.Fast.USUAL.verify(fast.verify());
  }

  /** The compact preset, if these options ask for it. */
  public static Preset.Compact compact(SyncOptions options) {
    return new Preset.Compact(
        filterPeers(options, options.fast().verify()), options.pool().orElse(Preset.Pool.NONE));
  }

  /** Peers that are found must be several; of those that the user names, one is enough. */
  private static int filterPeers(SyncOptions options, int said) {
    return options.peers().discovery().isPresent() && said > 0
        ? Math.max(Preset.Compact.FOUND, said)
        : said;
  }

  /** How long the session may take. */
  Duration timeLimit() {
    Duration limit = options.limits().time();
    Duration wait = options.limits().broadcastWait();
    return isBroadcast() && wait.compareTo(limit) < 0 ? wait : limit;
  }
}
