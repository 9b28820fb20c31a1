package org.murmur.p2p.internal.scan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.CrossChecks.Finding;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Settles the findings of {@link CrossChecks} by the whole block. It comes from a third peer, else
 * from one that reported the transaction in question, else from the one that did not. Also makes
 * the spot checks: it compares whole blocks at random heights with the peers' reports.
 *
 * <p>A peer that omitted a transaction is convicted, and the machine drops it. One case is open for
 * each accused peer at a time, because one lie is enough. If no peer serves the block, the
 * disagreement stays unsettled, and the sync ends with it.
 */
public final class Settlement extends Part<ScanPeer> implements ChangeListener, WholeBlocks.Reader {

  /** Whole blocks requested at once: up to 4 MB each are in flight. */
  private static final int MAX_ASKED = 4;

  /** Accusations kept of one peer, in case the first comes to nothing. */
  private static final int MAX_ACCUSATIONS = 100;

  /** Separates the random numbers of spot checks from those of nonces and tweaks. */
  private static final long SPOT_DICE = 0x53706f74L;

  private final Scanned scanned;
  private final WholeBlocks whole;
  private final CrossChecks checks;
  private final boolean compares;
  // A guard that is dropped at once learns which omission was the wallet's.
  private final boolean convictsAtEnd;
  private final SplittableRandom dice;

  private final Map<NodeAddress, Deque<Finding.Omitted>> accused = new LinkedHashMap<>();
  // Peers whose case could not be settled.
  private final Set<NodeAddress> doubted = new LinkedHashSet<>();
  private final TreeMap<Integer, Case> cases = new TreeMap<>();
  private final List<Conviction> convictions = new ArrayList<>();
  private final int spotChecks;
  private boolean spotChecksChosen;
  private boolean unsettled;
  private boolean unmarked;

  /** A peer omitted a transaction. */
  public record Conviction(NodeAddress peer, String detail) {}

  /** A block to download whole. */
  private static final class Case {
    final int height;
    final Hash256 block;
    // The omitted transaction, or null for a spot check.
    final Finding.@Nullable Omitted omitted;
    final Set<NodeAddress> tried = new HashSet<>();
    @Nullable ScanPeer asked;

    Case(int height, Hash256 block, Finding.@Nullable Omitted omitted) {
      this.height = height;
      this.block = block;
      this.omitted = omitted;
    }
  }

  public Settlement(
      Part<? extends ScanPeer> machine, Scanned scanned, WholeBlocks whole, SyncStart start) {
    super(machine);
    this.scanned = scanned;
    this.whole = whole;
    whole.add(this);
    // A session for headers only, a broadcast for instance, asks no peer for blocks.
    this.spotChecks = settings.headersOnly() ? 0 : settings.preset().spotChecks();
    this.compares = settings.preset().compares();
    this.convictsAtEnd = settings.preset().guarded().isPresent();
    this.dice = new SplittableRandom(settings.seed() ^ SPOT_DICE);
    this.checks = new CrossChecks(scanned.log(), compares ? start.confirmed() : List.of());
    if (compares) {
      Map<Long, View> views = new HashMap<>();
      start.views().forEach(view -> views.put(view.id(), view));
      for (ScanRow row : start.rows()) {
        View view = views.get(row.view());
        // A scan under an epoch proves nothing about elements that are not in it.
        if (view != null && (convictsAtEnd || !(view.content() instanceof Content.Epoch))) {
          checks.earlier(view.at(row.elements()), row);
        }
      }
    }
  }

  /** How many elements of foreign transactions are remembered. */
  public int foreignElements() {
    return checks.remembered();
  }

  /** The bytes of the transactions that hold them. */
  public long foreignBytes() {
    return checks.rememberedBytes();
  }

  /** A peer served a block of the active chain under a view. */
  void scanned(View view, int height, List<Tx> transactions) {
    if (compares) {
      take(checks.scanned(view, height, transactions));
    }
  }

  @Override
  public void hear(Change change) {
    if (change instanceof Change.Reorganised reorganised) {
      cutAbove(reorganised.fork());
    } else if (change instanceof Change.Rescan rescan) {
      // The transactions stay known. The peers' earlier answers no longer count.
      rescan.from().ifPresent(from -> checks.forgetLooks(from - 1));
    } else if (change instanceof Change.Watched && compares) {
      // Foreign transactions may be ours now.
      take(checks.logGrew());
    }
  }

  private void cutAbove(int fork) {
    checks.cutAbove(fork);
    cases.tailMap(fork, false).clear();
    accused.values().forEach(all -> all.removeIf(omitted -> omitted.height() > fork));
  }

  private void take(List<Finding> findings) {
    for (Finding finding : findings) {
      if (finding instanceof Finding.Omitted omitted) {
        if (checks.isOpened(omitted.height())) {
          convictOfOmission(omitted.peer(), omitted.height(), omitted.txid());
        } else if (convictsAtEnd) {
          // No two guards get the same filter: only a whole block convicts one.
          disbelieve(omitted.peer());
        } else {
          accuse(omitted);
        }
      } else if (finding instanceof Finding.NotAdded notAdded) {
        convict(
            notAdded.peer(),
            notAdded.height(),
            notAdded.txid(),
            "which spends a coin that its server had to add to the filter");
      } else if (finding instanceof Finding.Contradicted contradicted) {
        disbelieve(contradicted.peer());
      }
    }
  }

  /** The session ends: later answers of peers that stay accused must not count in the next one. */
  public void abandon(Consumer<Conviction> drop) {
    List.copyOf(convictions).forEach(drop);
    convictions.clear();
    doubted.addAll(accused.keySet());
    accused.clear();
    doubted.forEach(scanned::disown);
    doubted.clear();
  }

  /** Its blocks no longer count, at once: the process may end before the whole block is here. */
  private void accuse(Finding.Omitted omitted) {
    scanned.disown(omitted.peer());
    Deque<Finding.Omitted> all = accused.computeIfAbsent(omitted.peer(), p -> new ArrayDeque<>());
    if (all.size() < MAX_ACCUSATIONS) {
      all.add(omitted);
    }
  }

  /** Whether a peer gets no requests until its accusation is settled. */
  public boolean isAccused(ScanPeer peer) {
    Deque<Finding.Omitted> all = accused.get(peer.link().address());
    return all != null && !all.isEmpty();
  }

  private void convictOfOmission(NodeAddress peer, int height, Hash256 txid) {
    convict(peer, height, txid, "which matches the filter it was sent");
  }

  private void convict(NodeAddress peer, int height, Hash256 txid, String proof) {
    disbelieve(peer);
    accused.remove(peer);
    if (isConvicted(peer)) {
      return;
    }
    unmarked |= convictsAtEnd;
    convictions.add(
        new Conviction(
            peer,
            "left out transaction "
                + txid
                + " of block "
                + chain.hashAt(height)
                + " at height "
                + height
                + ", "
                + proof));
  }

  /** Whether it is certain that a peer omitted something, and it is not dropped yet. */
  public boolean isConvicted(NodeAddress peer) {
    return convictions.stream().anyMatch(known -> known.peer().equals(peer));
  }

  /** The guards convicted since the last call; they stay until the session ends. */
  public List<Conviction> takeUnmarked() {
    List<Conviction> taken = unmarked ? List.copyOf(convictions) : List.of();
    unmarked = false;
    return taken;
  }

  private void disbelieve(NodeAddress peer) {
    if (convictsAtEnd) {
      scanned.disownOnDisk(peer);
    } else {
      disown(peer);
    }
  }

  /** Nothing that a peer served counts any more, also on disk. */
  public void disown(NodeAddress peer) {
    scanned.disown(peer);
    checks.forget(peer);
  }

  /**
   * Requests the blocks that decide, and drops convicted peers. While there is hope of further
   * peers nothing is given up.
   */
  public void settle(BooleanSupplier hope, Consumer<Conviction> drop) {
    List<Conviction> convicted;
    do {
      advance(hope.getAsBoolean());
      if (convictsAtEnd) {
        return;
      }
      convicted = List.copyOf(convictions);
      convictions.clear();
      convicted.forEach(drop);
      // A peer that is gone cannot serve its block: another peer is asked at once.
    } while (!convicted.isEmpty());
  }

  /** Whether no open case could change the coverage. */
  boolean isSettled() {
    return cases.isEmpty() && accused.isEmpty() && (convictsAtEnd || convictions.isEmpty());
  }

  /** Whether a peer is convicted or doubted, and there until the session ends. */
  public boolean isAnyGuilty() {
    return !convictions.isEmpty() || scanned.isAnyForgotten();
  }

  /** Whether a disagreement could not be settled: no peer serves the block. */
  public boolean isUnsettled() {
    return unsettled;
  }

  /** Whether all spot checks are done, and nothing is open. */
  public boolean isSpotChecked() {
    return (spotChecksChosen || spotChecks == 0) && isSettled();
  }

  /** Everything is covered: time for the spot checks, once. */
  public void spotCheck(boolean hope) {
    if (!spotChecksChosen && spotChecks > 0) {
      spotChecksChosen = true;
      chooseSpots();
      // No later event may lead to these requests.
      advance(hope);
    }
  }

  private void chooseSpots() {
    int first = scanned.birthdays().height().orElse(Integer.MAX_VALUE);
    int blocks = chain.height() - first + 1;
    Set<Integer> heights = new TreeSet<>();
    while (heights.size() < Math.min(spotChecks, blocks)) {
      heights.add(first + dice.nextInt(blocks));
    }
    for (int height : heights) {
      if (!checks.isOpened(height)) {
        cases.putIfAbsent(height, new Case(height, chain.hashAt(height), null));
      } else {
        effects.emit(new SyncFact.SpotChecked(height));
      }
    }
  }

  /** Requests whole blocks. */
  private void advance(boolean hope) {
    openCases();
    int asked = 0;
    for (Case open : cases.values()) {
      if (open.asked != null && roster.get(open.asked.link().id()) != open.asked) {
        open.asked = null;
      }
      asked += open.asked == null ? 0 : 1;
    }
    List<Case> hopeless = new ArrayList<>();
    for (Case open : cases.values()) {
      if (open.asked == null && asked < MAX_ASKED) {
        ScanPeer peer = choose(open);
        if (peer != null) {
          ask(peer, open);
          asked++;
        } else if (!hope && !anyUntried(open)) {
          hopeless.add(open);
        }
      }
    }
    hopeless.forEach(this::giveUp);
  }

  private void openCases() {
    accused.values().removeIf(Deque::isEmpty);
    for (Deque<Finding.Omitted> all : accused.values()) {
      Finding.Omitted first = all.element();
      Case open = cases.get(first.height());
      if (open == null || open.omitted == null) {
        Case instead = new Case(first.height(), chain.hashAt(first.height()), first);
        if (open != null) {
          instead.asked = open.asked;
          instead.tried.addAll(open.tried);
        }
        cases.put(first.height(), instead);
      }
    }
  }

  private boolean anyUntried(Case open) {
    return roster.peers().stream()
        .anyMatch(peer -> whole.serves(peer) && !open.tried.contains(peer.link().address()));
  }

  /**
   * A third peer, else one that reported it, else one that did not; of each kind the first that is
   * free.
   */
  private @Nullable ScanPeer choose(Case open) {
    Set<NodeAddress> served = checks.served(open.height);
    Set<NodeAddress> reporters =
        open.omitted == null ? Set.of() : checks.reporters(open.height, open.omitted.txid());
    ScanPeer best = null;
    int bestRank = Integer.MAX_VALUE;
    for (ScanPeer peer : roster.peers()) {
      NodeAddress address = peer.link().address();
      if (!whole.mayServe(peer) || open.tried.contains(address)) {
        continue;
      }
      int rank = accused.containsKey(address) ? 3 : reporters.contains(address) ? 1 : 0;
      if (rank == 0 && served.contains(address)) {
        rank = open.omitted == null ? 1 : 2;
      }
      if (rank < bestRank) {
        best = peer;
        bestRank = rank;
      }
    }
    return best;
  }

  private void ask(ScanPeer peer, Case open) {
    open.asked = peer;
    open.tried.add(peer.link().address());
    whole.ask(peer, open.block);
  }

  private void giveUp(Case open) {
    cases.remove(open.height);
    Finding.Omitted omitted = open.omitted;
    if (omitted == null) {
      effects.emit(new SyncWarning.NotSpotChecked(open.block, open.height));
      return;
    }
    unsettled = true;
    Set<NodeAddress> tellers = new LinkedHashSet<>(checks.reporters(open.height, omitted.txid()));
    tellers.remove(omitted.peer());
    accused.remove(omitted.peer());
    doubted.add(omitted.peer());
    effects.emit(
        new SyncWarning.PeersDisagree(
            omitted.height(), omitted.txid(), omitted.peer(), List.copyOf(tellers)));
  }

  /** Lets another peer be asked. */
  @Override
  public Refusal notSent(ScanPeer peer, Hash256 block) {
    for (Case open : cases.values()) {
      if (open.asked == peer) {
        open.asked = null;
      }
    }
    return Refusal.NONE;
  }

  /** Decides the disagreement that a whole block is about, if there is one. */
  @Override
  public void read(FullBlock block) {
    // A search among the few open ones: the chain's own index would be built for this.
    Case about = null;
    for (Case open : cases.values()) {
      about = open.block.equals(block.hash()) ? open : about;
    }
    if (about != null) {
      cases.remove(about.height);
      judge(about, block);
    }
  }

  private void judge(Case open, FullBlock block) {
    if (open.omitted == null) {
      effects.emit(new SyncFact.SpotChecked(open.height));
    }
    compare(open.height, block, new BitSet());
  }

  /**
   * Compares a whole block of the active chain with what peers reported of it. Peers that omitted
   * something are convicted, and the wallet gets what it lacks.
   *
   * @param found positions of the wallet's transactions that were found otherwise than by the log
   */
  public void compare(int height, FullBlock block, BitSet found) {
    List<Tx> whole =
        block.transactions().stream().map(Tx::withoutWitness).collect(Collectors.toList());
    CrossChecks.Judgement judgement = checks.judge(height, whole);
    judgement.liars().forEach((peer, txid) -> convictOfOmission(peer, height, txid));
    take(judgement.findings());
    accused.values().forEach(all -> all.removeIf(omitted -> omitted.height() == height));
    accused.values().removeIf(Deque::isEmpty);
    BitSet ours = (BitSet) judgement.ours().clone();
    ours.or(found);
    if (judgement.unheardOf() || !ours.equals(judgement.ours())) {
      journal.block(height, block, ours, effects.now());
      journal.hurry();
    }
  }
}
