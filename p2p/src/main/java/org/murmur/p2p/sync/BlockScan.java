package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/**
 * Filtered blocks: which to ask for, under which filter, and what to make of the answers.
 *
 * <p>The {@link Planner} says which blocks come next. If the filter a peer holds would not cover
 * them it is brought up to date first; before a whole new filter is sent the peer's pipeline is
 * drained and written, so that the new one holds every coin the old one found.
 */
final class BlockScan {

  /**
   * Elements that are added one by one; more of them, and a new filter is shorter and says less.
   */
  private static final int MOST_ADDS = 400;

  /** When to ask again for a block that a peer passed over in silence. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How often a peer may pass over blocks before it is no good to us. */
  private static final int MAX_REFUSALS = 5;

  /** So many blocks to come that every peer will be asked for some of them. */
  private static final int MANY = 1_000;

  private final Session session;
  private final Planner planner;
  private final FilterPolicy policy;
  private @Nullable Instant overdueAt;

  BlockScan(Session session) {
    this.session = session;
    this.planner = new Planner(session);
    this.policy = new FilterPolicy(session.settings.rate());
  }

  /** Asks for more where there is more to ask for. Cheap when the pipelines are well filled. */
  void plan() {
    if (session.settings.headersOnly()) {
      return;
    }
    overdueAt = planner.watch();
    Peer first = session.scanner();
    if (first == null) {
      return;
    }
    plan(first);
    if (session.peers.size() > 1) {
      for (Peer peer : session.peers.values()) {
        if (peer != first && peer.servesBloom()) {
          plan(peer);
        }
      }
    }
  }

  /** Whether every element was looked for in every block there is. */
  boolean isCovered() {
    return planner.isCovered();
  }

  /** Whether nobody who is there can see what too few have seen. */
  boolean isExhausted() {
    return planner.isExhausted();
  }

  /** By how many different peers, of those that are wanted, every block was seen. */
  int seenBy() {
    return planner.seenBy();
  }

  /** Blocks that are still to come. */
  int left() {
    int left = Math.toIntExact(planner.left());
    for (Peer peer : session.peers.values()) {
      left += peer.inFlight;
    }
    return left;
  }

  private void plan(Peer peer) {
    if (peer.nextLoad != null
        || peer.overdue
        || session.settlement.isAccused(peer)
        || (peer.draining && !isDrained(peer))) {
      return;
    }
    if (peer.askAgainAt != null && !session.now.isBefore(peer.askAgainAt)) {
      session.changes++;
      peer.askAgainAt = null;
      peer.refused.remove(0, Integer.MAX_VALUE - 1);
    }
    if (isToPrepare(peer)) {
      refresh(peer);
      return;
    }
    if (peer.headersAsked && peer.tip.isDoubtful(session.chain.height())) {
      // Its headers will tell whether it has any of our blocks; without, it need not see a filter.
      return;
    }
    while (session.changes != peer.idleSince
        && planner.hasRoom(peer)
        && !session.journal.isFull()) {
      if (!askOne(peer)) {
        peer.idleSince = session.changes;
      }
    }
  }

  /**
   * Whether a filter is to go out while the headers are still coming: it is certain that there is a
   * lot to look through, so the first blocks can be asked for a write and a round trip earlier.
   */
  private boolean isToPrepare(Peer peer) {
    Message.Version version = peer.version;
    OptionalInt birthday = session.birthdayHeight();
    return peer.load == null
        && version != null
        && session.log.size() > 0
        && birthday.isPresent()
        && version.startHeight() - Math.max(session.chain.height(), birthday.getAsInt()) >= MANY;
  }

  /** Whether what a peer was asked for under its filter has come and is on disk. */
  private boolean isDrained(Peer peer) {
    if (peer.inFlight > 0) {
      return false;
    }
    if (peer.drained < 0) {
      peer.drained = session.journal.holdingTransactions();
      session.changes++;
    }
    if (!session.journal.isWritten(peer.drained)) {
      session.journal.hurry();
      return false;
    }
    return true;
  }

  /** Whether the scanner's filter would see a payment or a spend of anything that is still open. */
  boolean holdsEverything(Peer peer) {
    Load load = peer.load;
    if (load == null || peer.nextLoad != null) {
      return false;
    }
    Coverage coverage = peer.elements < session.log.size() ? session.coverage() : null;
    for (int i = peer.elements; i < session.log.size(); i++) {
      Element element = session.log.get(i);
      boolean open = element.end() == Element.OPEN;
      if (open && (coverage == null || !coverage.holds(i, load.id(), peer.elements))) {
        return false;
      }
    }
    return true;
  }

  /** Brings the filter a peer holds up to date with the log. */
  void refresh(Peer peer) {
    Load load = peer.load;
    int missing = session.log.size() - peer.elements;
    if (load != null
        && missing <= MOST_ADDS
        && !policy.isWorn(load, session.log.size(), peer.matched)) {
      recordThenSend(peer, grown(peer, load));
      return;
    }
    if (!peer.draining) {
      peer.draining = true;
      peer.drained = -1;
    }
    if (!isDrained(peer)) {
      session.journal.hurry();
      return;
    }
    peer.draining = false;
    Load next =
        new Load(
            session.book.newLoadId(),
            peer.link.address(),
            new Content.Prefix(session.log.size()),
            policy.filter(session.log, session.dice.nextInt()),
            session.now.getEpochSecond());
    recordThenSend(peer, next);
  }

  /** A batch is on disk: filters it records may go out now. */
  void committed(long sequence) {
    for (Peer peer : session.peers.values()) {
      Load next = peer.nextLoad;
      if (next == null || peer.loadRecordedBy > sequence) {
        continue;
      }
      peer.nextLoad = null;
      Load last = peer.load;
      if (last != null && last.id() == next.id()) {
        for (int i = peer.elements; i < next.elements(); i++) {
          session.send(peer, new Message.FilterAdd(session.log.get(i).data()));
        }
      } else {
        session.send(peer, new Message.FilterLoad(next.filter()));
        peer.matched = 0;
      }
      peer.load = next;
      peer.elements = next.elements();
      session.book.add(next);
    }
  }

  Refusal received(Peer peer, MerkleBlock proof) {
    closeOpenBlock(peer);
    Hash256 hash = proof.blockHash();
    if (!passUpTo(peer, hash)) {
      return new Refusal(DisconnectReason.UNASKED, "block " + hash + " was not asked for");
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
    } else {
      peer.open = new OpenBlock(proof, matches);
    }
    return Refusal.NONE;
  }

  /** Takes a transaction if the block that is coming in has it; returns whether it did. */
  boolean received(Peer peer, Tx tx) {
    OpenBlock open = peer.open;
    if (open == null || !open.take(tx)) {
      return false;
    }
    if (open.isWhole()) {
      peer.open = null;
      scanned(peer, open.proof, open.proven());
    }
    return true;
  }

  /** The pong behind a chunk: what has not come will not come. */
  void ponged(Peer peer, long nonce) {
    boolean ours = peer.chunks.stream().anyMatch(chunk -> chunk.ping == nonce);
    if (!ours) {
      return;
    }
    closeOpenBlock(peer);
    while (true) {
      Chunk chunk = peer.chunks.remove();
      refuse(peer, chunk, chunk.left());
      if (chunk.ping == nonce) {
        return;
      }
    }
  }

  /** Gives up on a peer that keeps passing blocks over. */
  Refusal patience(Peer peer) {
    // What was refused may have been struck out meanwhile, to be asked for again.
    return peer.refusals <= MAX_REFUSALS || peer.refused.isEmpty()
        ? Refusal.NONE
        : new Refusal(
            DisconnectReason.LACKS_BLOCKS,
            "does not serve block "
                + session.chain.hashAt(peer.refused.first())
                + " at height "
                + peer.refused.first()
                + " (a pruned node, or one that is not synced itself?)");
  }

  private boolean askOne(Peer peer) {
    Planner.Range range = planner.next(peer);
    if (range == null) {
      return false;
    }
    Load load = peer.load;
    if (load == null
        || policy.isWorn(load, session.log.size(), peer.matched)
        || !(planner.suffices(peer, load, range) || planner.looksAgainAnyway(peer, range))) {
      refresh(peer);
      return false;
    }
    ask(peer, load, range);
    return true;
  }

  private void ask(Peer peer, Load load, Planner.Range range) {
    int from = range.from();
    Hash256[] hashes = new Hash256[range.to() - from + 1];
    List<InventoryItem> items = new ArrayList<>(hashes.length);
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = session.chain.hashAt(from + i);
      items.add(new InventoryItem(InventoryItem.FILTERED_BLOCK, hashes[i]));
    }
    session.send(peer, new Message.GetData(items));
    long ping = session.ping(peer);
    peer.beginsToOwe(session.now);
    if (peer.inFlight == 0) {
      peer.servedAt = session.now;
      peer.pace.begins();
    }
    peer.draining = false;
    peer.chunks.add(new Chunk(load, peer.elements, from, hashes, ping));
    peer.inFlight += hashes.length;
    peer.cursor = range.to();
    planner.asked(peer, range);
  }

  private Load grown(Peer peer, Load load) {
    var filter = load.filter();
    for (int i = peer.elements; i < session.log.size(); i++) {
      filter = filter.with(session.log.get(i).data());
    }
    return new Load(
        load.id(), load.peer(), new Content.Prefix(session.log.size()), filter, load.time());
  }

  private void recordThenSend(Peer peer, Load next) {
    peer.nextLoad = next;
    peer.loadRecordedBy = session.journal.load(next, session.now);
  }

  /** Steps to the block with this hash, refusing those passed over; false if it is not owed. */
  private boolean passUpTo(Peer peer, Hash256 hash) {
    Chunk holder = null;
    for (Chunk chunk : peer.chunks) {
      if (chunk.ahead(hash) >= 0) {
        holder = chunk;
        break;
      }
    }
    if (holder == null) {
      return false;
    }
    while (peer.chunks.element() != holder) {
      Chunk skipped = peer.chunks.remove();
      refuse(peer, skipped, skipped.left());
    }
    refuse(peer, holder, holder.ahead(hash));
    return true;
  }

  /** The next blocks of a chunk will not come. */
  private void refuse(Peer peer, Chunk chunk, int blocks) {
    if (blocks == 0) {
      return;
    }
    int from = chunk.next();
    int to = Math.min(from + blocks - 1, chunk.validTo());
    chunk.pass(blocks);
    peer.inFlight -= blocks;
    if (peer.inFlight == 0 && peer.overdue) {
      // It owes nothing any more, though it brought nothing either.
      peer.overdue = false;
      session.changes++;
    }
    if (from <= to) {
      peer.refused.add(from, to);
      peer.refusals++;
      peer.askAgainAt = session.now.plus(PAUSE);
      session.changes++;
    }
  }

  /** Something else comes although the last block is not whole: take what the link sent before. */
  private void closeOpenBlock(Peer peer) {
    OpenBlock open = peer.open;
    if (open == null) {
      return;
    }
    peer.open = null;
    open.fill(peer.seen);
    if (open.isWhole()) {
      scanned(peer, open.proof, open.proven());
    } else {
      refuse(peer, peer.chunks.element(), 1);
      dropDoneChunks(peer);
    }
  }

  private void scanned(Peer peer, MerkleBlock proof, List<Tx> transactions) {
    Chunk chunk = peer.chunks.element();
    int height = chunk.next();
    peer.pace.served(height == chunk.from, session.now);
    peer.servedAt = session.now;
    if (peer.overdue) {
      peer.overdue = false;
      session.changes++;
    }
    chunk.pass(1);
    peer.inFlight--;
    peer.blocksServed++;
    if (chunk.isDone()) {
      peer.pace.chunkDone(chunk.size(), session.now);
    }
    dropDoneChunks(peer);
    if (height > chunk.validTo()) {
      return;
    }
    session.scannedBlocks++;
    peer.refusals = 0;
    peer.matched += transactions.size();
    ScanRow row = session.book.scanned(peer, chunk.load, chunk.elements, height, session.now);
    session.journal.row(row, session.now);
    session.settlement.scanned(peer, chunk, height, transactions);
    if (!transactions.isEmpty()) {
      session.journal.block(
          new CommitBatch.MatchedBlock(height, session.chain.timeAt(height), proof, transactions),
          session.now);
      if (!planner.isAlone()) {
        // Others look on above it meanwhile: the sooner they know, the less is looked at again.
        session.journal.hurry();
      }
    }
  }

  private static void dropDoneChunks(Peer peer) {
    while (!peer.chunks.isEmpty() && peer.chunks.element().isDone()) {
      peer.chunks.remove();
    }
  }

  /** When blocks that were passed over are asked for again, or a silent peer is given up on. */
  @Nullable Instant lookAgainAt() {
    Instant next = overdueAt;
    for (Peer peer : session.peers.values()) {
      Instant at = peer.askAgainAt;
      if (at != null && (next == null || at.isBefore(next))) {
        next = at;
      }
    }
    return next;
  }
}
