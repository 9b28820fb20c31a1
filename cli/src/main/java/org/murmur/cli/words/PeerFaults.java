package org.murmur.cli.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.wallet.sync.SyncReport;

/** The faults of the peers of a sync. */
public final class PeerFaults {

  /** A search may meet many peers; a message names the first ones. */
  private static final int MAX_NAMED = 5;

  private PeerFaults() {}

  /**
   * Names the peers that were dropped, lost or not reached, each with its address; the last text
   * counts the rest.
   */
  public static List<String> of(SyncReport report) {
    List<String> faults = new ArrayList<>();
    for (SyncReport.Participant peer : report.peers()) {
      of(peer).ifPresent(fault -> faults.add(peer.address() + " " + fault));
    }
    return Amounts.first(faults, MAX_NAMED, more -> Amounts.count(more, "more peer"));
  }

  /**
   * Returns what was wrong with one peer, in words that follow its address; empty if it stayed to
   * the end.
   */
  public static Optional<String> of(SyncReport.Participant peer) {
    if (peer.misbehaviour().isPresent()) {
      return peer.misbehaviour().map(what -> "was dropped: " + what);
    }
    // A peer that completed the handshake has sent its name.
    String how = peer.userAgent().isEmpty() ? "was not used: " : "was lost: ";
    return peer.problem().map(why -> how + why);
  }
}
