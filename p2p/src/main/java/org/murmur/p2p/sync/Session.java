package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanBook;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.wire.Message;

/**
 * What the parts of the machine share: the facts, the time of this step, and the outputs so far.
 */
final class Session {

  /** Headers that may wait for a slow disk: twice what is worth a write. */
  private static final int MANY_UNWRITTEN = 40_000;

  final SyncSettings settings;
  final HeaderChain chain;
  final WatchedLog log;
  final ScanBook book;
  final Journal journal;
  final Settlement settlement;
  // Who is shown filters, where only some may be.
  final @Nullable Guards guards;
  final Map<Integer, Peer> peers = new LinkedHashMap<>();
  // Dice are handed in: tweaks and nonces follow from the settings' seed.
  final SplittableRandom dice;

  // Steady: what can be waited for is measured by it. It stands still while this end is away, and
  // does not see the clock being set.
  Instant now = Instant.EPOCH;
  // Whose servers were seen not to add outpoints, in this session.
  final Set<PeerAddress> notAdding = new HashSet<>();
  // By how much the clock has gained on it.
  private Duration gained = Duration.ZERO;
  // Grows with everything that can change what is to be asked for, so that nobody plans for
  // nothing.
  long changes;
  // What the wallet counts as pending, as of the last commit; each commit has a map of its own.
  Map<Hash256, Input.Pending> waiting = Map.of();
  Set<Hash256> pending = Set.of();
  long bytesReceived;
  final Budget budget;
  final Depths depths = new Depths(this);
  int scannedBlocks;
  // Whether no block came for so long that somebody else may know more.
  boolean stale;
  // How often blocks left the chain.
  int reorganisations;
  // Blocks above this height left the chain, or are to be looked at anew, and nobody noticed yet.
  int cutTo = Integer.MAX_VALUE;
  // The wallet's, and what rescans of this session named; the first counts.
  private final List<Birthday> birthdays = new ArrayList<>();
  private OptionalInt birthdayHeight;
  private List<Output> outputs = new ArrayList<>();

  Session(SyncStart start, SyncSettings settings) {
    this.settings = settings;
    this.chain = start.chain();
    this.log = new WatchedLog(start.log());
    this.book = new ScanBook(start.loads(), start.rows(), start.nextLoadId(), start.nextRowId());
    this.journal = new Journal(chain);
    this.dice = new SplittableRandom(settings.seed());
    this.birthdays.add(start.birthday());
    this.birthdayHeight = start.birthdayHeight();
    this.settlement = new Settlement(this, start);
    this.budget = new Budget(this);
    this.guards =
        settings.guarded().map(preset -> new Guards(this, preset, start.loads())).orElse(null);
  }

  /** Takes the clock's time of this step. */
  void setTime(Instant clock) {
    now = clock.minus(gained);
  }

  /** The clock gained on what really passed. */
  void timeJumped(Duration by) {
    gained = gained.plus(by);
  }

  /** Something was written, and the wallet says what waits for a block now. */
  void pending(Collection<Input.Pending> all) {
    Map<Hash256, Input.Pending> byTxid = new LinkedHashMap<>();
    all.forEach(each -> byTxid.put(each.tx().txid(), each));
    waiting = byTxid;
    pending = Collections.unmodifiableSet(byTxid.keySet());
  }

  /** A steady time as the clock will show it, if nobody sets it. */
  Instant onTheClock(Instant steady) {
    return steady.plus(gained);
  }

  /** What the clock shows, for all that is compared with the world outside, or kept. */
  Instant clock() {
    return onTheClock(now);
  }

  void send(Peer peer, Message message) {
    FilterSession.of(peer).copy = FilterCopy.after(FilterSession.of(peer).copy, message, now);
    outputs.add(new Output.Send(peer.link, message));
  }

  /** The servers' copies that have grown since this was last asked. */
  List<ServerCopy> grownCopies() {
    List<ServerCopy> grown = new ArrayList<>();
    for (Peer peer : peers.values()) {
      Load load = FilterSession.of(peer).load;
      FilterCopy copy = FilterSession.of(peer).copy;
      if (load != null && copy != null && copy.hasGrown()) {
        grown.add(copy.asOf(load.id()));
      }
    }
    return grown;
  }

  void note(SyncEvent.Note.Topic topic, Peer peer, String text) {
    emit(new SyncEvent.Note(topic, peer.link.address(), text));
  }

  void emit(SyncEvent event) {
    outputs.add(new Output.Emit(event));
  }

  void output(Output output) {
    outputs.add(output);
  }

  /** Hands the outputs of this step over and begins a new list. */
  List<Output> takeOutputs() {
    List<Output> taken = outputs;
    outputs = new ArrayList<>();
    return taken;
  }

  /** Sends a ping and returns its nonce. */
  long ping(Peer peer) {
    long nonce = dice.nextLong();
    peer.pings.put(nonce, now);
    send(peer, new Message.Ping(nonce));
    return nonce;
  }

  /** The height of the wallet's birthday, if the headers tell it yet. */
  OptionalInt birthdayHeight() {
    if (!birthdayHeight.isPresent()) {
      int first = Integer.MAX_VALUE;
      for (Birthday birthday : birthdays) {
        first = Math.min(first, birthday.resolve(chain).orElse(Integer.MAX_VALUE));
      }
      // A date that no header reaches yet lies above them all, but perhaps below a height that was
      // named.
      boolean settled = birthdays.size() == 1 || first <= chain.height();
      if (settled && first < Integer.MAX_VALUE) {
        setBirthdayHeight(first);
      }
    }
    return birthdayHeight;
  }

  private void setBirthdayHeight(int height) {
    // The genesis block's coin can never be spent: nothing is to be found there.
    birthdayHeight = OptionalInt.of(Math.max(1, height));
    journal.birthday(birthdayHeight.getAsInt(), now);
  }

  /** Looking begins no later than here; a later birthday than the known one changes nothing. */
  void lowerBirthday(Birthday from) {
    OptionalInt known = birthdayHeight();
    int asked = from.resolve(chain).orElse(Integer.MAX_VALUE);
    birthdays.add(from);
    if (known.isPresent() && asked < known.getAsInt()) {
      setBirthdayHeight(asked);
    }
  }

  /**
   * Blocks above a height left the chain. What a date was on the branch that has lost says nothing
   * of the other one: that may reach it with fewer blocks, and looking has to begin there. Never
   * later than before: what was looked at stays.
   */
  private void moveBirthday(int fork) {
    if (!birthdayHeight.isPresent() || birthdayHeight.getAsInt() <= fork) {
      return;
    }
    int first = Integer.MAX_VALUE;
    for (Birthday birthday : birthdays) {
      first = Math.min(first, birthday.resolve(chain).orElse(chain.height() + 1));
    }
    if (Math.max(1, first) < birthdayHeight.getAsInt()) {
      setBirthdayHeight(first);
    }
  }

  /** Blocks above a height left the chain. */
  void reorganised(int fork) {
    reorganisations++;
    moveBirthday(fork);
    cutAbove(fork);
  }

  /** A peer left something out: nothing it said of blocks counts, here or on disk. */
  void disown(PeerAddress peer) {
    journal.disown(peer, book.disown(peer), now);
    for (Peer connected : peers.values()) {
      if (connected.link.address().equals(peer)) {
        FilterSession.of(connected).row = null;
      }
    }
    changes++;
  }

  /**
   * A server did not add what it should have: that it adds does not count for this load. Later
   * sessions cannot know that, so what it served is taken back and asked for again, under a filter
   * with another flag, by which nobody counts on it; what it still owes under this one is not
   * noted.
   */
  void distrustAdding(long load) {
    book.distrustAdding(load);
    PeerAddress peer = book.peerOf(load);
    if (peer != null) {
      notAdding.add(peer);
      disown(peer);
    }
  }

  /** Everything served and promised, or null while the birthday is not known. */
  @Nullable Coverage coverage() {
    OptionalInt from = birthdayHeight();
    if (!from.isPresent()) {
      return null;
    }
    List<ScanBook.Promise> promised = new ArrayList<>();
    for (Peer peer : peers.values()) {
      if (!ScanLink.of(peer).overdue) {
        ScanLink.of(peer).chunks.forEach(chunk -> chunk.promise().ifPresent(promised::add));
      }
    }
    return book.coverage(log, from.getAsInt(), promised, guards != null);
  }

  /** Whether so many headers wait to be written that no more are to be asked for. */
  boolean headersPileUp() {
    return journal.unwrittenHeaders() > MANY_UNWRITTEN;
  }

  /** What is known of blocks above a height counts no more. */
  void cutAbove(int height) {
    cutTo = Math.min(cutTo, height);
    changes++;
  }

  /** Whether a peer holds the wallet's filters where only few may. */
  boolean isGuard(Peer peer) {
    return guards != null && guards.isGuard(peer);
  }

  /** Whether a peer is, or was before it was given up, shown an epoch: it knows what is ours. */
  boolean knowsAnEpoch(Peer peer) {
    return guards != null && guards.knows(peer.link.address());
  }

  /** The peers of whom something is true. */
  List<Peer> peers(Predicate<Peer> which) {
    List<Peer> found = new ArrayList<>(peers.values());
    found.removeIf(which.negate());
    return found;
  }

  /** Whether a peer that said hello owes an answer, or waits for its filter to be recorded. */
  boolean isSomethingOnItsWay() {
    return peers.values().stream()
        .anyMatch(
            peer -> FilterSession.of(peer).nextLoad != null || (peer.isReady() && peer.owes()));
  }

  /** Whether any peer may yet become a guard in this session. */
  boolean mayChooseGuards() {
    return guards != null && !settings.headersOnly() && !guards.areSettled();
  }

  /**
   * Whether every peer that said hello has told all headers it has, or at least one, and the others
   * were waited for long enough: two who take turns could have something to tell for ever.
   */
  boolean headersDone() {
    boolean any = false;
    for (Peer peer : peers.values()) {
      any |= peer.isReady() && HeaderTalk.of(peer).done;
      if (peer.isReady()
          && !HeaderTalk.of(peer).done
          && !HeaderTalk.of(peer).isWaitedOut(settings.stallTimeout(), now)) {
        return false;
      }
    }
    return any;
  }

  /** The peer that is asked for what one peer can tell: the first fit one that serves BIP-0037. */
  @Nullable Peer scanner() {
    Peer best = null;
    for (Peer peer : peers.values()) {
      if (peer.servesBloom() && (best == null || isFitter(peer, best))) {
        best = peer;
      }
    }
    return best;
  }

  private static boolean isFitter(Peer peer, Peer than) {
    if (Tip.of(peer).isApart() != Tip.of(than).isApart()) {
      return Tip.of(than).isApart();
    }
    if (peer.isPruned() != than.isPruned()) {
      return than.isPruned();
    }
    if (ScanLink.of(peer).overdue != ScanLink.of(than).overdue) {
      return ScanLink.of(than).overdue;
    }
    return ScanLink.of(peer).refusals < ScanLink.of(than).refusals;
  }

  /** The highest height anybody speaks of. */
  int target() {
    int target = chain.height();
    for (Peer peer : peers.values()) {
      Message.Version version = peer.version;
      if (version != null && !HeaderTalk.of(peer).done) {
        target = Math.max(target, version.startHeight());
      }
    }
    return target;
  }
}
