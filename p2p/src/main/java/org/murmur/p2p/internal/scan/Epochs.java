package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.EpochFilters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.headers.Birthdays;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.sync.Preset;

/**
 * The epochs of the private preset, their contents, and how far each was scanned. {@link GuardPlan}
 * decides when a new one is opened, and which blocks are requested under it.
 *
 * <p>A tick puts new scripts and outpoints into epochs. The first tick is due when the guard of the
 * scripts has served every block; a session that follows then ticks every {@value
 * Preset.Private#TICK} blocks.
 */
public final class Epochs extends Part<ScanPeer> {

  /** Above all heights. */
  static final int NOWHERE = Integer.MAX_VALUE;

  /** An epoch in this session. */
  final class Epoch {
    final Content.Epoch content;
    final BloomFilter filter;
    // Where the scan begins without a row.
    final int base;
    // The connection that the fields below are about, and what was missing when it came.
    @Nullable Link link;
    int missingAtFirst;
    // The first height that is neither known nor requested, and the next to request: at first
    // below it, on the grid.
    int missing;
    int next;

    Epoch(Content.Epoch content, BloomFilter filter, int base) {
      this.content = content;
      this.filter = filter;
      this.base = base;
    }

    boolean isDue(int top) {
      return missing <= top;
    }

    FilterRole role() {
      return content.role();
    }

    /** The guard of this epoch, on this connection. */
    boolean isWith(ScanPeer peer) {
      return isFor(peer) && peer.link().equals(link);
    }

    /** Whether a peer is the guard of this epoch. */
    boolean isFor(ScanPeer peer) {
      return guards.isGuard(peer.link().address(), role());
    }

    boolean isLoadedAt(ScanPeer peer) {
      Load load = peer.filter().load();
      return load != null && content.isSameEpoch(load.content());
    }

    void beginAt(int height) {
      missing = height;
      next = onGrid(height);
    }

    /** Blocks above a height are missing again. */
    void cutAbove(int height) {
      if (missing > height + 1) {
        missing = height + 1;
        next = Math.min(next, onGrid(height + 1));
      }
    }
  }

  private final Birthdays birthdays;
  private final WatchedLog log;
  private final ScanBook book;
  private final Scanned scanned;
  private final Guards guards;
  private final EpochFilters filters;
  // The last load of every epoch that a peer got in an earlier session.
  private final List<Load> earlier;
  // All epochs so far, and the live ones: scripts first, then by number.
  private final List<Epoch> known = new ArrayList<>();
  private List<Epoch> live = List.of();
  private boolean begun;
  private int tickedAt = -1;
  // The batch with everything found when a tick was due; negative before that.
  private long tickBy = -1;

  public Epochs(Part<? extends ScanPeer> machine, Scanned scanned, Guards guards, List<Load> sent) {
    super(machine);
    this.birthdays = scanned.birthdays();
    this.log = scanned.log();
    this.book = scanned.book();
    this.scanned = scanned;
    this.guards = guards;
    this.filters = new EpochFilters(settings.key());
    this.earlier = lastOfEach(sent);
  }

  /** The last load of every epoch, in order of their ids. */
  private static List<Load> lastOfEach(List<Load> sent) {
    List<Load> last = new ArrayList<>();
    List<Load> byId = new ArrayList<>(sent);
    byId.sort(Comparator.comparingLong(Load::id));
    for (Load load : byId) {
      if (load.content() instanceof Content.Epoch epoch) {
        last.removeIf(before -> epoch.isSameEpoch(before.content()));
        last.add(load);
      }
    }
    return last;
  }

  /** Reads the epochs of earlier sessions, and opens those of scripts that no peer got yet. */
  void begin() {
    begun = true;
    for (Load load : earlier) {
      if (load.content() instanceof Content.Epoch content) {
        add(new Epoch(content, load.filter(), base(content)));
      }
    }
    openScripts();
    chooseLive();
  }

  /** Whether there is anything to scan: the birthday may lie above the last header. */
  public boolean hasBegun() {
    return begun;
  }

  /** Finds where the scan begins, once the headers show it. */
  void findBirthday() {
    birthdays.resolve();
  }

  /** Whether the headers show where the scan begins. */
  boolean haveBirthday() {
    return birthdays.height().isPresent();
  }

  /** The highest block that this session scans, as far as is known yet. */
  int top() {
    int tip = chain.height();
    return settings.follow() || tickedAt < 0 ? tip : Math.min(tip, tickedAt);
  }

  /** The highest block of the chain. */
  int tip() {
    return chain.height();
  }

  /** Whether there was a tick that is still valid. */
  boolean haveTicked() {
    return tickedAt >= 0;
  }

  /**
   * Whether it is time for a tick. While {@code awaiting}, a peer may still announce more blocks: a
   * one-off session scans no higher than its tick, and a guard that is behind may answer first.
   */
  boolean isTickDue(boolean awaiting) {
    if (tickedAt < 0) {
      return settings.follow() || !awaiting;
    }
    return settings.follow() && chain.height() >= Preset.Private.nextTick(tickedAt);
  }

  /**
   * Whether everything found when a tick fell due is written: only then can it enter an epoch.
   * Later announcements may come without end.
   */
  boolean mayTick() {
    journal.hurry();
    tickBy = tickBy < 0 ? journal.holdingAll() : tickBy;
    return journal.isWritten(tickBy);
  }

  /** No tick is due. */
  void noTick() {
    tickBy = -1;
  }

  /** The tick is over. */
  void ticked() {
    tickedAt = chain.height();
    effects.changed();
  }

  /** Blocks above a height left the chain, or are to be scanned again. */
  void cutAbove(int height) {
    // A session that does not follow starts again: every peer sees a reorganisation anyway.
    tickedAt = settings.follow() ? Math.min(tickedAt, height) : -1;
    // Epochs that are over, too: what ended them may have left the chain.
    known.forEach(epoch -> epoch.cutAbove(height));
  }

  /** Sends a guard an epoch, as soon as that is on disk. */
  void show(ScanPeer peer, Epoch epoch) {
    guards.shows(peer.link().address(), epoch.role());
    long now = effects.clock().getEpochSecond();
    peer.filter()
        .show(
            new Load(book.newId(), peer.link().address(), epoch.content, epoch.filter, now),
            journal,
            effects);
  }

  /** The epochs to scan: scripts first, then by number. */
  List<Epoch> live() {
    return live;
  }

  /** Opens an epoch for scripts that are in none; returns whether there are any. */
  boolean openScripts() {
    Set<Integer> numbers = newScripts();
    for (int number : numbers) {
      BitSet members = new BitSet();
      for (int i = 0; i < log.size(); i++) {
        if (log.get(i) instanceof Element.Script script && script.epoch() == number) {
          members.set(i);
        }
      }
      open(FilterRole.SCRIPTS, number, members, onGrid(birthday()));
    }
    if (!numbers.isEmpty()) {
      chooseLive();
    }
    return !numbers.isEmpty();
  }

  /** Numbers of the epochs of scripts that no peer got yet. */
  private Set<Integer> newScripts() {
    Set<Integer> numbers = new TreeSet<>();
    for (Element element : log.view()) {
      if (element instanceof Element.Script script) {
        numbers.add(script.epoch());
      }
    }
    for (Epoch epoch : known) {
      if (epoch.role() == FilterRole.SCRIPTS) {
        numbers.remove(epoch.content.number());
      }
    }
    return numbers;
  }

  /** Opens an epoch for outpoints that are in none; the first one even if there are none. */
  void openOutPoints() {
    int next = 0;
    BitSet held = new BitSet();
    for (Epoch epoch : known) {
      if (epoch.role() == FilterRole.OUTPOINTS) {
        held.or(epoch.content.members());
        next = Math.max(next, epoch.content.number() + 1);
      }
    }
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      Element element = log.get(i);
      boolean script = element instanceof Element.Script;
      if (!script && element.isForEpochs() && !held.get(i)) {
        found.add(i);
      }
    }
    if (!found.isEmpty() || next == 0) {
      int base = baseFor(next, found);
      for (int from = 0; from == 0 || from < found.size(); from += SizeClass.MAX_ELEMENTS) {
        BitSet members = new BitSet();
        int to = Math.min(found.size(), from + SizeClass.MAX_ELEMENTS);
        found.subList(from, to).forEach(members::set);
        open(FilterRole.OUTPOINTS, next++, members, base);
      }
    }
    chooseLive();
  }

  private void open(FilterRole role, int number, BitSet members, int base) {
    List<Bytes> elements = new ArrayList<>(members.cardinality());
    members.stream().forEach(i -> elements.add(log.get(i).data()));
    SizeClass size = SizeClass.holding(guards.preset().rate(), elements.size());
    Content.Epoch content = new Content.Epoch(role, number, members);
    add(new Epoch(content, filters.filter(role, number, elements, size), base));
  }

  private void add(Epoch epoch) {
    known.add(epoch);
    known.sort(Comparator.comparing(Epoch::role).thenComparingInt(each -> each.content.number()));
    epoch.beginAt(missing(epoch));
    effects.changed();
  }

  /**
   * An epoch of coins that are all spent is over, unless it is the newest: this reveals nothing.
   */
  private void chooseLive() {
    List<Epoch> chosen = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      Epoch epoch = known.get(i);
      // Outpoints stand last, by number.
      boolean newest = i == known.size() - 1;
      if (epoch.role() == FilterRole.SCRIPTS || newest || !open(epoch.content).isEmpty()) {
        chosen.add(epoch);
      }
    }
    live = chosen;
  }

  /**
   * The members of an epoch that still have to be scanned; of scripts the last, which stands for
   * all.
   */
  private List<Integer> open(Content.Epoch content) {
    BitSet members = content.members();
    List<Integer> open = new ArrayList<>();
    if (content.role() == FilterRole.SCRIPTS) {
      if (!members.isEmpty()) {
        open.add(members.length() - 1);
      }
      return open;
    }
    for (int i = members.nextSetBit(0); i >= 0; i = members.nextSetBit(i + 1)) {
      if (log.get(i).isForEpochs()) {
        open.add(i);
      }
    }
    return open;
  }

  /** The first height that was not scanned for an epoch. */
  int missing(Epoch epoch) {
    int top = top();
    int missing = top + 1;
    Coverage coverage = scanned.coverage();
    if (coverage != null) {
      Heights needed = coverage.uncovered(open(epoch.content), top);
      missing = needed.isEmpty() ? missing : needed.first();
    }
    if (epoch.role() == FilterRole.OUTPOINTS && epoch.base <= top) {
      Heights gaps = new Heights().add(epoch.base, top).removeAll(book.scanned(epoch.content));
      missing = gaps.isEmpty() ? missing : Math.min(missing, gaps.first());
    }
    return missing;
  }

  /** The epoch for a guard's next request: the loaded one while blocks are missing under it. */
  @Nullable Epoch dueAt(ScanPeer peer, int top) {
    Epoch first = null;
    for (Epoch epoch : live) {
      if (epoch.isFor(peer) && epoch.isDue(top)) {
        if (epoch.isLoadedAt(peer)) {
          return epoch;
        }
        first = first == null ? epoch : first;
      }
    }
    return first;
  }

  /** The newest epoch of a role, or of the one role that a guard has. */
  @Nullable Epoch newestAt(ScanPeer peer, FilterRole role) {
    Epoch newest = null;
    for (Epoch epoch : live) {
      boolean better = newest == null || newest.role() != role || epoch.role() == role;
      newest = epoch.isFor(peer) && better ? epoch : newest;
    }
    return newest;
  }

  /** Whether a guard holds the newest filter of a role. */
  public boolean holdsNewest(ScanPeer peer, FilterRole role) {
    Epoch newest = newestAt(peer, role);
    return newest != null
        && newest.role() == role
        && !peer.filter().isRecording()
        && newest.isLoadedAt(peer);
  }

  private int base(Content.Epoch content) {
    Heights scanned = book.scanned(content);
    if (!scanned.isEmpty()) {
      return scanned.first();
    }
    return content.role() == FilterRole.SCRIPTS
        ? onGrid(birthday())
        : baseOfOutPoints(content.number());
  }

  /**
   * Where the scan for an epoch of outpoints begins. The first begins at the birthday, later ones
   * at the lowest block served for scripts since the one before began. The record has this, so it
   * is the same if a session ended before the epoch opened, or before its first block. It does not
   * depend on where the coins are.
   */
  private int baseOfOutPoints(int number) {
    for (int before = number - 1; before >= 0; before--) {
      OptionalInt base = book.scriptsServedSince(before);
      if (base.isPresent()) {
        return onGrid(Math.min(base.getAsInt(), top() + 1));
      }
    }
    return onGrid(birthday());
  }

  /** No higher than needed: an incomplete record must not cost a coin. */
  private int baseFor(int number, List<Integer> found) {
    int base = baseOfOutPoints(number);
    Coverage coverage = scanned.coverage();
    if (coverage != null) {
      Heights needed = coverage.uncovered(found, top());
      base = needed.isEmpty() ? base : Math.min(base, onGrid(needed.first()));
    }
    return base;
  }

  private int birthday() {
    return birthdays.height().orElse(NOWHERE);
  }

  /**
   * The first height of a scan that has to include a height: not above it, and on the grid, or
   * where the headers begin.
   */
  private int onGrid(int height) {
    int lowest = chain.base().height() + 1;
    return height == NOWHERE ? NOWHERE : Math.max(lowest, height - height % Preset.Private.GRID);
  }
}
