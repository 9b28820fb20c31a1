package org.murmur.wallet.internal.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.machine.Footprint;
import org.murmur.p2p.internal.machine.SyncMachine;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.CommitOutcome;
import org.murmur.wallet.internal.books.Payments;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LedgerChange.Transition;
import org.murmur.wallet.internal.store.SessionFacts;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.BroadcastReport.Unsent;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.Unsearched;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/**
 * One run of the machine over the books, as a machine: inputs go in by {@link #step} and batches by
 * {@link #commit}; outputs, events and a report come out. It has no thread, no clock and no sockets
 * of its own. {@code SpvWallet} runs one for each sync; simulated worlds run it too.
 *
 * <p>One thread at a time, except that another one may {@link #commit} meanwhile. Do not read its
 * state during a commit.
 */
public final class WalletSession implements Machine {

  private final Books books;
  private final ChainParams network;
  private final SessionGoal goal;
  private final SyncSettings settings;
  private final Instant began;
  private final SyncMachine machine;

  private final SessionProgress progress = new SessionProgress();
  private final Participants peers;
  private final BlockCount scanned;
  private final FeesSeen fees;
  private final WarningList warnings = new WarningList();
  private final PaymentStates payments;
  private final List<SyncEvent> unreported = new ArrayList<>();
  private Optional<SyncReport> before = Optional.empty();
  // Since it was asked for.
  private boolean standingChanged;
  // Written by the committing thread.
  private int falsePositives;
  private long falsePositiveBytes;
  private final Set<Hash256> displaced = new LinkedHashSet<>();

  /**
   * The outcome of what the user entered, on disk: inputs for the session in this order, and the
   * events to report with them.
   */
  public record Written(List<Input> inputs, List<WalletEvent.Payment> events) {

    public Written {
      inputs = List.copyOf(inputs);
      events = List.copyOf(events);
    }
  }

  /**
   * Makes an idle session on books that stay locked until it is over: extends the look-ahead, and
   * reads the data on disk. The first {@link Input.Tick} starts it.
   */
  public WalletSession(
      Books books, ChainParams network, SessionGoal goal, SyncSettings settings, Instant now) {
    this.books = books;
    this.network = network;
    this.goal = goal;
    this.settings = settings;
    this.began = now;
    this.peers = new Participants(new LinkedHashSet<>(settings.peers().named()));
    this.fees = new FeesSeen(network);
    books.wantEpochs(settings.preset().guarded().isPresent() && !settings.headersOnly());
    unreported.addAll(payments(books.grow()));
    this.payments = new PaymentStates(books.read(view -> new Payments(view).unconfirmed()));
    SyncStart start = books.start(settings.preset(), settings.peers().discovery().isPresent());
    this.scanned = new BlockCount(start);
    this.machine = new SyncMachine(start, settings);
  }

  /** Returns the inputs to be stepped first: the pending payments, and all that the goal needs. */
  List<Input> orders() {
    List<Input> orders = new ArrayList<>();
    if (!payments.isEmpty()) {
      // Later each commit says it. A scan by block filters that finds nothing new has none.
      orders.add(new Input.PendingChanged(books.pending()));
    }
    if (goal instanceof SessionGoal.Rescan rescan) {
      orders.add(new Input.RescanFrom(rescan.from()));
    } else if (goal instanceof SessionGoal.Broadcast sent) {
      orders.add(order(sent.tx()));
    }
    return orders;
  }

  @Override
  public List<Output> step(Input input, Instant now) {
    if (input instanceof Input.BroadcastTx sent) {
      payments.sends(sent.tx().txid());
    } else if (input instanceof Input.Committed || input instanceof Input.PendingChanged) {
      learnWritten();
    }
    List<Output> outputs = machine.step(input, now);
    fold(outputs);
    if (isSent() && !machine.isStopped()) {
      List<Output> last = machine.step(new Input.Stop(), now);
      fold(last);
      outputs = new ArrayList<>(outputs);
      outputs.addAll(last);
    }
    return outputs;
  }

  private void fold(List<Output> outputs) {
    for (Output output : outputs) {
      if (output instanceof Output.Emit emit) {
        heard(emit.event());
      } else if (output instanceof Output.Commit commit) {
        // A report is made when all batches are on disk.
        scanned.add(commit.batch(), peers);
      }
    }
  }

  @Override
  public boolean isStopped() {
    return machine.isStopped();
  }

  @Override
  public long mostToRead() {
    return machine.mostToRead();
  }

  /**
   * Writes a batch of an {@link Output.Commit}, and returns inputs for the session in this order;
   * with them it reports what was written. May be called while another thread steps the session.
   */
  public List<Input> commit(CommitBatch batch, Instant now) {
    CommitOutcome outcome = books.commit(batch, now.getEpochSecond());
    falsePositives += outcome.falsePositives();
    falsePositiveBytes += outcome.falsePositiveBytes();
    List<WalletEvent> events = new ArrayList<>();
    if (outcome.forkHeight() < outcome.oldHeight()) {
      events.add(new WalletEvent.Reorganised(outcome.forkHeight(), outcome.oldHeight()));
    }
    events.addAll(payments(outcome.transitions()));
    payments.written(events);
    for (Transition change : outcome.transitions()) {
      TxStatus before = change.before();
      if (before != null
          && before.counts()
          && (change.after() == TxStatus.REPLACED || change.after() == TxStatus.DEAD)) {
        displaced.add(change.txid());
      }
    }
    return outcome.inputs();
  }

  /**
   * Notes what the user changed in the books, on the committing thread, between two commits. Its
   * inputs are to be stepped next.
   */
  public void entered(Written written) {
    payments.written(written.events());
  }

  /** The session learns what was written since, on another thread, and reports it. */
  void learnWritten() {
    unreported.addAll(payments.takeWritten());
  }

  /** Returns the input that sends a transaction to the peers. */
  public Input.BroadcastTx order(Tx tx) {
    return new Input.BroadcastTx(tx, books.read(view -> view.ledger().fee(tx)));
  }

  private List<WalletEvent.Payment> payments(List<Transition> changes) {
    return changes.isEmpty() ? List.of() : books.read(view -> new Payments(view).events(changes));
  }

  /** Returns the events since the last call, in order. */
  public List<SyncEvent> takeEvents() {
    if (unreported.isEmpty()) {
      return List.of();
    }
    List<SyncEvent> events = List.copyOf(unreported);
    unreported.clear();
    return events;
  }

  /**
   * Records that the session is ended from outside. It does not stop it; {@link Input.Stop} does.
   * The first reason counts, and no event of the machine changes it.
   */
  public void ordered(SyncReport.Ending why) {
    progress.ordered(why);
  }

  /** The report counts the cost of an earlier one, too. */
  void after(SyncReport earlier) {
    before = Optional.of(earlier);
  }

  void warn(SyncEvent.Warning what) {
    warnings.add(what);
    unreported.add(what);
  }

  private void heard(SyncEvent event) {
    progress.heard(event);
    peers.heard(event);
    fees.heard(event);
    standingChanged |=
        event instanceof SyncFact.Standing
            || event instanceof SyncFact.LeastFeeRate
            || event instanceof SyncEvent.PeerReady
            || event instanceof SyncEvent.PeerLost;
    warnings.heard(event);
    if (event instanceof SyncEvent.Warning warning) {
      warn(warning);
    } else if (event instanceof SyncFact.TooFewCrossChecks few) {
      warn(
          new WalletWarning.TooFewPeers(
              few.wanted(), few.seen(), peers.problems(), few.byFilters()));
    } else if (event instanceof SyncFact.Complete complete) {
      atTip(complete).ifPresent(unreported::add);
    } else if (!(event instanceof SyncFact)) {
      unreported.add(event);
    }
    if (event instanceof SyncEvent.PeerReaction reaction) {
      unreported.addAll(payments.heard(reaction));
    }
    payments.offered(event).forEach(this::warnIfTooCheap);
    if (event instanceof SyncEvent.MempoolAnswered answered && answered.isPartial()) {
      settings.preset().poolNode().flatMap(peers::withoutPool).ifPresent(this::warn);
    }
  }

  /** A peer of this session says what it relays; a payment below that does not spread. */
  private void warnIfTooCheap(Hash256 txid) {
    long least = fees.least().orElse(0);
    if (least <= 0 || least > FeeRate.MAX_SAT_PER_KVB || warnings.hasFeeOf(txid)) {
      return;
    }
    try {
      rate(txid)
          .filter(paid -> paid.satPerKvb() < least)
          .ifPresent(
              paid -> warn(new WalletWarning.FeeBelowFilter(txid, paid, FeeRate.satPerKvb(least))));
    } catch (WalletException e) {
      // The next commit, or the report, will report it.
      return;
    }
  }

  /** The fee rate of a payment, if the wallet knows all the coins that it spends. */
  private Optional<FeeRate> rate(Hash256 txid) {
    return books.read(
        view -> {
          Fact fact = view.ledger().fact(txid);
          if (fact == null) {
            return Optional.empty();
          }
          OptionalLong fee = view.ledger().fee(fact.tx());
          return fee.isPresent() && fee.getAsLong() >= 0
              ? Optional.of(FeeRate.paid(fee.getAsLong(), fact.tx().virtualSize()))
              : Optional.empty();
        });
  }

  /** Blocks before the birthday say nothing about a wallet that may have been used in them. */
  private Optional<SyncEvent> atTip(SyncFact.Complete at) {
    try {
      BooksSummary summary = BooksSummary.of(books);
      if (!summary.covered() && settings.headersOnly()) {
        return Optional.empty();
      }
      return Optional.of(
          summary.unborn() && !summary.covered()
              ? new WalletWarning.BirthdayAhead(at.height())
              : new WalletEvent.Complete(
                  at.height(), at.tip(), summary.balance(), unsearched(at, summary)));
    } catch (WalletException e) {
      // The last write succeeded, but reading fails: the next commit, or the report, will report
      // it.
      return Optional.empty();
    }
  }

  private Unsearched unsearched(SyncFact.Complete at, BooksSummary summary) {
    if (settings.headersOnly() || summary.seenBy() > 0) {
      return Unsearched.NOTHING;
    }
    boolean ticks = settings.preset().guarded().isPresent() && settings.follow();
    return BooksSummary.unsearched(
        books, at.height(), ticks ? Preset.Private.nextTick(at.height()) : at.height());
  }

  private Duration elapsed(Instant now) {
    return Duration.between(began, now);
  }

  /**
   * Whether the goal was to send a transaction, every connected peer accepted or refused it, and no
   * other peer can still connect and announce it.
   */
  private boolean isSent() {
    Optional<BroadcastReplies> broadcast =
        goal instanceof SessionGoal.Broadcast sent
            ? payments.replies(sent.tx().txid())
            : Optional.empty();
    if (!broadcast.isPresent()) {
      return false;
    }
    return isHeardOfAll() && broadcast.get().isSettledBy(peers.ready());
  }

  /** Whether no other peer can still connect. Found peers are not all waited for. */
  private boolean isHeardOfAll() {
    int callable =
        Math.min(settings.peers().connections(), Set.copyOf(settings.peers().named()).size());
    return settings.peers().discovery().isPresent()
        ? peers.ready().size() >= settings.peers().connections()
        : peers.size() >= callable;
  }

  /**
   * Whether no connected peer is still expected to react to a transaction, and one did, or nobody
   * can be reached. Guards get no transaction, so a private session expects the peers that fetched
   * it only.
   */
  boolean isSettled(Hash256 txid) {
    return progress.outage().isPresent()
        || payments
            .replies(txid)
            .filter(
                replies ->
                    settings.preset().guarded().isPresent()
                        ? replies.isSettled()
                        : isHeardOfAll() && replies.isSettledBy(peers.ready()))
            .isPresent();
  }

  /** Returns the peers' reactions to a broadcast in this session; none if it was not sent. */
  public BroadcastReport sent(Hash256 txid) {
    BroadcastReport report = payments.sent(txid, peers.problems());
    return report.isUnanswered() && peers.ready().isEmpty()
        ? report.unsent(
            new Unsent(progress.outage().orElse("no peer is connected"), Optional.empty()))
        : report;
  }

  /**
   * Returns what the last blocks paid, as far as this session read them; empty if it read none, or
   * the peers' chain ends long ago.
   */
  Optional<FeeEstimate> fees() {
    return progress.endsLongAgo() ? Optional.empty() : fees.estimate();
  }

  /** Whether something changed since the last call that counts before a payment. */
  boolean takeStandingChanged() {
    boolean changed = standingChanged;
    standingChanged = false;
    return changed;
  }

  /** Whether a connected peer may take a transaction, as far as they said. */
  boolean isTaken() {
    return fees.isTaken(peers.ready());
  }

  /** The least rate that a connected peer relays; zero if one of them has not said it. */
  FeeRate leastRelayed() {
    return fees.least(peers.ready());
  }

  /**
   * Returns the obstacles, if there was no peer to reach the goal with; empty if it is reached, or
   * was missed for another reason.
   */
  Optional<SyncFact.NoUsablePeer> failure(SyncReport report) {
    SessionEnd end = progress.end();
    if (goal instanceof SessionGoal.Broadcast broadcast) {
      return sent(broadcast.tx().txid()).isUnanswered() ? end.none() : Optional.empty();
    }
    if (goal instanceof SessionGoal.Fees) {
      return fees().isPresent() ? Optional.empty() : end.none();
    }
    // A session that follows needs peers to continue, even when it is complete.
    boolean reached = report.complete() || knowsHeaders(report.tip());
    boolean failed =
        end.why() == SyncReport.Ending.NO_USABLE_PEER && (settings.follow() || !reached);
    return failed ? end.none() : Optional.empty();
  }

  /** Whether only headers were wanted, and all are known: that does not complete the wallet. */
  private boolean knowsHeaders(Hash256 tip) {
    return settings.headersOnly() && progress.sawAll(tip);
  }

  /** Reports the session so far, with the final warnings. */
  public SyncReport report(RunnerState around) {
    BooksSummary summary = BooksSummary.of(books);
    boolean complete = progress.sawAll(summary.chain().tip()) && summary.covered();
    new FinalWarnings(network, settings, progress, peers)
        .addTo(warnings, summary, complete || knowsHeaders(summary.chain().tip()), around);
    return new SyncReport(
        network,
        complete,
        progress.end().why(),
        summary.chain(),
        settings.preset().verify(),
        complete
            && settings.preset().filterPeers() > 0
            && !(settings.preset() instanceof Preset.Compact),
        scanned.blocks(),
        summary.transactions(),
        summary.balance(),
        progress.mempool().answer(),
        progress.mempool().since(),
        falsePositives,
        progress.spotChecked(),
        around.bytesReceived() + before.map(SyncReport::bytesReceived).orElse(0L),
        around.bytesSent() + before.map(SyncReport::bytesSent).orElse(0L),
        elapsed(around.now()).plus(before.map(SyncReport::elapsed).orElse(Duration.ZERO)),
        peers.report(),
        warnings.all(),
        payments.announced(),
        displaced.isEmpty() ? List.of() : books.read(view -> new Payments(view).lost(displaced)),
        complete && summary.transactions() == 0
            ? books.facts().origin(books.birthday()).others()
            : List.of());
  }

  /** The cost up to now. */
  SessionFacts cost(RunnerState around) {
    return new SessionFacts(
        began.getEpochSecond(),
        elapsed(around.now()).toMillis(),
        peers.headers(),
        scanned.fetched(),
        around.bytesReceived(),
        around.bytesSent(),
        around.traffic().falsePositives(falsePositiveBytes));
  }

  SessionProgress progress() {
    return progress;
  }

  /** The peers of this session. */
  Participants peers() {
    return peers;
  }

  /** Returns how much the machine kept in memory as of the last step. */
  public Footprint footprint() {
    return machine.footprint();
  }

  /** The highest chain that a peer announced; negative if none did. */
  int highestPeer() {
    return peers.highest();
  }
}
