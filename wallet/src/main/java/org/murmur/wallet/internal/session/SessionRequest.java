package org.murmur.wallet.internal.session;

import java.time.Duration;
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
    return isScan() && options.isPrivate();
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
    return isGuarded()
        ? options.guarded()
        : isScan() ? options.fast() : Preset.Fast.USUAL.verify(options.fast().verify());
  }

  /** How long the session may take; zero for as long as it takes. */
  Duration timeLimit() {
    Duration limit = options.limits().time();
    Duration wait = options.limits().broadcastWait();
    boolean waitIsShorter = !wait.isZero() && (limit.isZero() || wait.compareTo(limit) < 0);
    return isBroadcast() && waitIsShorter ? wait : limit;
  }
}
