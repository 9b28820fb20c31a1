package org.murmur.wallet.internal.session;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.session.Participants.Participation;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/** Warnings of a finished session: a limit, useless peers, an old or short chain. */
final class FinalWarnings {

  /** Core's DEFAULT_MAX_TIP_AGE: with an older tip a node considers itself not synced. */
  private static final Duration OLD_TIP = Duration.ofHours(24);

  private final ChainParams network;
  private final SyncSettings settings;
  private final SessionProgress progress;
  private final Participants peers;

  FinalWarnings(
      ChainParams network, SyncSettings settings, SessionProgress progress, Participants peers) {
    this.network = network;
    this.settings = settings;
    this.progress = progress;
    this.peers = peers;
  }

  /** Adds the warnings in the order in which a user reads them. */
  void addTo(WarningList warnings, BooksSummary books, boolean complete, RunnerState around) {
    addLimit(warnings, complete, around);
    boolean warned = progress.saidTooFew(books.chain().height());
    boolean few = settings.preset().verify() > 1 && books.seenBy() < settings.preset().verify();
    if (progress.end().isLimit() && few && !warned && !complete && !settings.headersOnly()) {
      warnings.add(
          new WalletWarning.TooFewPeers(
              settings.preset().verify(), books.seenBy(), peers.problems(), false));
    } else if (!warned) {
      addUseless(warnings);
    }
    if (progress.sawAll(books.chain().tip()) && books.unborn() && !settings.headersOnly()) {
      warnings.add(new WalletWarning.BirthdayAhead(books.chain().height()));
    }
    if (complete && !settings.headersOnly()) {
      filtersOfOne(settings.preset(), peers).ifPresent(warnings::add);
    }
    if (complete || progress.endsLongAgo()) {
      addTip(warnings, books.chain().height());
      oldTip(network, books.chain().height(), books.chain().tipTime(), around.now())
          .ifPresent(warnings::add);
    }
  }

  private void addLimit(WarningList warnings, boolean complete, RunnerState around) {
    if (progress.end().isLimit() && (!complete || !settings.follow())) {
      warnings.add(
          progress.end().why() == SyncReport.Ending.TIMEOUT
              ? new WalletWarning.TimeOver(around.timeLimit(), complete)
              : bytesOver(complete));
    }
  }

  private WalletWarning bytesOver(boolean complete) {
    boolean further =
        peers.headers() > 0 || peers.all().stream().anyMatch(peer -> peer.getValue().blocks > 0);
    return further || complete
        ? new WalletWarning.BytesOver(settings.limits().bytes(), complete)
        : new WalletWarning.LimitTooSmall(settings.limits().bytes());
  }

  /**
   * Warns of peers that did nothing wrong; the others' misbehaviour is in their lines of the
   * report.
   */
  private void addUseless(WarningList warnings) {
    Optional<NodeAddress> named =
        settings.preset().poolNode().filter(node -> progress.mempool().isPartial());
    for (Map.Entry<NodeAddress, Participation> entry : peers.all()) {
      Participation peer = entry.getValue();
      boolean silent = peer.problem.isPresent() && !named.equals(Optional.of(entry.getKey()));
      if (silent && !peer.inBackOff && !peer.misbehaviour.isPresent()) {
        warnings.add(
            new WalletWarning.PeerOfNoUse(entry.getKey(), peer.problem.get(), peer.blocks > 0));
      }
    }
  }

  /** Warns if no peer's chain is as long as the known one. */
  private void addTip(WarningList warnings, int height) {
    Map<NodeAddress, Integer> ends = new LinkedHashMap<>();
    for (Map.Entry<NodeAddress, Participation> entry : peers.all()) {
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

  /** The warning that filters were not compared, as one stranger alone vouched for them. */
  static Optional<WalletWarning> filtersOfOne(Preset preset, Participants peers) {
    List<NodeAddress> vouching =
        peers.all().stream()
            .filter(peer -> peer.getValue().blocks > 0)
            .filter(peer -> !peer.getValue().misbehaviour.isPresent())
            .map(Map.Entry::getKey)
            .collect(Collectors.toList());
    return preset instanceof Preset.Compact && vouching.size() == 1 && !vouching.get(0).isLocal()
        ? Optional.of(new WalletWarning.FiltersOfOne(vouching.get(0)))
        : Optional.empty();
  }

  /**
   * The warning of an old tip: its peers are not synced themselves, or cut off. On regtest blocks
   * are mined on demand.
   */
  static Optional<WalletWarning> oldTip(ChainParams network, int height, Instant at, Instant now) {
    if (!network.rules().retargeting() || !at.isBefore(now.minus(OLD_TIP))) {
      return Optional.empty();
    }
    return Optional.of(new WalletWarning.OldTip(height, at, Duration.between(at, now)));
  }
}
