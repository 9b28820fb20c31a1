package org.murmur.p2p.internal.compact;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.internal.gcs.FilterHeaders;
import org.murmur.bip37.internal.gcs.FilterMatcher;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.Scanned;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * Downloads the filters of blocks in stripes from all filter peers, tests the wallet's scripts
 * against each, and makes the scan rows: one for each peer that agrees on the filters.
 *
 * <p>A filter is tested when it comes, and not kept. Scripts that are derived later uncover all
 * heights, so the filters are downloaded again; then only the new scripts are tested.
 */
final class FilterScan extends Part<CompactPeer> {

  /** Filters in one request: Core disconnects for more than 1,000 (BIP-0157). */
  private static final int MAX_STRIPE = 1_000;

  private static final int MIN_STRIPE = 50;

  /** A stripe takes about this long: a peer that is lost loses no more. */
  private static final Duration STRIPE_TAKES = Duration.ofSeconds(5);

  /** Requests that a peer has open, so that none waits for the next one. */
  private static final int PIPELINE = 2;

  private final Budget budget;
  private final Scanned scanned;
  private final FilterChain filters;
  private final HeaderAgreement agreement;
  private final MatchedBlocks blocks;
  private final int voices;
  private final IntSupplier top;
  // Whether what was served under filters of peers has to be seen here, too.
  private final boolean aside;

  private final FilterMatcher matcher = new FilterMatcher();
  // How many elements of the log hold the scripts of the matcher, and how many of its scripts were
  // tested at which heights in this session.
  private int elements;
  private final TreeMap<Integer, Heights> tested = new TreeMap<>();
  // Filters that are to be requested.
  private Heights untested = new Heights();
  private boolean stale = true;
  private int knownTop = -1;
  // Filters that were requested and neither came nor failed to come.
  private int outstanding;
  // Covered heights without a row so far.
  private final Heights unwritten = new Heights();
  private boolean rowsAreDue;

  FilterScan(
      Part<? extends CompactPeer> machine,
      Budget budget,
      Scanned scanned,
      FilterChain filters,
      HeaderAgreement agreement,
      MatchedBlocks blocks,
      IntSupplier top,
      boolean aside) {
    super(machine);
    this.budget = budget;
    this.scanned = scanned;
    this.filters = filters;
    this.agreement = agreement;
    this.blocks = blocks;
    this.voices = settings.preset().filterPeers();
    this.top = top;
    this.aside = aside;
  }

  /** More scripts are searched for, in all blocks. */
  void watch(List<WholeScript> scripts) {
    if (scripts.isEmpty()) {
      return;
    }
    // These heights were tested for the scripts before. Without a row they are tested again.
    write(agreement.agreeing(List.copyOf(roster.peers())));
    unwritten.remove(0, Integer.MAX_VALUE - 1);
    for (WholeScript script : scripts) {
      elements = Math.max(elements, script.index() + 1);
      if (!script.scriptPubKey().isEmpty()) {
        matcher.add(script.scriptPubKey());
        blocks.watch(script);
      }
    }
    refresh();
  }

  /** Other heights are covered than before. */
  void refresh() {
    stale = true;
    effects.changed();
  }

  /** Blocks from a height on are to be read again. */
  void forgetFrom(int height) {
    unwritten.remove(height, Integer.MAX_VALUE - 1);
    tested.values().forEach(heights -> heights.remove(height, Integer.MAX_VALUE - 1));
    refresh();
  }

  /** Blocks above a height left the chain. */
  void cutAbove(int height) {
    filters.cutAbove(height);
    blocks.cutAbove(height);
    roster.peers().forEach(peer -> peer.compact().cutAbove(height));
    agreement.changed();
    forgetFrom(height + 1);
  }

  /**
   * The peers that agreed on the filters above a height are gone, and those that are here deny
   * them. The word of the former is not worth more.
   */
  void denyAbove(int height) {
    scanned.voidFiltersAbove(height);
    cutAbove(height);
  }

  /** The heights that too few peers saw; null while the birthday is not known. */
  private @Nullable Heights uncovered() {
    Coverage coverage = aside ? scanned.byBlockFilters() : scanned.coverage();
    return coverage == null ? null : coverage.uncovered(top.getAsInt(), voices);
  }

  /** Whether enough peers saw every block. */
  boolean isCovered() {
    if (stale
        || top.getAsInt() != knownTop
        || left() > 0
        || blocks.left() > 0
        || !unwritten.isEmpty()) {
      return false;
    }
    Heights uncovered = uncovered();
    return uncovered != null && uncovered.isEmpty();
  }

  /** How many filters are still to be requested or to come. */
  long left() {
    return untested.count() + owed();
  }

  private int owed() {
    int owed = 0;
    for (CompactPeer peer : roster.peers()) {
      owed += peer.questions().owed(Question.Kind.FILTERS);
    }
    return owed;
  }

  /** Whether only the byte limit keeps these peers from being asked for filters. */
  boolean isHeldUp(List<? extends CompactPeer> peers) {
    return !untested.isEmpty()
        && owed() == 0
        && !peers.isEmpty()
        && peers.stream().allMatch(peer -> budget.filters(peer, 1) == 0);
  }

  /** Requests more filters from these peers, and writes what is covered. */
  void plan(List<? extends CompactPeer> peers) {
    if (outstanding != owed()) {
      // A peer is gone.
      outstanding = owed();
      stale = true;
    }
    if (stale || top.getAsInt() != knownTop) {
      findUntested();
    }
    List<CompactPeer> agreeing = agreement.agreeing(peers);
    // First: the answers come behind the stripes that were requested before.
    askAhead(agreeing);
    for (CompactPeer peer : agreeing) {
      boolean more = true;
      while (more && peer.compact().stripes.size() < PIPELINE) {
        more = ask(peer, agreeing.size());
      }
    }
    Heights read = blocks.readBelow(lowestOpen());
    read.forEachRange(this::covers);
    // Once a stripe, so that the rows of several stripes do not fall into pieces.
    if (rowsAreDue || !read.isEmpty() || owed() == 0) {
      rowsAreDue = false;
      write(agreeing);
    }
    if (lowestOpen() <= top.getAsInt()) {
      filters.forgetBelow(lowestOpen());
    }
    blocks.plan();
  }

  private void findUntested() {
    Heights uncovered = uncovered();
    if (uncovered == null) {
      return;
    }
    stale = false;
    knownTop = top.getAsInt();
    untested = uncovered.removeAll(unwritten);
    blocks.removeFrom(untested);
    for (CompactPeer peer : roster.peers()) {
      for (CompactLink.Stripe owed : peer.compact().stripes) {
        if (owed.taker == null) {
          untested.remove(owed.next(), owed.validTo());
        }
      }
    }
  }

  /** The lowest height whose filter was not tested yet, or a height above the chain. */
  private int lowestOpen() {
    int lowest = untested.isEmpty() ? top.getAsInt() + 1 : untested.first();
    for (CompactPeer peer : roster.peers()) {
      for (CompactLink.Stripe owed : peer.compact().stripes) {
        lowest = owed.taker == null ? Math.min(lowest, owed.next()) : lowest;
      }
    }
    return lowest;
  }

  /** Whether nothing is left to be read below a height. */
  boolean isReadBelow(int height) {
    return !stale
        && lowestOpen() >= Math.min(height, top.getAsInt() + 1)
        && !blocks.waitsBelow(height);
  }

  /** Requests the lowest filters; returns whether more may be requested. */
  private boolean ask(CompactPeer peer, int peers) {
    CompactLink link = peer.compact();
    if (untested.isEmpty() || journal.isFull() || !link.isAwake(effects.now())) {
      return false;
    }
    int from = untested.first();
    if (blocks.isFullBelow(from)) {
      return false;
    }
    int end = filters.end(from);
    if (end < 0) {
      return false;
    }
    // Shorter ones at the end, so that all peers are done at once.
    long share = untested.count() / ((long) PIPELINE * peers);
    int most = (int) Math.max(MIN_STRIPE, Math.min(link.stripe, share));
    int to = Math.min(untested.rangeEnd(from), Math.min(end, from + most - 1));
    to = from + budget.filters(peer, to - from + 1) - 1;
    if (to < from) {
      return false;
    }
    Hash256[] hashes = new Hash256[to - from + 1];
    Hash256[] expected = new Hash256[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      Hash256 filter = filters.hash(from + i);
      if (filter == null) {
        return false;
      }
      hashes[i] = chain.hashAt(from + i);
      expected[i] = filter;
    }
    ask(peer, from, hashes, expected, null);
    untested.remove(from, to);
    return true;
  }

  private void ask(
      CompactPeer peer,
      int from,
      Hash256[] of,
      Hash256[] expected,
      @Nullable Consumer<Bytes> taker) {
    Message request = new Message.GetCFilters(Message.BASIC_FILTER, from, of[of.length - 1]);
    Question question =
        effects.ask(peer, Question.Kind.FILTERS, of.length, request, asked -> closed(peer, asked));
    peer.compact().stripes.add(new CompactLink.Stripe(from, of, expected, question, taker));
    outstanding += of.length;
  }

  /** Requests one filter for a dispute; it must have the hash that the peer claims. */
  void ask(CompactPeer peer, int height, Hash256 claimed, Consumer<Bytes> taker) {
    ask(peer, height, new Hash256[] {chain.hashAt(height)}, new Hash256[] {claimed}, taker);
  }

  /** Requests the hashes of the lowest stretches, as many as these peers may use up meanwhile. */
  private void askAhead(List<CompactPeer> peers) {
    int next = untested.isEmpty() ? -1 : untested.first();
    for (int ahead = 0; ahead <= PIPELINE * peers.size() && next >= 0; ahead++) {
      int end = filters.end(next);
      if (end >= 0 && filters.hash(next) == null) {
        askHashes(peers, filters.begin(next), end);
      }
      next = end < 0 || end >= untested.last() ? -1 : untested.firstFrom(end + 1);
    }
  }

  /** The hashes of a stretch come from one peer: its agreed end proves them. */
  private void askHashes(List<CompactPeer> peers, int from, int to) {
    CompactPeer free = null;
    for (CompactPeer peer : peers) {
      CompactLink.Asked open = peer.compact().asked;
      if (open != null && open.from() == from) {
        return;
      }
      free = open == null && peer.compact().isAwake(effects.now()) ? peer : free;
    }
    if (free != null) {
      agreement.askHashes(free, from, to);
    }
  }

  /** Takes a filter. */
  Refusal received(CompactPeer peer, Message.CFilter message) {
    CompactLink link = peer.compact();
    CompactLink.Stripe stripe = link.stripes.peek();
    if (stripe == null
        || message.filterType() != Message.BASIC_FILTER
        || !stripe.block().equals(message.block())) {
      return new Refusal(
          DisconnectReason.UNASKED, "the filter of block " + message.block() + ", not requested");
    }
    int height = stripe.next();
    Hash256 expected = stripe.filter();
    boolean counts = stripe.pass();
    link.served++;
    outstanding--;
    link.answers();
    peer.questions().earns(Patience.Answer.PROGRESS, effects.now());
    peer.questions().answered(stripe.question, 1, effects.now());
    if (!FilterHeaders.hash(message.filter()).equals(expected)) {
      refresh();
      return new Refusal(
          DisconnectReason.FALSE_FILTER,
          "a filter of block " + message.block() + " that its filter headers do not commit to");
    }
    Consumer<Bytes> taker = stripe.taker;
    if (taker != null) {
      taker.accept(message.filter());
    } else if (counts) {
      try {
        test(height, message);
      } catch (MalformedException e) {
        refresh();
        return new Refusal(
            DisconnectReason.PROTOCOL_ERROR,
            "the filter of block " + message.block() + ": " + e.getMessage());
      }
    }
    if (stripe.left() == 0) {
      link.stripes.remove();
      if (taker == null) {
        size(link, stripe);
      }
      rowsAreDue = true;
      effects.changed();
    }
    return Refusal.NONE;
  }

  private void test(int height, Message.CFilter message) {
    int from = testedAt(height);
    int[] matches = matcher.match(message.filter(), message.block(), from);
    scanned.counted();
    if (blocks.tested(height, message, matches, from)) {
      covers(height, height);
    }
  }

  /** How many of the scripts were tested at a height before. */
  private int testedAt(int height) {
    for (Map.Entry<Integer, Heights> of : tested.descendingMap().entrySet()) {
      if (of.getValue().contains(height)) {
        return of.getKey();
      }
    }
    return 0;
  }

  private void covers(int from, int to) {
    unwritten.add(from, to);
    tested.computeIfAbsent(matcher.size(), unused -> new Heights()).add(from, to);
  }

  /** The next stripe of a peer is as long as it serves in a few seconds. */
  private void size(CompactLink link, CompactLink.Stripe done) {
    Duration took = Duration.between(done.askedAt, effects.now());
    double factor = STRIPE_TAKES.toMillis() / (double) Math.max(1, took.toMillis());
    double fitting = done.size() * Math.min(2, factor);
    link.stripe = Math.max(MIN_STRIPE, Math.min(MAX_STRIPE, (int) fitting));
  }

  /** The pong after a request: filters that have not come will not come. */
  private Refusal closed(CompactPeer peer, Question question) {
    CompactLink link = peer.compact();
    boolean silent = link.stripes.removeIf(stripe -> stripe.question == question);
    if (silent) {
      link.isSilent(effects.now());
      refresh();
    }
    return Refusal.NONE;
  }

  /** Writes a row of each peer that agrees, for all heights that are covered. */
  private void write(List<CompactPeer> agreeing) {
    if (unwritten.isEmpty() || agreeing.size() < voices) {
      return;
    }
    Heights covered = unwritten.copy();
    unwritten.removeAll(covered);
    for (CompactPeer peer : agreeing) {
      View view = view(peer);
      covered.forEachRange((from, to) -> scanned.served(peer, view, from, to));
    }
  }

  /** A peer's view with the scripts and the headers of now; recorded when anything is new. */
  private View view(CompactPeer peer) {
    CompactLink link = peer.compact();
    View view = link.view;
    Content content = new Content.Scripts(elements, aside, filters.highest());
    if (view == null || !view.content().equals(content)) {
      long id = view == null ? scanned.newView() : view.id();
      view = new View(id, peer.link().address(), content, false);
      link.view = view;
      scanned.opens(view);
    }
    return view;
  }
}
