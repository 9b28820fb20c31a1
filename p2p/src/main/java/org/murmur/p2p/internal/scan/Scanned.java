package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.headers.Birthdays;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.peers.Part;

/** The scan's record: rows, blocks in flight, and what no longer counts. */
public final class Scanned extends Part<ScanPeer> implements ChangeListener {

  private final Birthdays birthdays;
  private final WatchedLog log;
  private final ScanBook book;
  private final boolean inEpochs;
  // Peers whose blocks count here until the session ends, and on disk no more.
  private final Set<NodeAddress> forgotten = new HashSet<>();
  private int blocks;

  public Scanned(
      Part<? extends ScanPeer> machine,
      Birthdays birthdays,
      WatchedLog log,
      ScanBook book,
      boolean inEpochs) {
    super(machine);
    this.birthdays = birthdays;
    this.log = log;
    this.book = book;
    this.inEpochs = inEpochs;
  }

  /** Everything served and promised, or null while the birthday is not known. */
  public @Nullable Coverage coverage() {
    OptionalInt from = birthdays.height();
    if (!from.isPresent()) {
      return null;
    }
    List<ScanBook.Promise> promised = new ArrayList<>();
    for (ScanPeer peer : roster.peers()) {
      ScanLink link = peer.scan();
      if (!link.isOverdue()) {
        link.chunks.forEach(chunk -> chunk.promise().ifPresent(promised::add));
      }
    }
    return book.coverage(log, from.getAsInt(), promised, inEpochs);
  }

  /** The coverage by filters of blocks alone, or null while the birthday is not known. */
  public @Nullable Coverage byBlockFilters() {
    OptionalInt from = birthdays.height();
    return from.isPresent() ? book.byBlockFilters(log, from.getAsInt()) : null;
  }

  public Birthdays birthdays() {
    return birthdays;
  }

  public WatchedLog log() {
    return log;
  }

  ScanBook book() {
    return book;
  }

  /** The loads under which peers may still serve blocks. */
  public Set<Long> loadsInUse() {
    Set<Long> ids = new HashSet<>();
    for (ScanPeer peer : roster.peers()) {
      peer.filter().addLoads(ids);
      peer.scan().addLoads(ids);
    }
    return ids;
  }

  /** Makes the record of connections that are over smaller, if nothing waits to be written. */
  public void fold() {
    if (journal.isClean() && forgotten.isEmpty()) {
      Folded folded = book.fold(loadsInUse(), log);
      if (!folded.isEmpty()) {
        journal.folded(folded, effects.now());
      }
    }
  }

  /** {@return the id of a new view, which no view ever had} */
  public long newView() {
    return book.newId();
  }

  /** A view that no filter makes begins, or has grown. */
  public void opens(View view) {
    book.add(view);
    journal.view(view, effects.now());
  }

  /** Consecutive blocks were seen under such a view of a peer. */
  public void served(ScanPeer peer, View view, int from, int to) {
    ScanRow last = peer.scan().row();
    if (last == null || last.view() != view.id()) {
      // A reorganisation may have taken its rows, and then the file forgets the view.
      opens(view);
    }
    record(peer, book.scanned(last, view, from, to, effects.clock()));
    effects.changed();
  }

  /** A peer's row is new, or has grown. */
  void record(ScanPeer peer, ScanRow row) {
    peer.scan().continues(row);
    if (!forgotten.contains(peer.link().address())) {
      journal.row(row, effects.now());
    }
  }

  /** A block was served. */
  public void counted() {
    blocks++;
  }

  /** How many blocks were served in this session. */
  public int blocks() {
    return blocks;
  }

  @Override
  public void hear(Change change) {
    if (change instanceof Change.Reorganised reorganised) {
      cutAbove(reorganised.fork());
    } else if (change instanceof Change.Rescan rescan) {
      rescan.from().ifPresent(this::voidFrom);
    } else if (change instanceof Change.Watched watched) {
      watched.by().replaced().forEach(each -> log.replace(each.index(), each.element()));
      log.append(watched.by().from(), watched.by().added());
    }
  }

  private void cutAbove(int fork) {
    book.cutAbove(fork);
    for (ScanPeer peer : roster.peers()) {
      peer.scan().cutAbove(fork);
      peer.scan().endRow();
    }
  }

  /** Blocks are to be scanned again, from a height on. */
  private void voidFrom(int height) {
    book.cutFrom(height);
    roster.peers().forEach(peer -> peer.scan().endRow());
    journal.voidRowsFrom(height, effects.now());
  }

  /** A peer omitted a transaction: none of its blocks count, here or on disk. */
  public void disown(NodeAddress peer) {
    journal.disown(peer, book.disown(peer), effects.now());
    endRow(peer);
    effects.changed();
  }

  /** Rows above a height that came from filters of blocks are void, whenever they were made. */
  public void voidFiltersAbove(int height) {
    journal.cut(book.cutFiltersAbove(height), effects.now());
    roster.peers().forEach(peer -> peer.scan().endRow());
    effects.changed();
  }

  /** {@return the filter headers by height that earlier sessions agreed on} */
  public Map<Integer, Hash256> filterHeaders() {
    return book.filterHeaders();
  }

  /**
   * None of a peer's blocks count on disk, from now on. Here they do until the session ends: a peer
   * that is asked again learns why.
   */
  void disownOnDisk(NodeAddress peer) {
    if (forgotten.add(peer)) {
      journal.disown(peer, book.rowsOf(peer), effects.now());
      endRow(peer);
    }
  }

  /** Whether the blocks of a peer count only until the session ends. */
  boolean isAnyForgotten() {
    return !forgotten.isEmpty();
  }

  private void endRow(NodeAddress peer) {
    for (ScanPeer connected : roster.peers()) {
      if (connected.link().address().equals(peer)) {
        connected.scan().endRow();
      }
    }
  }
}
