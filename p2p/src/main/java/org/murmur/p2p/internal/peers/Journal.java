package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;

/**
 * The next batch, and the rule that at most one write is open at a time. While the disk is busy the
 * next batch grows, so a slow disk causes larger batches instead of a queue.
 */
public final class Journal implements Alarm.Timed {

  /** How long an entry may wait for more to be written with it. */
  private static final Duration PATIENCE = Duration.ofMillis(250);

  /** Scanned blocks that justify a write. */
  private static final int MANY_BLOCKS = 1_000;

  /** Connected headers that justify a write. */
  private static final int MANY_HEADERS = 20_000;

  /** Bytes of transactions that justify a write. */
  private static final long MANY_BYTES = 4L << 20;

  /** Headers that may wait for a slow disk: twice the number that justifies a write. */
  private static final int MANY_UNWRITTEN = 40_000;

  /** Above this many waiting bytes of transactions, no more requests are sent. */
  private static final long FULL_BYTES = 32L << 20;

  private final HeaderChain chain;
  private long sequence;
  private boolean out;

  // The last height whose header stays: it is on disk, or in the batch that is being written.
  private int fork;
  // The last height whose header is on disk and stays, and what the open batch adds.
  private int written;
  private int writing;
  private OptionalInt birthday = OptionalInt.empty();
  private List<Load> loads = new ArrayList<>();
  private final Map<Long, View> views = new TreeMap<>();
  private final Map<Long, ScanRow> rows = new TreeMap<>();
  private int voidRowsFrom = Integer.MAX_VALUE;
  private final Set<NodeAddress> disowned = new LinkedHashSet<>();
  private Folded folded = Folded.NOTHING;
  private List<CommitBatch.MatchedBlock> blocks = new ArrayList<>();
  private List<Tx> unconfirmed = new ArrayList<>();
  private List<Hash256> missing = new ArrayList<>();
  private final Map<NodeAddress, CommitBatch.PeerFacts> peers = new LinkedHashMap<>();
  private List<CommitBatch.Mention> mentions = new ArrayList<>();
  private List<CommitBatch.Fetch> fetches = new ArrayList<>();
  private int scanned;
  private long bytes;
  private boolean urgent;
  private boolean reorganised;
  private @Nullable Instant since;

  public Journal(HeaderChain chain) {
    this.chain = chain;
    this.fork = chain.height();
    this.written = fork;
    this.writing = fork;
  }

  /** Headers above this height were replaced or added. */
  public void headersAbove(int height, Instant now) {
    if (height < fork) {
      fork = height;
      reorganised = true;
    }
    written = Math.min(written, height);
    writing = Math.min(writing, height);
    blocks.removeIf(block -> block.height() > height);
    ScanRow.cutAbove(rows, height);
    folded = folded.cutAbove(height);
    touch(now);
  }

  public void birthday(int height, Instant now) {
    birthday = OptionalInt.of(height);
    touch(now);
  }

  /** Records a filter; the returned number is that of the batch that will hold it. */
  public long load(Load load, Instant now) {
    loads.add(load);
    urgent = true;
    touch(now);
    return sequence + 1;
  }

  /** Records a view that no filter makes, or that it grew. */
  public void view(View view, Instant now) {
    views.put(view.id(), view);
    touch(now);
  }

  /**
   * Records what a peer will be sent; the returned number is that of the batch that will hold it.
   */
  public long mention(CommitBatch.Mention mention, Instant now) {
    mentions.add(mention);
    urgent = true;
    touch(now);
    return sequence + 1;
  }

  /**
   * Records a block that a peer will be asked for; the returned number is that of the batch that
   * will hold it.
   */
  public long fetch(CommitBatch.Fetch fetch, Instant now) {
    fetches.add(fetch);
    urgent = true;
    touch(now);
    return sequence + 1;
  }

  public void row(ScanRow row, Instant now) {
    rows.put(row.id(), row);
    scanned++;
    touch(now);
  }

  public void voidRowsFrom(int height, Instant now) {
    voidRowsFrom = Math.min(voidRowsFrom, height);
    ScanRow.cutAbove(rows, height - 1);
    folded = folded.cutAbove(height - 1);
    touch(now);
  }

  /** Rows that a peer served are void: the written ones, and those waiting here. */
  public void disown(NodeAddress peer, Set<Long> served, Instant now) {
    disowned.add(peer);
    rows.keySet().removeAll(served);
    folded = folded.without(served);
    touch(now);
  }

  /** Rows became shorter or went away: the written ones, and those waiting here. */
  public void cut(Folded by, Instant now) {
    rows.keySet().removeAll(by.gone());
    by.rows().forEach(row -> rows.replace(row.id(), row));
    folded = folded.and(by);
    touch(now);
  }

  /** Rows on disk have become fewer. Nothing else may wait to be written: see {@link #isClean}. */
  public void folded(Folded by, Instant now) {
    folded = by;
    touch(now);
  }

  public void block(CommitBatch.MatchedBlock block, Instant now) {
    blocks.add(block);
    for (Tx tx : block.transactions()) {
      bytes += tx.raw().length();
    }
    touch(now);
  }

  /**
   * The wallet's transactions in a whole block that was checked against its header, however it was
   * received.
   */
  public void block(int height, FullBlock block, BitSet ours, Instant now) {
    List<Tx> found = new ArrayList<>();
    ours.stream().forEach(i -> found.add(block.transactions().get(i).withoutWitness()));
    block(
        new CommitBatch.MatchedBlock(height, chain.timeAt(height), block.prove(ours), found), now);
  }

  public void unconfirmed(Tx tx, Instant now) {
    unconfirmed.add(tx);
    bytes += tx.raw().length();
    touch(now);
  }

  public void missing(Hash256 txid, Instant now) {
    missing.add(txid);
    touch(now);
  }

  /** The table of addresses has changed. */
  public void addresses(Instant now) {
    touch(now);
  }

  public void peer(CommitBatch.PeerFacts facts, Instant now) {
    peers.put(facts.address(), facts);
    touch(now);
  }

  /** Whether so many headers wait to be written that no more are to be requested. */
  public boolean headersPileUp() {
    return chain.height() - written > MANY_UNWRITTEN;
  }

  /** Requests a write as soon as the disk is free. */
  public void hurry() {
    urgent |= since != null;
  }

  public boolean isClean() {
    return since == null && !out;
  }

  /** Bytes of transactions that wait to be written. */
  public long bytes() {
    return bytes;
  }

  public boolean isFull() {
    return bytes > FULL_BYTES;
  }

  /** The batch after which all transactions found so far are on disk. */
  public long holdingTransactions() {
    if (!blocks.isEmpty() || !unconfirmed.isEmpty()) {
      return sequence + 1;
    }
    return out ? sequence : 0;
  }

  /** The batch after which everything recorded so far is on disk. */
  public long holdingAll() {
    if (since != null) {
      return sequence + 1;
    }
    return out ? sequence : 0;
  }

  /** Whether a batch is on disk. */
  public boolean isWritten(long batch) {
    return batch < sequence || (batch == sequence && !out);
  }

  @Override
  public void setAlarm(Alarm alarm) {
    Instant first = since;
    if (first != null && !out) {
      alarm.at(first.plus(PATIENCE));
    }
  }

  public void committed(long committed) {
    if (!out || committed != sequence) {
      throw new IllegalArgumentException("committed " + committed + ", expected " + sequence);
    }
    out = false;
    written = writing;
    chain.stored(written);
  }

  /** The batch, if it is time for one. */
  public @Nullable CommitBatch take(
      Instant now,
      Supplier<List<ServerCopy>> copies,
      Supplier<AddressChanges> addresses,
      Supplier<Set<Long>> loadsInUse) {
    Instant first = since;
    if (first == null || out) {
      return null;
    }
    boolean due =
        urgent
            || scanned >= MANY_BLOCKS
            || bytes >= MANY_BYTES
            || chain.height() - fork >= MANY_HEADERS
            || !now.isBefore(first.plus(PATIENCE));
    if (!due) {
      return null;
    }
    sequence++;
    CommitBatch batch =
        new CommitBatch(
            sequence,
            fork,
            chain.headers(fork + 1, chain.height() + 1),
            birthday,
            loads,
            new ArrayList<>(views.values()),
            new ArrayList<>(rows.values()),
            voidRowsFrom,
            new ArrayList<>(disowned),
            blocks,
            unconfirmed,
            missing,
            new ArrayList<>(peers.values()),
            copies.get(),
            addresses.get(),
            mentions,
            fetches,
            folded,
            loadsInUse.get());
    out = true;
    clear();
    return batch;
  }

  private void clear() {
    fork = chain.height();
    writing = fork;
    birthday = OptionalInt.empty();
    loads = new ArrayList<>();
    views.clear();
    rows.clear();
    voidRowsFrom = Integer.MAX_VALUE;
    disowned.clear();
    folded = Folded.NOTHING;
    blocks = new ArrayList<>();
    unconfirmed = new ArrayList<>();
    missing = new ArrayList<>();
    peers.clear();
    mentions = new ArrayList<>();
    fetches = new ArrayList<>();
    scanned = 0;
    bytes = 0;
    urgent = false;
    reorganised = false;
    since = null;
  }

  private void touch(Instant now) {
    if (since == null) {
      since = now;
    }
    urgent |= reorganised;
  }
}
