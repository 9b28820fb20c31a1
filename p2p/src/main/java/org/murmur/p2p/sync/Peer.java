package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Heights;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.Services;

/**
 * What the machine remembers of one link. State only: the parts of the machine read and write it,
 * each the fields of its own concern.
 */
final class Peer {

  /**
   * Announcements of transactions of the wallet's that another peer had sent: far above what is.
   */
  private static final int UNTAKEN_LIMIT = 10_000;

  /** Transactions of the wallet's that it was told of by txid: far above what waits at a time. */
  private static final int MENTIONED_LIMIT = 10_000;

  /** How many relayed transactions are kept in case a block's own are not sent again. */
  private static final int SEEN_LIMIT = 2_000;

  /** And how many bytes of them: a peer may send what it likes. */
  private static final long SEEN_BYTES = 16L << 20;

  /** How many of the last blocks a NODE_NETWORK_LIMITED peer serves (BIP-0159). */
  private static final int BLOCKS_KEPT = 288;

  final Link link;

  // Handshake.
  final long nonce;
  Message.@Nullable Version version;
  Instant since;
  // Where the connection leads to, when there is one; the address may be a name.
  @Nullable PeerAddress at;
  final Patience patience;
  // When anything at all came.
  Instant lastHeard;
  // Since when it is to give a sign of life, because this end was away; null if it need not.
  @Nullable Instant doubtedSince;

  // Found and not named: where, and whether it is there for its headers only and shown no filter.
  @Nullable Endpoint found;
  boolean forHeaders;
  // It would have done for a scanner, but there was no room.
  boolean spare;
  // When it was asked for addresses, until it told some.
  @Nullable Instant addressesAskedAt;
  boolean toldAddresses;

  // Headers.
  final HeaderTalk talk = new HeaderTalk();
  boolean headersAsked;
  boolean headersDone;
  int orphans;
  // By how much its clock is ahead of the session's steady time, by its version message.
  Duration ahead = Duration.ZERO;
  // Whether it was asked for what follows on headers that were left out as too new.
  boolean tooNewAsked;

  // Scanning.
  @Nullable Load load;
  // How many elements of the log the server's filter holds by now.
  int elements;
  // Transactions that matched under this load, true or false: the server may have added their
  // outpoints.
  int matched;
  @Nullable Load nextLoad;
  long loadRecordedBy;
  boolean draining;
  // The batch that has to be on disk before a new filter is made; negative while blocks still come.
  long drained = -1;
  final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
  int inFlight;
  int cursor = -1;
  final Pace pace = new Pace();
  Planner.@Nullable Stripe stripe;
  // When it last served a block, or was asked for one while it owed none.
  Instant servedAt;
  // Silent for so long that others do its work.
  boolean overdue;
  // The state of changes at which there was nothing to ask it for.
  long idleSince = -1;
  @Nullable OpenBlock open;
  @Nullable ScanRow row;
  final Heights refused = new Heights();
  int refusals;
  // How often it passed over blocks that it has, less one for each minute since.
  private double passes;
  private @Nullable Instant passedAt;
  // How often a guard was asked again, from the grid on, for what it passed over; and the last of
  // it.
  int refusalRounds;
  int askedAgainFor = -1;
  @Nullable Instant askAgainAt;
  final Reach reach = new Reach();

  // Conduct.
  final Conduct conduct;
  final TipWatch.Tip tip = new TipWatch.Tip();
  @Nullable FilterCopy copy;

  // Blocks that it proved by trees of doubtful depth; the first is asked for whole.
  final ArrayDeque<Depths.Doubt> doubts = new ArrayDeque<>();

  // A whole block that was asked for, and the ping behind it.
  @Nullable Hash256 wholeBlock;
  long wholeBlockPing;
  Instant wholeBlockSince = Instant.EPOCH;
  // When the last one came: no pong can have overtaken it.
  Instant wholeBlockAt = Instant.EPOCH;

  // Relay.
  final Map<Hash256, Tx> seen = new LinkedHashMap<>();
  private long seenBytes;
  // Asked for and not answered yet.
  final Set<Hash256> wanted = new HashSet<>();
  // Of those, what is to be asked for when that is on disk: nothing is owed for it yet.
  final Set<Hash256> unasked = new HashSet<>();
  // Announced, and asked for when there are fewer of those.
  final Set<Hash256> waiting = new LinkedHashSet<>();
  // Announced, and not asked for here: what its server knows of and we do not, as far as is kept.
  private final Set<Hash256> untaken = new LinkedHashSet<>();
  // What it was told of by txid, and by which batch that is on disk.
  final Map<Hash256, Long> mentioned = new LinkedHashMap<>();
  // Whether it announced more than could be kept.
  boolean truncated;
  // What it wants at least, in satoshi for 1,000 virtual bytes (BIP-0133).
  long feeFilter;
  // What it said against us; empty if nothing.
  String objection = "";

  // Keep-alive.
  final Map<Long, Instant> pings = new LinkedHashMap<>();
  long latencyMillis = -1;
  boolean mempoolAtOnce;

  // Bookkeeping for the report.
  int blocksServed;
  int headersServed;
  // It is asked for old blocks although its service bits say that it has none.
  boolean mayKeepMore;
  // When it is gone: whether it brought anything that was not known before.
  boolean useful;

  Peer(Link link, long nonce, Instant now) {
    this.link = link;
    this.nonce = nonce;
    this.since = now;
    this.conduct = new Conduct(now);
    this.patience = new Patience(now);
    this.lastHeard = now;
    this.servedAt = now;
  }

  boolean isReady() {
    return version != null;
  }

  /** Whether it serves BIP-0037, and is there to. */
  boolean servesBloom() {
    return !forHeaders && version != null && Services.has(version.services(), Services.BLOOM);
  }

  /** Its services say that it keeps the last blocks only (BIP-0159). */
  boolean isPruned() {
    return version != null && !Services.has(version.services(), Services.NETWORK);
  }

  /** The lowest block to ask it for, if the highest is known to be at a height. */
  int lowestKept(int height) {
    return isPruned() && !mayKeepMore ? Math.max(height, tip.height) - BLOCKS_KEPT + 1 : 0;
  }

  /**
   * Whether the user named it and it is on this machine or in the local network. Such a node may
   * serve more blocks than its service bits say, to peers with the permission noban.
   */
  boolean isOwn() {
    return found == null && link.address().isLocal();
  }

  /** Whether it owes us an answer, so that silence is a stall. */
  boolean owes() {
    return !isReady()
        || headersAsked
        || inFlight > 0
        || wholeBlock != null
        || wanted.size() > unasked.size();
  }

  boolean owesBlocks() {
    return inFlight > 0 || wholeBlock != null;
  }

  /**
   * It is about to be asked for something: the time to answer begins now, not when it last spoke.
   */
  void beginsToOwe(Instant now) {
    if (!owes()) {
      patience.begins(now);
    }
  }

  /** The message at hand answers an open question, and brings something that had not come yet. */
  void brings(Patience.Answer answer, Instant now) {
    Patience.Answer urgent =
        owesBlocks()
            ? Patience.Answer.PROGRESS
            : headersAsked ? Patience.Answer.HEADERS : Patience.Answer.NEWS;
    patience.earns(answer, urgent, now);
  }

  long seenBytes() {
    return seenBytes;
  }

  /** Keeps a transaction that came on this link; the oldest make room. */
  void see(Tx tx) {
    Tx replaced = seen.put(tx.txid(), tx);
    seenBytes += tx.raw().length() - (replaced == null ? 0 : replaced.raw().length());
    Iterator<Tx> oldest = seen.values().iterator();
    while (seen.size() > SEEN_LIMIT || seenBytes > SEEN_BYTES) {
      seenBytes -= oldest.next().raw().length();
      oldest.remove();
    }
  }

  /** What is left of its chunks above a height does not count any more. */
  void cutAbove(int height) {
    chunks.forEach(chunk -> chunk.cutAbove(height));
    reach.cutAbove(height);
    row = null;
    stripe = null;
    cursor = Math.min(cursor, height);
    refused.remove(height + 1, Integer.MAX_VALUE - 1);
    if (refused.isEmpty()) {
      askAgainAt = null;
    }
  }

  /** It was handed over, or is not there; returns whether it was asked for. */
  boolean answered(Hash256 txid) {
    unasked.remove(txid);
    return wanted.remove(txid);
  }

  /** It is told of a transaction; the oldest make room, and would be recorded again. */
  void mentioned(Hash256 txid, long recordedBy) {
    mentioned.put(txid, recordedBy);
    if (mentioned.size() > MENTIONED_LIMIT) {
      mentioned.remove(mentioned.keySet().iterator().next());
    }
  }

  /** It announced what is not fetched from it: its copy of the filter may have grown by that. */
  void leave(Hash256 txid) {
    untaken.add(txid);
    if (untaken.size() > UNTAKEN_LIMIT) {
      untaken.remove(untaken.iterator().next());
    }
  }

  /** Whether a transaction spends what it announced and was not asked for. */
  boolean buildsOnUntaken(Tx tx) {
    for (Tx.Input input : tx.inputs()) {
      if (untaken.contains(input.outPoint().txid())) {
        return true;
      }
    }
    return false;
  }

  /** It passed over blocks that it has. */
  void passes(Instant now) {
    passes = passesLeft(now) + 1;
    passedAt = now;
  }

  /** How often it did so, less one for each minute since. */
  double passesLeft(Instant now) {
    Instant last = passedAt;
    return last == null
        ? 0
        : Math.max(0, passes - Duration.between(last, now).toMillis() / 60_000.0);
  }
}
