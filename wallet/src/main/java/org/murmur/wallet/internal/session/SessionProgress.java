package org.murmur.wallet.internal.session;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.SyncReport;

/** The progress of a session, by the machine's events. */
final class SessionProgress {

  private SessionEnd end = SessionEnd.DONE;
  // The machine's last event at the end of its work: Complete, EndsLongAgo, ClockBehind or
  // TooFewCrossChecks; null before.
  private @Nullable SyncEvent reached;
  private SyncFact.@Nullable PeerSearch search;
  // Why nobody can be reached; null while a peer is there, and before that is known.
  private @Nullable String outage;
  private MempoolAnswered mempool = new MempoolAnswered(MempoolAnswered.Answer.SKIPPED);
  private int spotChecked;
  private SyncFact.Standing standing = SyncFact.Standing.NOTHING;

  void heard(SyncEvent event) {
    end = end.after(event);
    if (event instanceof SyncEvent.PeerReady) {
      outage = null;
    } else if (event instanceof SyncWarning.NobodyReachable nobody) {
      outage = nobody.reason();
    }
    if (event instanceof SyncFact.Complete
        || event instanceof SyncFact.EndsLongAgo
        || event instanceof SyncWarning.ClockBehind
        || event instanceof SyncFact.TooFewCrossChecks) {
      reached = event;
    } else if (event instanceof SyncFact.PeerSearch ended) {
      search = ended;
    } else if (event instanceof MempoolAnswered answered) {
      mempool = answered;
    } else if (event instanceof SyncFact.Standing now) {
      standing = now;
    } else if (event instanceof SyncFact.SpotChecked) {
      spotChecked++;
    }
  }

  void ordered(SyncReport.Ending why) {
    end = end.ordered(why);
  }

  SessionEnd end() {
    return end;
  }

  /** Whether the machine saw all blocks of its peers, up to this tip. */
  boolean sawAll(Hash256 tip) {
    return reached instanceof SyncFact.Complete complete && complete.tip().equals(tip);
  }

  /** Whether its peers' chain ends long ago. */
  boolean endsLongAgo() {
    return reached instanceof SyncFact.EndsLongAgo;
  }

  /** Whether it was reported that too few peers served everything up to a height. */
  boolean saidTooFew(int height) {
    return reached instanceof SyncFact.TooFewCrossChecks few && few.height() == height;
  }

  Optional<SyncFact.PeerSearch> search() {
    return Optional.ofNullable(search);
  }

  /** Why nobody can be reached; empty while a peer is there, and before that is known. */
  Optional<String> outage() {
    return Optional.ofNullable(outage);
  }

  MempoolAnswered mempool() {
    return mempool;
  }

  /** The present knowledge of the chain and the memory pools. */
  SyncFact.Standing standing() {
    return standing;
  }

  int spotChecked() {
    return spotChecked;
  }
}
