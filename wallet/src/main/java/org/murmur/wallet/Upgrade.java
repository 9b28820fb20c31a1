package org.murmur.wallet;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.session.SessionGoal;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/**
 * When a first sync becomes compact by itself: its user chose neither preset nor peers, too few of
 * the found ones serve Bloom filters, and enough serve filters of blocks. It is announced.
 */
final class Upgrade {

  /** The sessions of the wallet. */
  interface Session {
    /**
     * Runs one. Its report counts the cost of those before, too; it tells what is announced before
     * it asks anybody.
     */
    SyncReport run(
        SyncOptions options, Optional<SyncReport> before, Optional<WalletWarning> announced)
        throws NoUsablePeerException;
  }

  /** The sync goes on by itself up to so many bytes. */
  static final long MAX_BYTES = 100_000_000;

  /** How long peers with Bloom filters are searched before, and again before the next look. */
  static final Duration SEARCH = Duration.ofSeconds(60);

  /** The reasons to look for another way. */
  private static final Set<Obstacle.Kind> FOR_WANT_OF =
      EnumSet.of(Obstacle.Kind.NO_BLOOM, Obstacle.Kind.NO_GUARD);

  private final Session session;
  private final Supplier<List<KnownAddress>> known;
  private final ToLongFunction<SyncOptions> bytes;
  private final SyncListener listener;

  /** Makes one; the bytes are those that a sync is expected to receive. */
  Upgrade(
      Session session,
      Supplier<List<KnownAddress>> known,
      ToLongFunction<SyncOptions> bytes,
      SyncListener listener) {
    this.session = session;
    this.known = known;
    this.bytes = bytes;
    this.listener = listener;
  }

  static boolean isOpen(SessionGoal goal, SyncOptions options, PresetChoice choice) {
    return goal instanceof SessionGoal.Sync
        && choice.reason() == PresetChoice.Reason.RULE
        && options.peers().discovery().isPresent()
        && options.peers().named().isEmpty()
        && !options.headersOnly()
        && !options.follow();
  }

  /** Searches for Bloom filters, and decides after each minute. The last report counts all. */
  SyncReport sync(SyncOptions options) throws NoUsablePeerException {
    Optional<SyncReport> before = Optional.empty();
    SyncOptions left = options;
    while (true) {
      Duration search = left.limits().search();
      boolean last = search.compareTo(SEARCH) <= 0;
      SyncOptions part = last ? left : left.limits(limits -> limits.search(SEARCH));
      try {
        return session.run(part, before, Optional.empty());
      } catch (NoUsablePeerException e) {
        SyncReport all = e.report();
        SyncOptions rest = Requests.rest(options, all).limits(limits -> limits.search(search));
        if (FOR_WANT_OF.contains(e.kind()) && areFiltersThere()) {
          return instead(rest.preset(Preset.Kind.COMPACT), e);
        }
        Duration took = all.elapsed().minus(before.map(SyncReport::elapsed).orElse(Duration.ZERO));
        // A search that found no more to ask before its time would not find more now.
        if (last || took.compareTo(SEARCH) < 0) {
          throw e;
        }
        left = rest.limits(limits -> limits.search(search.minus(SEARCH)));
        before = Optional.of(all);
      }
    }
  }

  private SyncReport instead(SyncOptions compact, NoUsablePeerException none)
      throws NoUsablePeerException {
    long cost = bytes.applyAsLong(compact);
    boolean begins = cost <= MAX_BYTES;
    WalletWarning announced = new WalletWarning.BlockFiltersInstead(cost, begins);
    if (!begins) {
      listener.onEvent(announced);
      throw none;
    }
    return session.run(compact, Optional.of(none.report()), Optional.of(announced));
  }

  /** Whether peers of enough network groups that answered serve filters of blocks. */
  private boolean areFiltersThere() {
    Set<NetGroup> groups = new HashSet<>();
    for (KnownAddress address : known.get()) {
      if (address.lastSuccess() > 0 && Services.has(address.services(), Services.COMPACT_FILTERS)) {
        groups.add(address.group());
      }
    }
    return groups.size() >= Preset.Compact.FOUND;
  }
}
