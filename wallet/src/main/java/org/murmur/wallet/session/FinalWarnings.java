package org.murmur.wallet.session;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.wallet.session.Participants.Participation;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/** What the user must know of how a session ended and who was of no use, beside what was said. */
final class FinalWarnings {

  /** Core's DEFAULT_MAX_TIP_AGE: with an older tip a node thinks that it is not synced. */
  private static final Duration OLD_TIP = Duration.ofHours(24);

  private final Network network;
  private final SyncSettings settings;
  private final SessionProgress course;
  private final Participants peers;

  FinalWarnings(
      Network network, SyncSettings settings, SessionProgress course, Participants peers) {
    this.network = network;
    this.settings = settings;
    this.course = course;
    this.peers = peers;
  }

  /** In the order in which they are read. */
  void addTo(WarningList warnings, BooksSummary books, boolean complete, RunnerState around) {
    addLimit(warnings, complete, around);
    boolean told = course.toldOfTooFew(books.height());
    boolean few = settings.verify() > 1 && books.seenBy() < settings.verify();
    if (course.end().isLimit() && few && !told && !complete && !settings.headersOnly()) {
      warnings.add(
          new WalletWarning.TooFewPeers(settings.verify(), books.seenBy(), peers.problems()));
    } else if (!told) {
      addUseless(warnings);
    }
    if (course.sawAll(books.tip()) && books.unborn() && !settings.headersOnly()) {
      warnings.add(new WalletWarning.BirthdayAhead(books.height()));
    }
    if (complete || course.endsLongAgo()) {
      addTip(warnings, books.height());
      oldTip(network, books.height(), books.tipTime(), around.now()).ifPresent(warnings::add);
    }
  }

  private void addLimit(WarningList warnings, boolean complete, RunnerState around) {
    if (course.end().isLimit() && (!complete || !settings.follow())) {
      warnings.add(
          course.end().why() == SyncReport.Ending.TIMEOUT
              ? new WalletWarning.TimeOver(around.timeLimit(), complete)
              : new WalletWarning.BytesOver(settings.maxBytes(), complete));
    }
  }

  /** Those that did nothing wrong; what the others did is in their lines of the report. */
  private void addUseless(WarningList warnings) {
    for (Map.Entry<PeerAddress, Participation> entry : peers.all()) {
      Participation peer = entry.getValue();
      if (peer.problem.isPresent() && !peer.inBackOff && !peer.misbehaviour.isPresent()) {
        warnings.add(
            new WalletWarning.PeerOfNoUse(entry.getKey(), peer.problem.get(), peer.blocks > 0));
      }
    }
  }

  /** Whether anybody's chain is as long as the one that is known. */
  private void addTip(WarningList warnings, int height) {
    Map<PeerAddress, Integer> ends = new LinkedHashMap<>();
    for (Map.Entry<PeerAddress, Participation> entry : peers.all()) {
      Participation peer = entry.getValue();
      if (peer.height >= height || peer.headers > 0) {
        return;
      }
      if (peer.height >= 0) {
        ends.put(entry.getKey(), peer.height);
      }
    }
    if (!ends.isEmpty()) {
      warnings.add(new WalletWarning.AllChainsShorter(height, ends));
    }
  }

  /**
   * What to say of a tip from long ago: its peers are not synced themselves, or cut off. On regtest
   * a block comes when somebody wants one.
   */
  static Optional<WalletWarning> oldTip(Network network, int height, long time, Instant now) {
    Instant at = Instant.ofEpochSecond(time);
    if (!network.rules().retargeting() || !at.isBefore(now.minus(OLD_TIP))) {
      return Optional.empty();
    }
    return Optional.of(new WalletWarning.OldTip(height, at, Duration.between(at, now)));
  }
}
