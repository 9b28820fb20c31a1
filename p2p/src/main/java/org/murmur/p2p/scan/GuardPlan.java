package org.murmur.p2p.scan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.EpochFilters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.Heights;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanBook;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.headers.Birthdays;
import org.murmur.p2p.headers.HeaderLink;
import org.murmur.p2p.headers.HeaderSync;
import org.murmur.p2p.headers.Reach;
import org.murmur.p2p.headers.Tip;
import org.murmur.p2p.peers.Budget;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.PrivatePreset;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;

/**
 * The private preset: which epoch a guard is shown, and which blocks it is asked for under it.
 *
 * <p>Nothing here depends on which match was real. Each guard is asked for all blocks under each of
 * its epochs, ascending, from a height on the grid; what is found changes nothing before the next
 * tick. A tick is when the guard of the scripts has told of every block there is, for the first
 * time in this session; then, while following, every {@value PrivatePreset#TICK} blocks. A session
 * that does not follow looks no higher than where it ticked: what comes after that is left to the
 * next one, so that nobody sees in which block something was found by when it is acted on. At a
 * tick scripts that the look-ahead grew by become an epoch of their own, and outpoints that are in
 * none become the next one of the guard that holds these.
 */
public final class GuardPlan implements ScanPlan {

  /** Blocks asked for in one message, always: how fast a guard is must not show. */
  private static final int CHUNK = 500;

  /** Blocks in flight at the most. */
  private static final int WINDOW = 4_000;

  private static final int NOWHERE = Integer.MAX_VALUE;

  /** An epoch in this session. */
  private final class Epoch {
    final Content.Epoch content;
    final BloomFilter filter;
    // Where looking for it begins if no row tells.
    final int base;
    // The connection that the rest is about, and what was missing when it came.
    @Nullable Link link;
    int missingAtFirst;
    // The first height that is neither known nor asked for, and the next to ask for: at first
    // below it, on the grid.
    int missing;
    int next;

    Epoch(Content.Epoch content, BloomFilter filter, int base) {
      this.content = content;
      this.filter = filter;
      this.base = base;
    }

    boolean isDue(int tip) {
      return missing <= tip;
    }

    FilterRole role() {
      return content.role();
    }

    void beginAt(int height) {
      missing = height;
      next = onGrid(height);
    }
  }

  private final Effects effects;
  private final SyncSettings settings;
  private final HeaderChain chain;
  private final Roster roster;
  private final Journal journal;
  private final Budget budget;
  private final Birthdays birthdays;
  private final HeaderSync headers;
  private final WatchedLog log;
  private final ScanBook book;
  private final Scanned scanned;
  private final Guards guards;
  private final GuardChoice choice;
  private final BlockScan scan;
  private final EpochFilters filters;
  // All there ever were, and those that are live: scripts first, then by number.
  private final List<Epoch> known = new ArrayList<>();
  private List<Epoch> epochs = List.of();
  // Which role's newest filter a guard is left with that has several.
  private Function<Peer, FilterRole> resting = peer -> FilterRole.OUTPOINTS;
  private boolean begun;
  // Blocks above this height left the chain, or are to be looked at anew, and nobody noticed yet.
  private int cutTo = NOWHERE;
  private int tickedAt = -1;
  // The batch that holds all that was found when a tick was due; negative before that.
  private long tickBy = -1;

  public GuardPlan(
      Effects effects,
      SyncSettings settings,
      HeaderChain chain,
      Roster roster,
      Journal journal,
      Budget budget,
      HeaderSync headers,
      Scanned scanned,
      GuardChoice choice,
      BlockScan scan) {
    this.effects = effects;
    this.settings = settings;
    this.chain = chain;
    this.roster = roster;
    this.journal = journal;
    this.budget = budget;
    this.birthdays = scanned.birthdays();
    this.headers = headers;
    this.log = scanned.log();
    this.book = scanned.book();
    this.scanned = scanned;
    this.choice = choice;
    this.guards = choice.guards();
    this.scan = scan;
    this.filters = new EpochFilters(guards.preset().key());
  }

  /** Says which role's newest filter a guard is left with that has several. */
  public void restsIn(Function<Peer, FilterRole> role) {
    resting = role;
  }

  @Override
  public void plan() {
    if (settings.headersOnly() || !choice.choose() || !begin()) {
      return;
    }
    takeCut();
    leave();
    choice.present().forEach(this::arrive);
    tick();
    choice.present().forEach(this::arrive);
    choice.present().forEach(this::plan);
  }

  /**
   * The first height of a scan that is to reach a height: not above it, and on the grid, or where
   * the headers begin.
   */
  private int onGrid(int height) {
    int lowest = chain.base().height() + 1;
    return height == NOWHERE ? NOWHERE : Math.max(lowest, height - height % PrivatePreset.GRID);
  }

  /** The headers are here, and what there is to look for is known. */
  private boolean begin() {
    if (begun) {
      return true;
    }
    if (!birthdays.height().isPresent() || !headers.areDone()) {
      return false;
    }
    begun = true;
    cutTo = NOWHERE;
    for (Load load : book.lastOfEpochs()) {
      if (load.content() instanceof Content.Epoch content) {
        add(new Epoch(content, load.filter(), base(content)));
      }
    }
    newScripts().forEach(this::openScripts);
    chooseLive();
    return true;
  }

  private void add(Epoch epoch) {
    known.add(epoch);
    known.sort(Comparator.comparing(Epoch::role).thenComparingInt(each -> each.content.number()));
    epoch.beginAt(missing(epoch));
    effects.changed();
  }

  private int birthday() {
    OptionalInt birthday = birthdays.height();
    return birthday.isPresent() ? birthday.getAsInt() : NOWHERE;
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
   * Where looking for an epoch of outpoints begins: at the birthday for the first, and then at the
   * lowest block that was served for scripts since the one before began. That is in the record, so
   * it is the same if a session ended before the epoch was opened, or before its first block; and
   * it does not depend on where the coins are.
   */
  private int baseOfOutPoints(int number) {
    for (int before = number - 1; before >= 0; before--) {
      OptionalInt base = book.scriptsServedSince(before);
      if (base.isPresent()) {
        return onGrid(Math.min(base.getAsInt(), height() + 1));
      }
    }
    return onGrid(birthday());
  }

  /** Epochs of scripts that nobody was shown yet. */
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

  private void openScripts(int number) {
    BitSet members = new BitSet();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.Script script && script.epoch() == number) {
        members.set(i);
      }
    }
    open(FilterRole.SCRIPTS, number, members, onGrid(birthday()));
  }

  private void open(FilterRole role, int number, BitSet members, int base) {
    List<Bytes> elements = new ArrayList<>(members.cardinality());
    members.stream().forEach(i -> elements.add(log.get(i).data()));
    SizeClass size = SizeClass.holding(guards.preset().rate(), elements.size());
    add(
        new Epoch(
            new Content.Epoch(role, number, members),
            filters.filter(role, number, elements, size),
            base));
  }

  /** An epoch of coins that are all spent is over, unless it is the newest: that shows nothing. */
  private void chooseLive() {
    List<Epoch> live = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      Epoch epoch = known.get(i);
      // Outpoints stand last, by number.
      boolean newest = i == known.size() - 1;
      if (epoch.role() == FilterRole.SCRIPTS || newest || !open(epoch.content).isEmpty()) {
        live.add(epoch);
      }
    }
    epochs = live;
  }

  /**
   * The members of an epoch that still have to be looked for; of scripts the last, which stands for
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

  @Override
  public void cutAbove(int height) {
    cutTo = Math.min(cutTo, height);
  }

  /** Blocks left the chain, or are to be looked at anew: all that is above is missing again. */
  private void takeCut() {
    int cut = cutTo;
    if (cut == NOWHERE) {
      return;
    }
    cutTo = NOWHERE;
    // Who does not follow begins anew: everybody sees a reorganisation, whatever was found.
    tickedAt = settings.follow() ? Math.min(tickedAt, cut) : -1;
    // Those that are over, too: what ended them may have left the chain.
    for (Epoch epoch : known) {
      if (epoch.missing > cut + 1) {
        epoch.missing = cut + 1;
        epoch.next = Math.min(epoch.next, onGrid(cut + 1));
      }
    }
  }

  /** What was asked of a guard that is gone will not come. */
  private void leave() {
    for (Epoch epoch : epochs) {
      if (epoch.link != null && !roster.contains(epoch.link.id())) {
        epoch.link = null;
        epoch.beginAt(missing(epoch));
        effects.changed();
      }
    }
  }

  /** Finds out what is missing at a guard that has come, or that passed blocks over. */
  private void arrive(Peer peer) {
    ScanLink link = ScanLink.of(peer);
    boolean again =
        !link.passedOver.isEmpty()
            && link.inFlight() == 0
            && link.doubts.isEmpty()
            && link.passedOver.isDue(effects.now());
    if (again) {
      effects.changed();
      link.passedOver.beginRound();
    }
    for (Epoch epoch : epochs) {
      if (isAt(epoch, peer) && (again || !peer.link().equals(epoch.link))) {
        epoch.beginAt(missing(epoch));
        if (!peer.link().equals(epoch.link)) {
          epoch.link = peer.link();
          epoch.missingAtFirst = epoch.missing;
        }
        effects.changed();
      }
    }
  }

  private boolean isAt(Epoch epoch, Peer peer) {
    return guards.isGuard(peer.link().address(), epoch.role());
  }

  /** The first height at which an epoch was not looked for. */
  private int missing(Epoch epoch) {
    int tip = height();
    int missing = tip + 1;
    Coverage coverage = scanned.coverage();
    if (coverage != null) {
      Heights needed = coverage.uncovered(open(epoch.content), tip);
      missing = needed.isEmpty() ? missing : needed.first();
    }
    if (epoch.role() == FilterRole.OUTPOINTS && epoch.base <= tip) {
      Heights gaps = new Heights().add(epoch.base, tip).removeAll(book.scanned(epoch.content));
      missing = gaps.isEmpty() ? missing : Math.min(missing, gaps.first());
    }
    return missing;
  }

  private void tick() {
    int tip = chain.height();
    if (!isDone(FilterRole.SCRIPTS) || !headers.areDone() || !isTickDue(tip)) {
      tickBy = -1;
      return;
    }
    // What was found has to be known before it can be put into an epoch; what is announced
    // meanwhile may come without end.
    journal.hurry();
    tickBy = tickBy < 0 ? journal.holdingAll() : tickBy;
    if (!journal.isWritten(tickBy)) {
      return;
    }
    Set<Integer> grown = newScripts();
    if (!grown.isEmpty()) {
      grown.forEach(this::openScripts);
      chooseLive();
      return;
    }
    // What is on its way to the other guard is not missing, though no row tells of it yet.
    boolean resting = isDone(FilterRole.OUTPOINTS);
    openOutPoints();
    chooseLive();
    for (Epoch epoch : epochs) {
      // A reorganisation may have made coins older than the blocks that were asked for.
      int missing = missing(epoch);
      if (resting && missing < epoch.missing) {
        epoch.beginAt(missing);
      }
    }
    tickedAt = tip;
    // What is served from now on stands in rows of its own.
    choice.present().forEach(peer -> ScanLink.of(peer).endRow());
    effects.changed();
  }

  private boolean isTickDue(int tip) {
    if (tickedAt < 0) {
      // Who does not follow looks no higher than this: the one that is behind may answer first.
      return settings.follow() || !choice.awaitsGreeting();
    }
    if (settings.follow()) {
      return tip / PrivatePreset.TICK > tickedAt / PrivatePreset.TICK;
    }
    return false;
  }

  /** The highest block this session looks at, as far as is known yet. */
  @Override
  public int height() {
    int tip = chain.height();
    return settings.follow() || tickedAt < 0 ? tip : Math.min(tip, tickedAt);
  }

  /** Whether every block is known under each epoch of a role. */
  private boolean isDone(FilterRole role) {
    Peer peer = choice.of(role);
    if (peer != null
        && (ScanLink.of(peer).inFlight() > 0 || !ScanLink.of(peer).passedOver.isEmpty())) {
      return false;
    }
    for (Epoch epoch : epochs) {
      if (epoch.role() == role && epoch.isDue(height())) {
        return false;
      }
    }
    return true;
  }

  private void openOutPoints() {
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
    if (found.isEmpty() && next > 0) {
      return;
    }
    int base = baseFor(next, found);
    for (int from = 0; from == 0 || from < found.size(); from += SizeClass.MAX_ELEMENTS) {
      BitSet members = new BitSet();
      int to = Math.min(found.size(), from + SizeClass.MAX_ELEMENTS);
      found.subList(from, to).forEach(members::set);
      open(FilterRole.OUTPOINTS, next++, members, base);
    }
  }

  /** No higher than what is needed: a record that lacks something must not cost a coin. */
  private int baseFor(int number, List<Integer> found) {
    int base = baseOfOutPoints(number);
    Coverage coverage = scanned.coverage();
    if (coverage != null) {
      Heights needed = coverage.uncovered(found, height());
      base = needed.isEmpty() ? base : Math.min(base, onGrid(needed.first()));
    }
    return base;
  }

  /** Its headers tell whether it has our blocks; without, it need not see a filter. */
  private boolean mayBeAsked(Peer peer) {
    boolean strange =
        FilterSession.of(peer).load() == null
            && !FilterSession.of(peer).isRecording()
            && !HeaderLink.of(peer).isDone();
    return !strange && !Tip.of(peer).isOnOtherChain() && !beyond(peer).isPresent();
  }

  @Override
  public List<Peer> askable() {
    return roster.peers(
        peer ->
            mayBeAsked(peer)
                && ScanLink.of(peer).passedOver.isEmpty()
                && dueAt(peer, height()) != null);
  }

  private void plan(Peer peer) {
    if (!mayBeAsked(peer)) {
      return;
    }
    // Who is asked too early is asked again from the grid on.
    int upTo = Reach.of(peer).askedUpTo(height(), effects.now());
    while (!FilterSession.of(peer).isRecording() && ScanLink.of(peer).passedOver.isEmpty()) {
      Epoch epoch = dueAt(peer, upTo);
      if (epoch == null) {
        Epoch newest = newestAt(peer, resting.apply(peer));
        if (newest != null && !isLoaded(peer, newest)) {
          show(peer, newest);
        }
        return;
      }
      Load load = FilterSession.of(peer).load();
      if (load == null || !isLoaded(peer, epoch)) {
        show(peer, epoch);
        return;
      }
      boolean full =
          ScanLink.of(peer).inFlight() > 0 && ScanLink.of(peer).inFlight() + CHUNK > WINDOW;
      if (full || journal.isFull()) {
        return;
      }
      int blocks = budget.blocks(peer, Math.min(CHUNK, upTo - epoch.next + 1));
      if (blocks == 0) {
        return;
      }
      int to = epoch.next + blocks - 1;
      scan.ask(peer, load, epoch.next, to);
      epoch.next = to + 1;
      epoch.missing = Math.max(epoch.missing, to + 1);
    }
  }

  @Override
  public OptionalInt beyond(Peer peer) {
    int lowest = ScanLink.of(peer).lowestKept(chain.height());
    for (Epoch epoch : epochs) {
      boolean here = isAt(epoch, peer) && peer.link().equals(epoch.link);
      if (here && epoch.isDue(height()) && epoch.next < lowest) {
        return OptionalInt.of(epoch.next);
      }
    }
    return OptionalInt.empty();
  }

  /** The epoch to ask under: the one that is loaded as long as there is something to ask. */
  private @Nullable Epoch dueAt(Peer peer, int upTo) {
    Epoch first = null;
    for (Epoch epoch : epochs) {
      if (isAt(epoch, peer) && epoch.isDue(upTo)) {
        if (isLoaded(peer, epoch)) {
          return epoch;
        }
        first = first == null ? epoch : first;
      }
    }
    return first;
  }

  /** The newest epoch of a role, or of the one role that a guard has. */
  private @Nullable Epoch newestAt(Peer peer, FilterRole role) {
    Epoch newest = null;
    for (Epoch epoch : epochs) {
      boolean better = newest == null || newest.role() != role || epoch.role() == role;
      newest = isAt(epoch, peer) && better ? epoch : newest;
    }
    return newest;
  }

  private static boolean isLoaded(Peer peer, Epoch epoch) {
    Load load = FilterSession.of(peer).load();
    return load != null && epoch.content.isSameEpoch(load.content());
  }

  /** Whether a guard holds the newest filter of a role. */
  public boolean holdsNewest(Peer peer, FilterRole role) {
    Epoch newest = newestAt(peer, role);
    return newest != null
        && newest.role() == role
        && !FilterSession.of(peer).isRecording()
        && isLoaded(peer, newest);
  }

  private void show(Peer peer, Epoch epoch) {
    guards.shows(peer.link().address(), epoch.role());
    scan.recordThenSend(
        peer,
        new Load(
            book.newLoadId(),
            peer.link().address(),
            epoch.content,
            epoch.filter,
            effects.clock().getEpochSecond()));
  }

  /** Whether there is anything to look for: the birthday may lie above the last header. */
  public boolean hasBegun() {
    return begun;
  }

  /**
   * Whether there is nothing left to ask for before the next tick. What was found since the last
   * one is due at the next: to look for it earlier would tell when it was found.
   */
  @Override
  public boolean isCovered() {
    if (!begun) {
      return headers.areDone() && !birthdays.height().isPresent();
    }
    return tickedAt >= 0
        && cutTo == NOWHERE
        && isDone(FilterRole.SCRIPTS)
        && isDone(FilterRole.OUTPOINTS);
  }

  /** Whether a guard that something is to be asked of will not come. */
  @Override
  public boolean isExhausted() {
    for (Peer peer : choice.present()) {
      if (ScanLink.of(peer).inFlight() > 0
          || FilterSession.of(peer).isRecording()
          || (begun && dueAt(peer, height()) != null)) {
        return false;
      }
    }
    return choice.missing() != null;
  }

  @Override
  public SyncWarning.@Nullable MissingGuard refusal() {
    return choice.missing();
  }

  @Override
  public int seenBy() {
    return isCovered() ? 1 : 0;
  }

  @Override
  public long left() {
    long left = 0;
    int tip = height();
    for (Epoch epoch : epochs) {
      boolean located = epoch.link != null && roster.contains(epoch.link.id());
      if (located && epoch.isDue(tip)) {
        left += tip - epoch.next + 1;
      }
    }
    return left;
  }

  /** Never: when something is written must not show at a guard. */
  @Override
  public boolean findsAreUrgent() {
    return false;
  }

  /**
   * Each connection begins on the grid: what breaks every one of them before what is missing has
   * come would break them for ever.
   */
  @Override
  public boolean wasUseful(Peer peer) {
    if (HeaderLink.of(peer).served() > 0 && !guards.isGuard(peer)) {
      return true;
    }
    for (Epoch epoch : epochs) {
      if (peer.link().equals(epoch.link) && missing(epoch) > epoch.missingAtFirst) {
        return true;
      }
    }
    return false;
  }

  @Override
  public @Nullable Instant overdueAt() {
    return null;
  }
}
