package org.murmur.wallet.internal.session;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.PeerReaction.Kind;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.WalletWarning;

/**
 * The warnings of a report: each once, and a limited number, since a session may last months. Of
 * the claims that a peer did not keep, only the last one stays. Those that no longer hold are left
 * out; the listener heard them.
 */
final class WarningList {

  static final int MOST = 100;

  private final Set<SyncEvent.Warning> all = new LinkedHashSet<>();

  void add(SyncEvent.Warning what) {
    if (what instanceof SyncWarning.ClaimNotKept claim) {
      all.removeIf(
          old ->
              old instanceof SyncWarning.ClaimNotKept earlier
                  && earlier.peer().equals(claim.peer()));
    }
    if (all.size() < MOST) {
      all.add(what);
    } else if (!all.contains(what)) {
      all.add(new WalletWarning.FurtherLeftOut());
    }
  }

  /** The machine emitted an event: removes the warnings that it refutes. */
  void heard(SyncEvent event) {
    if (event instanceof SyncEvent.PeerReady ready) {
      all.removeIf(
          what ->
              what instanceof SyncWarning.NobodyReachable
                  || (what instanceof WalletWarning.PoolNodeSilent silent
                      && silent.peer().equals(ready.address())
                      && Services.has(ready.services(), Services.BLOOM)));
    } else if (event instanceof SyncFact.Complete complete) {
      all.removeIf(what -> isRefuted(what, complete.height()));
    } else if (event instanceof SyncFact.LeastFeeRate said) {
      all.removeIf(
          what ->
              what instanceof WalletWarning.FeeBelowFilter fee
                  && said.satPerKvb() <= fee.paid().satPerKvb());
    } else if (event instanceof SyncEvent.PeerReaction reaction
        && (reaction.kind() == Kind.ACCEPTED || reaction.kind() == Kind.ANNOUNCED)) {
      all.removeIf(what -> isFeeOf(what, reaction.txid()));
    }
  }

  /** Whether it has a warning of this payment's fee. */
  boolean hasFeeOf(Hash256 txid) {
    return all.stream().anyMatch(what -> isFeeOf(what, txid));
  }

  private static boolean isFeeOf(SyncEvent.Warning what, Hash256 txid) {
    return what instanceof WalletWarning.FeeBelowFilter fee && fee.txid().equals(txid);
  }

  /** Whether a warning is out of date when everything up to a height is known. */
  private static boolean isRefuted(SyncEvent.Warning what, int height) {
    return what instanceof WalletWarning.TooFewPeers
        || what instanceof SyncWarning.BlockNotServed
        || what instanceof SyncWarning.ClockBehind
        || (what instanceof SyncWarning.NoNewBlock none && none.height() < height);
  }

  List<SyncEvent.Warning> all() {
    return List.copyOf(all);
  }
}
