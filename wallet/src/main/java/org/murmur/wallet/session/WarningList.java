package org.murmur.wallet.session;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.WalletWarning;

/**
 * The warnings of a report: each once, and a limited number, since a session may last months. Those
 * that no longer hold are left out; the listener heard them.
 */
final class WarningList {

  private static final int MOST = 100;

  private final Set<WalletWarning> all = new LinkedHashSet<>();

  void add(WalletWarning what) {
    if (all.size() < MOST) {
      all.add(what);
    } else if (!all.contains(what)) {
      all.add(new WalletWarning.FurtherLeftOut());
    }
  }

  /** The machine emitted an event: removes the warnings that it refutes. */
  void heard(SyncEvent event) {
    if (event instanceof SyncEvent.PeerReady) {
      all.removeIf(what -> inner(what) instanceof SyncWarning.NobodyReachable);
    } else if (event instanceof SyncEvent.Complete complete) {
      all.removeIf(what -> isRefuted(what, complete.height()));
    }
  }

  /** Whether a warning is out of date when everything up to a height is known. */
  private static boolean isRefuted(WalletWarning what, int height) {
    return what instanceof WalletWarning.TooFewPeers
        || what instanceof WalletWarning.ClockBehind
        || (inner(what) instanceof SyncWarning.NoNewBlock none && none.height() < height);
  }

  private static Object inner(WalletWarning what) {
    return what instanceof WalletWarning.OfSession session ? session.what() : what;
  }

  List<WalletWarning> all() {
    return List.copyOf(all);
  }
}
