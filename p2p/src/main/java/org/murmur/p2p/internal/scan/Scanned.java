package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanBook;
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
  @Nullable Coverage coverage() {
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

  public Birthdays birthdays() {
    return birthdays;
  }

  WatchedLog log() {
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
    if (journal.isClean()) {
      Folded folded = book.fold(loadsInUse(), log);
      if (!folded.isEmpty()) {
        journal.folded(folded, effects.now());
      }
    }
  }

  /** A block was served. */
  void counted() {
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
  void disown(NodeAddress peer) {
    journal.disown(peer, book.disown(peer), effects.now());
    for (ScanPeer connected : roster.peers()) {
      if (connected.link().address().equals(peer)) {
        connected.scan().endRow();
      }
    }
    effects.changed();
  }
}
