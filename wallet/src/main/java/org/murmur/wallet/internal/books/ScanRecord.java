package org.murmur.wallet.internal.books;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.sync.Confirmed;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.overview.CoverageMap;

/** The stored filters and scan rows, and what follows from them for a session or a report. */
final class ScanRecord {

  /** Peers of a map; each costs a coverage of its own. */
  private static final int MAX_BANDS = 12;

  /** Heights of a map whose times are read. */
  private static final int MAX_MARKS = 6;

  private final WalletStore store;
  private final Loaded now;
  private final List<View> views;
  private final Map<Long, View> byId = new HashMap<>();
  private final List<ScanRow> rows;

  /** Reads it. Throws {@link IllegalArgumentException} if a row is impossible. */
  ScanRecord(WalletStore store, Loaded now) {
    this.store = store;
    this.now = now;
    this.views = store.views();
    this.rows = store.rows();
    views.forEach(view -> byId.put(view.id(), view));
    Scans.requireSound(rows, byId, now.log().size(), now.height());
  }

  /** The initial state of a machine. */
  SyncStart start(ChainParams network, Preset preset, boolean discovers, HeaderSource known) {
    Set<NodeAddress> exposed = new HashSet<>();
    store.showings(sent -> exposed.add(sent.peer()));
    return new SyncStart(
        network,
        HeaderChain.restore(network, now.base(), store.headers(), store.height()),
        now.wallet().birthday(),
        now.wallet().birthdayHeight(),
        now.log().elements(),
        preset.filterPeers() > 0 ? now.scripts().whole() : List.of(),
        views,
        store.epochs(),
        exposed,
        rows,
        store.peers(),
        store.lastView() + 1,
        rows.isEmpty() ? 1 : rows.get(rows.size() - 1).id() + 1,
        preset.compares() ? confirmed() : List.of(),
        discovers ? store.addresses() : List.of(),
        known);
  }

  private List<Confirmed> confirmed() {
    List<Confirmed> confirmed = new ArrayList<>();
    // Also replacements of payments that do not pay us: peers were asked for them, and reported
    // them.
    for (Fact fact : now.ledger().facts()) {
      if (fact.confirmation() != null) {
        confirmed.add(new Confirmed(fact.height(), fact.tx()));
      }
    }
    return confirmed;
  }

  /** Which peers covered what. */
  Scans scans() {
    OptionalInt born = now.wallet().birthdayHeight();
    Coverage coverage = born.isPresent() ? coverage(rows, born.getAsInt()) : null;
    return new Scans(rows, byId, coverage, now.height());
  }

  private Coverage coverage(List<ScanRow> of, int birthday) {
    SentFilter last = store.lastShown();
    long compact = views.stream().filter(View::isCompact).mapToLong(View::id).max().orElse(0);
    // Measured by the goal of the last session: a fast one that was cut off left more to scan.
    // Under the compact preset a filter with everything is for a memory pool alone.
    boolean fast =
        !store.preset().equals(Optional.of(Preset.Kind.COMPACT))
            && (last == null
                ? compact == 0
                : last.load() > compact && !(last.content() instanceof Content.Epoch));
    return new Coverage(
        new ArrayList<>(now.log().elements()), birthday, Scans.spans(of, byId), !fast);
  }

  /** Heights against peers, with a limited number of peers. */
  CoverageMap map() {
    OptionalInt born = now.wallet().birthdayHeight();
    if (!born.isPresent() || born.getAsInt() > now.height()) {
      return CoverageMap.EMPTY;
    }
    int from = born.getAsInt();
    List<CoverageMap.Seen> seen = scans().seen();
    Map<NodeAddress, List<ScanRow>> byPeer = new LinkedHashMap<>();
    for (ScanRow row : rows) {
      View view = byId.get(row.view());
      if (view != null && row.to() >= from) {
        byPeer.computeIfAbsent(view.peer(), peer -> new ArrayList<>()).add(row);
      }
    }
    Map<NodeAddress, Heights> served = new LinkedHashMap<>();
    byPeer.forEach((peer, theirs) -> served.put(peer, heights(theirs).within(from, now.height())));
    List<NodeAddress> peers = new ArrayList<>(served.keySet());
    peers.sort(
        Comparator.comparingLong((NodeAddress peer) -> count(served.get(peer)))
            .reversed()
            .thenComparing(NodeAddress::toString));
    List<CoverageMap.Band> bands = new ArrayList<>();
    for (NodeAddress peer : peers.subList(0, Math.min(MAX_BANDS, peers.size()))) {
      Heights all = Objects.requireNonNull(served.get(peer));
      Heights whole =
          all.copy()
              .removeAll(
                  coverage(Objects.requireNonNull(byPeer.get(peer)), from).uncovered(now.height()));
      bands.add(new CoverageMap.Band(peer, ranges(all), ranges(whole)));
    }
    return new CoverageMap(
        from, now.height(), seen, bands, peers.size() - bands.size(), marks(from, now.height()));
  }

  private static long count(@Nullable Heights heights) {
    return heights == null ? 0 : heights.count();
  }

  private static Heights heights(List<ScanRow> rows) {
    Heights heights = new Heights();
    rows.forEach(row -> heights.add(row.from(), row.to()));
    return heights;
  }

  private static List<CoverageMap.Range> ranges(Heights heights) {
    List<CoverageMap.Range> ranges = new ArrayList<>();
    heights.forEachRange((from, to) -> ranges.add(new CoverageMap.Range(from, to)));
    return ranges;
  }

  private List<CoverageMap.Mark> marks(int from, int to) {
    List<CoverageMap.Mark> marks = new ArrayList<>();
    for (int height : CoverageMap.axis(from, to, MAX_MARKS)) {
      long time = height <= now.base().height() ? now.base().time() : now.headers().timeAt(height);
      marks.add(new CoverageMap.Mark(height, Instant.ofEpochSecond(time)));
    }
    return marks;
  }
}
