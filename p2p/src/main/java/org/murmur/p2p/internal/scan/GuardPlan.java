package org.murmur.p2p.internal.scan;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.scan.Epochs.Epoch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncWarning;

/**
 * The private preset: which epoch a guard gets, and which blocks it serves under it.
 *
 * <p>Nothing here depends on which match was real. Each guard is asked for all blocks under each of
 * its epochs, ascending, from a height on the grid. Finds change nothing before the next tick. The
 * first tick is when the guard of the scripts has served every block in this session; while
 * following, one comes every {@value Preset.Private#TICK} blocks. A one-off session scans no higher
 * than its tick, and leaves the rest to the next one: the time of our requests must not reveal
 * which block had a find. At a tick, new scripts of the look-ahead become an epoch of their own.
 * Outpoints in no epoch become the next one of their guard.
 */
public final class GuardPlan extends FilteredPlan {

  /** Blocks requested in one message, always: the guard's speed must not show. */
  private static final int CHUNK = 500;

  /** Maximum blocks in flight. */
  private static final int WINDOW = 4_000;

  private final Effects effects;
  private final HeaderSync headers;
  private final Guards guards;
  private final Scanners<?> scanners;
  private final GuardChoice<?> choice;
  private final Epochs epochs;
  private final Function<Peer, FilterRole> resting;
  // Blocks above this height left the chain, or are to be scanned again; not yet processed.
  private int cutTo = Epochs.NOWHERE;

  /**
   * Makes the plan of a session. A guard with several roles keeps the newest filter of the {@code
   * resting} one at the end.
   */
  public GuardPlan(
      Effects effects,
      HeaderSync headers,
      Scanners<?> scanners,
      GuardChoice<?> choice,
      BlockScan scan,
      Epochs epochs,
      Function<Peer, FilterRole> resting) {
    super(scan);
    this.effects = effects;
    this.headers = headers;
    this.guards = choice.guards();
    this.scanners = scanners;
    this.choice = choice;
    this.epochs = epochs;
    this.resting = resting;
  }

  @Override
  public void plan() {
    boolean chosen = choice.choose();
    if (chosen || headers.areDone()) {
      epochs.findBirthday();
    }
    if (!chosen || !begin()) {
      return;
    }
    takeCut();
    leave();
    choice.present().forEach(this::arrive);
    tick();
    choice.present().forEach(this::arrive);
    choice.present().forEach(this::plan);
  }

  /** The headers are here, and the elements to scan for are known. */
  private boolean begin() {
    if (epochs.hasBegun()) {
      return true;
    }
    if (!epochs.haveBirthday() || !headers.areDone()) {
      return false;
    }
    cutTo = Epochs.NOWHERE;
    epochs.begin();
    return true;
  }

  @Override
  public void hear(Change change) {
    if (change instanceof Change.Reorganised reorganised) {
      cutTo = Math.min(cutTo, reorganised.fork());
    } else if (change instanceof Change.Rescan rescan) {
      rescan.from().ifPresent(from -> cutTo = Math.min(cutTo, from - 1));
    }
  }

  /** Blocks left the chain, or are to be scanned again: all above are missing. */
  private void takeCut() {
    int cut = cutTo;
    if (cut == Epochs.NOWHERE) {
      return;
    }
    cutTo = Epochs.NOWHERE;
    epochs.cutAbove(cut);
  }

  /** Outstanding blocks of a guard that is gone will not come. */
  private void leave() {
    for (Epoch epoch : epochs.live()) {
      if (epoch.link != null && !scanners.isThere(epoch.link)) {
        epoch.link = null;
        epoch.beginAt(epochs.missing(epoch));
        effects.changed();
      }
    }
  }

  /** Finds the missing blocks at a guard that has connected, or that skipped blocks. */
  private void arrive(ScanPeer peer) {
    ScanLink link = peer.scan();
    boolean again = !link.passedOver.isEmpty() && link.inFlight() == 0 && link.isToAskAgain(now());
    if (again) {
      effects.changed();
      link.passedOver.beginRound();
    }
    for (Epoch epoch : epochs.live()) {
      if (epoch.isFor(peer) && (again || !epoch.isWith(peer))) {
        epoch.beginAt(epochs.missing(epoch));
        if (!epoch.isWith(peer)) {
          epoch.link = peer.link();
          epoch.missingAtFirst = epoch.missing;
        }
        effects.changed();
      }
    }
  }

  private Instant now() {
    return effects.now();
  }

  private void tick() {
    if (!isDone(FilterRole.SCRIPTS)
        || !headers.areDone()
        || !epochs.isTickDue(choice.awaitsGreeting())) {
      epochs.noTick();
      return;
    }
    if (!epochs.mayTick() || epochs.openScripts()) {
      return;
    }
    // Blocks in flight to the other guard are not missing, though no row has them yet.
    boolean idle = isDone(FilterRole.OUTPOINTS);
    epochs.openOutPoints();
    for (Epoch epoch : epochs.live()) {
      // A reorganisation may have made coins older than the requested blocks.
      int missing = epochs.missing(epoch);
      if (idle && missing < epoch.missing) {
        epoch.beginAt(missing);
      }
    }
    epochs.ticked();
    // Blocks served from now on get their own rows.
    choice.present().forEach(peer -> peer.scan().endRow());
  }

  @Override
  public int height() {
    return epochs.top();
  }

  /** Whether every block is known under each epoch of a role. */
  private boolean isDone(FilterRole role) {
    ScanPeer peer = choice.of(role);
    if (peer != null && (peer.scan().inFlight() > 0 || !peer.scan().passedOver.isEmpty())) {
      return false;
    }
    return epochs.live().stream().noneMatch(epoch -> epoch.role() == role && epoch.isDue(height()));
  }

  /** Whether a guard has our blocks. Its headers show this before it gets a filter. */
  private boolean hasBlocks(ScanPeer peer) {
    FilterSession filter = peer.filter();
    boolean strange = filter.load() == null && !filter.isRecording();
    return scanners.isTrusted(peer)
        && (!strange || peer.headers().isDone())
        && !beyond(peer).isPresent();
  }

  @Override
  public boolean isHeldUp() {
    return Scanners.isHeldUp(scanners.all(this::isAskable).stream().map(scanners::prospect));
  }

  private boolean isAskable(ScanPeer peer) {
    return hasBlocks(peer)
        && peer.scan().passedOver.isEmpty()
        && epochs.dueAt(peer, height()) != null;
  }

  private void plan(ScanPeer peer) {
    if (!hasBlocks(peer)) {
      return;
    }
    // A guard that was asked too early is asked again from the grid on.
    peer.reach().waits(height(), now());
    int upTo = peer.reach().upTo(height(), now());
    while (scanners.mayAsk(peer) && peer.scan().passedOver.isEmpty()) {
      Epoch epoch = epochs.dueAt(peer, upTo);
      if (epoch == null) {
        Epoch newest = epochs.newestAt(peer, resting.apply(peer));
        if (newest != null && !newest.isLoadedAt(peer)) {
          epochs.show(peer, newest);
        }
        return;
      }
      Load load = peer.filter().load();
      if (load == null || !epoch.isLoadedAt(peer)) {
        epochs.show(peer, epoch);
        return;
      }
      int blocks =
          isFull(peer) ? 0 : scanners.allowed(peer, Math.min(CHUNK, upTo - epoch.next + 1));
      if (blocks == 0) {
        return;
      }
      int to = epoch.next + blocks - 1;
      scan.ask(peer, load, epoch.next, to);
      epoch.next = to + 1;
      epoch.missing = Math.max(epoch.missing, to + 1);
    }
  }

  private static boolean isFull(ScanPeer peer) {
    int inFlight = peer.scan().inFlight();
    return inFlight > 0 && inFlight + CHUNK > WINDOW;
  }

  @Override
  public OptionalInt beyond(ScanPeer peer) {
    int lowest = peer.scan().lowestKept(epochs.tip());
    for (Epoch epoch : epochs.live()) {
      if (epoch.isWith(peer) && epoch.isDue(height()) && epoch.next < lowest) {
        return OptionalInt.of(epoch.next);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Whether nothing is left to request before the next tick, and none is due. Finds since the last
   * tick wait for the next one: an earlier scan would reveal when they were found.
   */
  @Override
  public boolean isCovered() {
    if (!epochs.hasBegun()) {
      return headers.areDone() && !epochs.haveBirthday();
    }
    return epochs.haveTicked()
        && !epochs.isTickDue(choice.awaitsGreeting())
        && cutTo == Epochs.NOWHERE
        && isDone(FilterRole.SCRIPTS)
        && isDone(FilterRole.OUTPOINTS);
  }

  /** Whether a guard that we still need will not come. */
  @Override
  public boolean isExhausted() {
    for (ScanPeer peer : choice.present()) {
      if (peer.scan().inFlight() > 0
          || peer.filter().isRecording()
          || epochs.dueAt(peer, height()) != null) {
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
  public boolean mayComeBack() {
    return choice.haveMet();
  }

  @Override
  public int seenBy() {
    return isCovered() ? 1 : 0;
  }

  @Override
  protected long unasked() {
    long left = 0;
    int top = height();
    for (Epoch epoch : epochs.live()) {
      boolean located = epoch.link != null && scanners.isThere(epoch.link);
      if (located && epoch.isDue(top)) {
        left += top - epoch.next + 1;
      }
    }
    return left;
  }

  /**
   * Each connection begins on the grid. If every connection breaks before the missing blocks have
   * come, retries would never help.
   */
  @Override
  public boolean wasUseful(ScanPeer peer) {
    if (peer.headers().served() > 0 && !guards.isGuard(peer)) {
      return true;
    }
    for (Epoch epoch : epochs.live()) {
      boolean onThisLink = peer.link().equals(epoch.link);
      if (onThisLink && epochs.missing(epoch) > epoch.missingAtFirst) {
        return true;
      }
    }
    return false;
  }
}
