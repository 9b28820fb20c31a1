package org.murmur.p2p.internal.compact;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Scans under filters that peers get, and then compares the filters of the same blocks with what
 * was found (BIP-0157). To omit something, the peer that serves a block and all that serve its
 * filter must do so alike.
 */
public final class WitnessedPlan extends Part<CompactPeer> implements ScanPlan {

  private final ScanPlan scan;
  private final CompactPlan witness;
  private final Settlement settlement;
  // The batch with all that the scan found, and the height of the scan; negative while it is not
  // complete.
  private long foundBy = -1;
  private int foundTo = -1;
  // The height below which the log explains what matches, whatever peers are convicted of since.
  private int explainedTo = -1;

  public WitnessedPlan(
      Part<? extends CompactPeer> machine,
      ScanPlan scan,
      CompactPlan witness,
      Settlement settlement) {
    super(machine);
    this.settlement = settlement;
    this.scan = scan;
    this.witness = witness;
  }

  /** Filters come when the scan is on disk: only then the log explains what matches. */
  @Override
  public void plan() {
    scan.plan();
    boolean isNews = scan.isCovered() && explainedTo < scan.height();
    if (!isNews) {
      foundBy = -1;
    } else if (foundBy < 0 || foundTo < scan.height()) {
      journal.hurry();
      foundBy = journal.holdingAll();
      foundTo = scan.height();
    }
    if (isNews && journal.isWritten(foundBy)) {
      explainedTo = foundTo;
    }
    witness.planUpTo(explainedTo);
  }

  @Override
  public void hear(Change change) {
    scan.hear(change);
    witness.hear(change);
    if (change instanceof Change.Reorganised reorganised) {
      explainedTo = Math.min(explainedTo, reorganised.fork());
    } else if (change instanceof Change.Rescan
        || (change instanceof Change.Watched watched && !watched.by().scripts().isEmpty())) {
      explainedTo = -1;
    }
  }

  /** Whether all that the scan found is checked. */
  private boolean isChecked() {
    return explainedTo >= scan.height() && witness.isCovered();
  }

  @Override
  public boolean isCovered() {
    return scan.isCovered() && isChecked() && !settlement.isAnyGuilty();
  }

  @Override
  public int height() {
    return scan.height();
  }

  @Override
  public boolean isExhausted() {
    return (scan.isCovered() || scan.isExhausted()) && (isChecked() || witness.isExhausted());
  }

  @Override
  public boolean isHeldUp() {
    return (scan.isCovered() || scan.isExhausted()) ? witness.isHeldUp() : scan.isHeldUp();
  }

  @Override
  public OptionalInt beyond(ScanPeer peer) {
    return scan.beyond(peer);
  }

  @Override
  public SyncWarning.@Nullable MissingGuard refusal() {
    return scan.isCovered() ? null : scan.refusal();
  }

  @Override
  public boolean mayComeBack() {
    return scan.mayComeBack();
  }

  @Override
  public int seenBy() {
    return settlement.isAnyGuilty() ? 0 : scan.seenBy();
  }

  @Override
  public OptionalInt witnesses() {
    return scan.isCovered() && !isChecked()
        ? OptionalInt.of(witness.seenBy())
        : OptionalInt.empty();
  }

  @Override
  public long left() {
    return scan.left() + (scan.isCovered() ? witness.left() : 0);
  }

  @Override
  public Map<ScanPeer, Refusal> withholders() {
    Map<ScanPeer, Refusal> all = new HashMap<>(scan.withholders());
    all.putAll(witness.withholders());
    return all;
  }

  @Override
  public Obstacle hangUp(ScanPeer peer) {
    return scan.hangUp(peer);
  }

  @Override
  public OptionalInt refusedFrom(ScanPeer peer) {
    return scan.refusedFrom(peer);
  }

  @Override
  public boolean wasUseful(ScanPeer peer) {
    return scan.wasUseful(peer) || witness.wasUseful(peer);
  }

  @Override
  public void setAlarm(Alarm alarm) {
    scan.setAlarm(alarm);
    witness.setAlarm(alarm);
  }
}
