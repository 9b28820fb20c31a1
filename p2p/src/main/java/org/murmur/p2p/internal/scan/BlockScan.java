package org.murmur.p2p.internal.scan;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Filtered blocks: which to request, under which filter, and how to handle the answers.
 *
 * <p>The {@link Planner} chooses the next blocks. A peer's filter that does not cover them is
 * updated first. Before a new filter is sent, the peer's pipeline is drained and written, so that
 * the new filter holds every coin that the old one found.
 */
public final class BlockScan extends Part<ScanPeer> {

  /** The flaw of a transaction that {@link #misplaces} is about. */
  public static final String MISPLACED =
      "is the first of its block and no coinbase, or a coinbase further on";

  private static final String KEEPS_LITTLE = "it is a pruned node that keeps only the last blocks";

  /** When to retry a block that a peer skipped silently. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /**
   * How long a peer may lack the newest blocks in a one-off sync. A session that follows allows the
   * time that {@link TipWatch} leaves for a slightly shorter chain.
   */
  public static final Duration LATE = Duration.ofMinutes(1);

  /** How long a one-off sync waits for a block that decides between two branches of equal work. */
  static final Duration RACE = Duration.ofMinutes(10);

  /**
   * How often that pause is doubled, to half a minute, while the peer may not have the block yet.
   */
  private static final int MAX_DOUBLINGS = 5;

  /**
   * How often a peer may skip blocks that it has, plus once a minute: a peer may announce a block
   * before it can serve it. A block the peer skips ends the scan row and triggers a new plan.
   */
  public static final int MAX_PASSES = 100;

  /** How often a peer may skip blocks before it is unusable. */
  private static final int MAX_REFUSALS = 5;

  /** A peer that disconnects this soon after a request did so because of it. */
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  private final WatchedLog log;
  private final ScanBook book;
  private final Scanned scanned;
  private final Settlement settlement;
  private final Depths depths;
  private boolean found;

  public BlockScan(
      Part<? extends ScanPeer> machine, Scanned scanned, Settlement settlement, Depths depths) {
    super(machine);
    this.log = scanned.log();
    this.book = scanned.book();
    this.scanned = scanned;
    this.settlement = settlement;
    this.depths = depths;
  }

  /** Returns whether anything was found since the last call. */
  public boolean takeFound() {
    boolean taken = found;
    found = false;
    return taken;
  }

  /** Blocks that peers owe. */
  public int owed() {
    int owed = 0;
    for (ScanPeer peer : roster.peers()) {
      owed += peer.scan().inFlight();
    }
    return owed;
  }

  /** A batch is on disk: the filters that it records may be sent now. */
  public void committed(long sequence) {
    for (ScanPeer peer : roster.peers()) {
      Load sent = peer.filter().sendRecorded(sequence, log, effects);
      if (sent != null) {
        book.add(sent.view());
      }
    }
  }

  /** Takes a filtered block. */
  public Refusal received(ScanPeer peer, MerkleBlock proof) {
    Refusal refusal = take(peer, proof);
    if (refusal.isRefusal()) {
      return refusal;
    }
    peer.questions().earns(Patience.Answer.PROGRESS, effects.now());
    return pings(peer);
  }

  private Refusal take(ScanPeer peer, MerkleBlock proof) {
    closeOpenBlock(peer);
    Hash256 hash = proof.blockHash();
    if (!passUpTo(peer, hash)) {
      return new Refusal(DisconnectReason.UNASKED, "block " + hash + " was not requested");
    }
    Verdict verdict = proof.verify();
    if (!(verdict instanceof Verdict.Proven proven)) {
      String why = verdict instanceof Verdict.Refused no ? Refusal.words(no.reason()) : "nothing";
      return new Refusal(
          DisconnectReason.BAD_PROOF, "a Merkle proof of block " + hash + " that fails: " + why);
    }
    List<Match> matches = proven.matches();
    if (matches.isEmpty()) {
      scanned(peer, proof, List.of());
      return Refusal.NONE;
    }
    return switch (depths.judge(proof, proven)) {
      case RIGHT -> {
        peer.scan().opens(new OpenBlock(proof, matches));
        yield Refusal.NONE;
      }
      case WRONG ->
          new Refusal(
              DisconnectReason.BAD_PROOF,
              "a Merkle proof of block " + hash + " that fails: the block is not that large");
      case UNKNOWN -> {
        putOff(peer);
        peer.scan().opens(OpenBlock.setAside(proof, matches));
        yield Refusal.NONE;
      }
    };
  }

  /** Leaves the next block unscanned until the whole block shows the depth of its tree. */
  private void putOff(ScanPeer peer) {
    ScanLink link = peer.scan();
    Chunk chunk = link.chunks.element();
    int height = chunk.next();
    link.servesInDoubt(chunk, effects.now());
    endOverdueIfIdle(link);
    if (height <= chunk.validTo()) {
      depths.doubt(peer, height);
      link.passedOver.putOff(height);
      askLater(link, PAUSE);
    }
    link.dropDoneChunks();
  }

  /**
   * Whether the block that is arriving proves a transaction where no valid block can have it: the
   * first one is a coinbase, and no other is.
   */
  public boolean misplaces(ScanPeer peer, Tx tx) {
    OpenBlock open = peer.scan().open();
    return open != null && open.misplaces(tx);
  }

  /** Takes a transaction if it belongs to the block that is arriving; returns whether it did. */
  public boolean received(ScanPeer peer, Tx tx) {
    OpenBlock open = peer.scan().open();
    if (open == null || !open.take(tx)) {
      return false;
    }
    if (open.isWhole()) {
      peer.scan().closeOpen();
      if (!open.isSetAside()) {
        scanned(peer, open.proof, open.proven());
      }
    }
    return true;
  }

  /** The pong after a chunk: blocks that have not come will not come. */
  private Refusal closed(ScanPeer peer, Question question) {
    for (Chunk answered : peer.scan().chunks) {
      if (answered.question == question) {
        close(peer, answered);
        break;
      }
    }
    return Refusal.NONE;
  }

  /** Closes every chunk up to this one. Closing the open block may have removed it already. */
  private void close(ScanPeer peer, Chunk answered) {
    closeOpenBlock(peer);
    ArrayDeque<Chunk> chunks = peer.scan().chunks;
    while (chunks.contains(answered)) {
      Chunk chunk = chunks.remove();
      refuse(peer, chunk, chunk.left());
    }
  }

  /**
   * Refuses a peer that answers later requests but omits a ping: pings are answered in the order of
   * the requests before them.
   */
  static Refusal pings(ScanPeer peer) {
    Chunk current = peer.scan().chunks.peek();
    return current == null
            || current.next() == current.from
            || peer.questions().isOldestPing(current.question)
        ? Refusal.NONE
        : new Refusal(DisconnectReason.PING_TIMEOUT, "serves blocks and does not answer pings");
  }

  /** Peers that keep skipping blocks, or have been on a branch of equal work for too long. */
  public Map<ScanPeer, Refusal> withholders() {
    Map<ScanPeer, Refusal> withholders = new LinkedHashMap<>();
    for (ScanPeer peer : roster.peers()) {
      peer.reach().races(peer.tip().isOnRivalBranch(chain), effects.now());
      Refusal refusal = patience(peer);
      if (refusal.isRefusal()) {
        withholders.put(peer, refusal);
      }
    }
    return withholders;
  }

  /** Whether a peer keeps skipping blocks, or {@link Refusal#NONE}. Pure. */
  Refusal patience(ScanPeer peer) {
    boolean idle = peer.scan().inFlight() == 0;
    if (idle && !settings.follow() && peer.reach().isRacingFor(RACE, effects.now())) {
      return new Refusal(
          DisconnectReason.RIVAL_BRANCH,
          Obstacle.OTHER_CHAIN,
          "the best chain has two ends of equal work at height "
              + chain.height()
              + ", and its end is another than ours; a later block decides");
    }
    PassedOver passedOver = peer.scan().passedOver;
    if (passedOver.isEmpty()) {
      return Refusal.NONE;
    }
    int first = passedOver.first();
    if (passedOver.withheldLately(effects.now()) > MAX_PASSES) {
      return lacks(peer, first);
    }
    // Skipped blocks may have been cleared meanwhile for a retry. A header request is also open:
    // another branch may have taken those blocks from the peer's chain.
    return passedOver.rounds() <= MAX_REFUSALS
            || peer.reach().excuses(first, chain.height(), lateness(), effects.now())
            || peer.headers().isAsked()
        ? Refusal.NONE
        : lacks(peer, first);
  }

  private Refusal lacks(ScanPeer peer, int height) {
    Obstacle obstacle = Obstacle.LACKS_BLOCKS;
    String perhaps = " (has it pruned its blocks, or is it not synced itself?)";
    if (height > peer.tip().height()) {
      obstacle = Obstacle.BEHIND;
      perhaps = "; its chain seems to end at height " + peer.tip().height();
    } else if (peer.isPruned()) {
      obstacle = Obstacle.PRUNED;
      perhaps = "; " + KEEPS_LITTLE;
    }
    return new Refusal(
        DisconnectReason.LACKS_BLOCKS,
        obstacle,
        "does not serve block " + chain.hashAt(height) + " at height " + height + perhaps);
  }

  /** How long a peer may lack blocks that others have. */
  private Duration lateness() {
    return settings.follow() ? TipWatch.PATIENCE : LATE;
  }

  /** The refusal of a peer that does not keep a block we need. */
  static Refusal keepsTooLittle(int height) {
    return new Refusal(
        DisconnectReason.PRUNED,
        Obstacle.PRUNED,
        KEEPS_LITTLE + ", and this wallet needs those from height " + height + " on");
  }

  /**
   * Why a peer may have disconnected, if that was its answer to a block request. Core does so when
   * it reached its upload limit of the day, and when it keeps no blocks that old.
   */
  public Obstacle hangUp(ScanPeer peer) {
    ScanLink link = peer.scan();
    if (link.inFlight() == 0 || link.blocksServed() > 0) {
      return Obstacle.LOST;
    }
    return peer.isPruned() ? Obstacle.PRUNED : Obstacle.UPLOAD_LIMIT;
  }

  /** The same for people, appended to the network's error. */
  public static String afterQuestion(Obstacle hangUp) {
    return switch (hangUp) {
      case PRUNED -> ", asked for blocks; " + KEEPS_LITTLE;
      case UPLOAD_LIMIT -> ", asked for blocks; it may have reached its maxuploadtarget";
      default -> "";
    };
  }

  /**
   * From which height on blocks were requested from it, if it disconnected within seconds of the
   * request and never served any.
   */
  public OptionalInt refusedFrom(ScanPeer peer) {
    ScanLink link = peer.scan();
    Chunk first = link.chunks.peek();
    boolean atOnce = effects.now().isBefore(link.servedAt().plus(AT_ONCE));
    return first != null && link.blocksServed() == 0 && atOnce
        ? OptionalInt.of(first.from)
        : OptionalInt.empty();
  }

  /** Requests consecutive blocks under the peer's filter. */
  void ask(ScanPeer peer, Load load, int from, int to) {
    Hash256[] hashes = new Hash256[to - from + 1];
    List<InventoryItem> items = new ArrayList<>(hashes.length);
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = chain.hashAt(from + i);
      items.add(new InventoryItem(InventoryItem.FILTERED_BLOCK, hashes[i]));
    }
    ScanLink link = peer.scan();
    if (link.inFlight() == 0) {
      peer.pace().begins();
    }
    Question question =
        effects.ask(
            peer,
            Question.Kind.BLOCKS,
            hashes.length,
            new Message.GetData(items),
            asked -> closed(peer, asked));
    peer.filter().stopDraining();
    link.asked(new Chunk(load.view(), from, hashes, question), to);
  }

  /** Steps to the block with this hash, and refuses skipped ones; false if it is not owed. */
  private boolean passUpTo(ScanPeer peer, Hash256 hash) {
    ArrayDeque<Chunk> chunks = peer.scan().chunks;
    Chunk holder = null;
    for (Chunk chunk : chunks) {
      if (chunk.ahead(hash) >= 0) {
        holder = chunk;
        break;
      }
    }
    if (holder == null) {
      return false;
    }
    while (chunks.element() != holder) {
      Chunk skipped = chunks.remove();
      refuse(peer, skipped, skipped.left());
    }
    refuse(peer, holder, holder.ahead(hash));
    return true;
  }

  /** The next blocks of a chunk will not come. */
  private void refuse(ScanPeer peer, Chunk chunk, int blocks) {
    if (blocks == 0) {
      return;
    }
    int from = chunk.next();
    int to = Math.min(from + blocks - 1, chunk.validTo());
    ScanLink link = peer.scan();
    link.skips(chunk, blocks);
    endOverdueIfIdle(link);
    if (from <= to) {
      link.passedOver.add(from, to);
      if (!peer.reach().mayLack(from, chain.height())) {
        link.passedOver.withheld(effects.now());
      }
      askLater(link, pause(peer, from));
    }
  }

  private void askLater(ScanLink link, Duration pause) {
    link.passedOver.askAgainAt(effects.now().plus(pause));
    effects.changed();
  }

  /** A peer that owes nothing is no longer overdue, though it served nothing. */
  private void endOverdueIfIdle(ScanLink link) {
    if (link.inFlight() == 0 && link.endOverdue()) {
      effects.changed();
    }
  }

  /** How long to wait before skipped blocks from this one on are requested again. */
  private Duration pause(ScanPeer peer, int block) {
    if (!peer.reach().mayLack(block, chain.height())) {
      return PAUSE;
    }
    if (!peer.reach().isLate()) {
      peer.reach().late(effects.now());
      effects.note(
          SyncEvent.Note.Topic.BLOCKS,
          peer,
          "seems not to have the block at height " + block + " yet; is asked for it again");
    }
    return PAUSE.multipliedBy(1L << Math.min(MAX_DOUBLINGS, peer.scan().passedOver.rounds() - 1));
  }

  /**
   * Another message comes before the last block is complete: fill it from the link's earlier ones.
   */
  private void closeOpenBlock(ScanPeer peer) {
    ScanLink link = peer.scan();
    OpenBlock open = link.open();
    if (open == null) {
      return;
    }
    link.closeOpen();
    if (open.isSetAside()) {
      return;
    }
    open.fill(link.seen().byTxid());
    if (open.isWhole()) {
      scanned(peer, open.proof, open.proven());
    } else {
      refuse(peer, link.chunks.element(), 1);
      link.dropDoneChunks();
    }
  }

  private void scanned(ScanPeer peer, MerkleBlock proof, List<Tx> transactions) {
    ScanLink link = peer.scan();
    Chunk chunk = link.chunks.element();
    int height = chunk.next();
    peer.pace().served(height == chunk.from, effects.now());
    if (link.endOverdue()) {
      effects.changed();
    }
    link.serves(chunk, effects.now());
    if (chunk.isDone()) {
      peer.pace().chunkDone(chunk.size(), effects.now());
    }
    link.dropDoneChunks();
    if (height > chunk.validTo()) {
      return;
    }
    scanned.counted();
    link.passedOver.served(height);
    peer.reach().rises(height);
    peer.filter().serves(transactions.size());
    if (!settlement.isAccused(peer)) {
      scanned.record(
          peer,
          book.scanned(
              link.row(), chunk.view.id(), chunk.view.content().size(), height, effects.clock()));
    } else if (chunk.isDone()) {
      // Blocks that an accused peer still owed do not count: the process may end before its
      // conviction.
      effects.changed();
    }
    settlement.scanned(chunk.view, height, transactions);
    if (!transactions.isEmpty()) {
      journal.block(
          new CommitBatch.MatchedBlock(height, chain.timeAt(height), proof, transactions),
          effects.now());
      found = true;
    }
  }

  void setAlarm(Alarm alarm) {
    for (ScanPeer peer : roster.peers()) {
      alarm.at(peer.scan().passedOver.askAgainAt());
      alarm.at(peer.reach().askAt());
      alarm.at(peer.reach().raceEnds(RACE));
    }
  }
}
