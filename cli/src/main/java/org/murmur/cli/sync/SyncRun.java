package org.murmur.cli.sync;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.payments.Events;
import org.murmur.cli.payments.HistoryCommand;
import org.murmur.cli.payments.HistoryRows;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.FoldedLog;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.wallet.Restoring;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.PeerFaults;
import org.murmur.cli.words.Text;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;
import org.murmur.wallet.sync.WalletWarning;

/** Runs a sync: event stream, progress, Ctrl-C, report. */
final class SyncRun {

  /** The command to run: sync or rescan. */
  @FunctionalInterface
  interface Work {
    SyncReport run(SyncListener listener, StopSignal stop) throws NoUsablePeerException;
  }

  private final Output output;
  private final Surroundings surroundings;
  private final GlobalOptions options;
  private final String walletName;
  private final boolean following;
  private final boolean headersOnly;
  private final boolean narrow;
  // Notes are limited like the log, because a session may last for months.
  private final FoldedLog notes;
  private final FoldedLog log;
  // Peers that finished the handshake and are still connected.
  private final Set<NodeAddress> there = new HashSet<>();
  // Warnings that were already printed; the report omits them.
  private final Set<SyncEvent.Warning> warned = Collections.synchronizedSet(new HashSet<>());
  // The last report that all blocks are scanned, and whether it was printed.
  private WalletEvent.@Nullable Complete complete;
  private boolean shown;
  private @Nullable MempoolWait wait;
  // Peers reported as lost while following.
  private final Set<NodeAddress> gone = new HashSet<>();

  SyncRun(Action action, boolean following, boolean headersOnly) {
    this.headersOnly = headersOnly;
    this.output = action.output();
    this.surroundings = action.surroundings();
    this.options = action.options();
    this.walletName = options.wallet();
    this.following = following;
    this.narrow = action.narrow();
    this.notes = new FoldedLog(output::note, System::nanoTime);
    this.log = new FoldedLog(output::detail, System::nanoTime);
  }

  /** Runs the command to its end and prints the report. */
  ExitCode run(Work work) throws NoUsablePeerException {
    // Ctrl-C may come before the session begins.
    StopSignal stop = new StopSignal();
    Surroundings.Registration registration = surroundings.interrupts().onInterrupt(stop::stop);
    boolean interrupted;
    SyncReport report;
    try (Progress progress = progress();
        Pulse pulse = new Pulse(output, stop, following);
        MempoolWait pause = new MempoolWait(surroundings, output, stop)) {
      wait = pause;
      report =
          work.run(
              event -> {
                pulse.hear(event);
                hear(event, progress);
              },
              stop);
    } catch (NoUsablePeerException e) {
      if (registration.end()) {
        return interrupted(e.report());
      }
      throw e;
    } catch (WalletException e) {
      registration.end();
      throw e;
    }
    interrupted = registration.end();
    notes.close();
    log.close();
    // Ctrl-C ends a follow. A sync that became complete anyway was not interrupted.
    if (interrupted && (following || !report.complete())) {
      return interrupted(report);
    }
    if (report.ending() == SyncReport.Ending.PEERS_DISAGREE) {
      throw new Failure(ExitCode.PEERS_DISAGREE, "peers_disagree", disagreement(report), null);
    }
    print(report);
    for (SyncEvent.Warning warning : report.warnings()) {
      if (!warned.contains(warning)) {
        output.note("warning: " + NoticeText.of(warning));
      }
    }
    if (report.ending() == SyncReport.Ending.TIMEOUT && !report.complete()) {
      noteFaults(report);
    }
    boolean done = headersOnly && report.ending() == SyncReport.Ending.DONE;
    return report.complete() || done ? ExitCode.DONE : ExitCode.NOT_SYNCED;
  }

  /** Whether the time was too short, or the peers were at fault. */
  private void noteFaults(SyncReport report) {
    List<String> faults = PeerFaults.of(report);
    if (report.peers().isEmpty()) {
      output.note("no peer answered in this time; progress is kept");
    } else if (faults.isEmpty()) {
      output.note("no peer failed: try again with a longer --timeout; progress is kept");
    }
    faults.forEach(output::note);
  }

  /** The last disagreement, which ended the sync. */
  private static String disagreement(SyncReport report) {
    String last = "";
    for (SyncEvent.Warning warning : report.warnings()) {
      if (warning instanceof SyncWarning.Disagreement) {
        last =
            NoticeText.of(warning)
                + ". Progress is kept; "
                + (warning instanceof SyncWarning.FiltersDisagree
                    ? "sync again without the one that you trust less"
                    : "name more peers with --connect and sync again");
      }
    }
    return last;
  }

  private ExitCode interrupted(SyncReport report) {
    print(report);
    output.note("Interrupted. Progress is kept; `murmur sync` continues from there.");
    return ExitCode.INTERRUPTED;
  }

  private void print(SyncReport report) {
    WalletEvent.Complete before = shown ? complete : null;
    List<String> others = report.tryAlso().stream().map(Restoring::option).toList();
    output.result(
        Reports.json(walletName, report).put("try_also", others),
        out -> {
          if (before != null && Reports.isStill(before, report)) {
            Reports.showRest(before, report, output.unit(), out);
          } else {
            Reports.show(report, output.unit(), out);
          }
        });
    if (!others.isEmpty() && output.forPeople()) {
      output.note(
          "no payment was found. If there should be some, make a wallet of another name (-w NAME)"
              + " with one of: "
              + String.join("; ", others));
    }
  }

  private Progress progress() {
    if (options.quiet()) {
      return Progress.SILENT;
    }
    return output.status().isEnabled()
        ? new ProgressOnTerminal(output.status(), System::nanoTime)
        : new Progress.Lines(surroundings.stderr());
  }

  private void hear(SyncEvent event, Progress progress) {
    if (event instanceof SyncEvent.Progress now) {
      progress.update(now);
    } else if (event instanceof SyncEvent.MempoolAwaited) {
      // The bar is finished.
      progress.close();
    }
    if (options.jsonl()) {
      Events.write(event, output);
    }
    if (event instanceof SyncEvent.Warning early && isEarly(early)) {
      warned.add(early);
      output.warning(NoticeText.of(early));
    } else if (options.jsonl()) {
      detail(event);
    } else {
      tell(event);
    }
  }

  /** Whether the user may still keep anything from being sent. */
  private static boolean isEarly(SyncEvent.Warning what) {
    return what instanceof WalletWarning.WalletExposed
        || what instanceof WalletWarning.ShownToPoolNode
        || what instanceof WalletWarning.BlockFiltersInstead
        || what instanceof WalletWarning.FileDamaged;
  }

  private void tell(SyncEvent event) {
    boolean was = event instanceof SyncEvent.PeerLost lost && there.contains(lost.address());
    noteWhoIsThere(event);
    if (event instanceof WalletEvent.Complete now) {
      shown &= complete != null && complete.tip().equals(now.tip());
      complete = now;
    }
    if (event instanceof WalletEvent.Payment payment) {
      String change = Text.lower(payment.change());
      payment(payment.change() == Change.SEEN ? "pending" : change, payment.entry());
    } else if (following
        && (event instanceof WalletEvent.PaymentStateChanged
            || (event instanceof SyncEvent.PeerReaction reaction
                && reaction.kind() == SyncEvent.PeerReaction.Kind.OFFERED))) {
      note(event, Events.text(event));
    } else if (event instanceof WalletEvent.Reorganised reorg) {
      note(
          event,
          Text.of(
              "reorganised: blocks %s to %s left the best chain",
              reorg.forkHeight() + 1, reorg.oldHeight()));
    } else if (event instanceof SyncEvent.PeerLost lost && lost.misbehaviour().isPresent()) {
      peerLost(lost);
    } else if (event instanceof SyncEvent.PeerLost lost && following) {
      if (gone.add(lost.address())) {
        // Whether Murmur reconnects depends on the reason. When no peer is left, a warning says
        // that it keeps trying.
        note(
            event,
            lost.address() + (was ? " disconnected: " : " cannot be reached: ") + lost.detail());
      } else {
        detail(event);
      }
    } else if (event instanceof SyncEvent.PeerReady ready && gone.remove(ready.address())) {
      note(event, ready.address() + " is connected again");
    } else if (event instanceof SyncEvent.Warning warning && following) {
      warned.add(warning);
      note(event, "warning: " + NoticeText.of(warning));
    } else if (event instanceof SyncEvent.MempoolAwaited awaited) {
      awaitPayments(awaited.limit());
    } else if (event instanceof WalletEvent.Complete complete && following) {
      note(
          event,
          Text.of(
              "complete at height %d, balance %s%s; waiting for more (Ctrl-C ends)",
              complete.height(),
              output.unit().named(complete.balance().total()),
              Events.text(complete.unsearched(), output.unit())));
    } else {
      detail(event);
    }
  }

  /** All blocks are scanned: the result is printed, and pending payments may still come. */
  private void awaitPayments(Duration limit) {
    WalletEvent.Complete now = complete;
    if (!following && !shown && now != null) {
      shown = true;
      output.show(out -> Reports.show(now, output.unit(), out));
    }
    MempoolWait pause = wait;
    if (pause != null && !following) {
      pause.begin(limit);
    }
  }

  private void noteWhoIsThere(SyncEvent event) {
    if (event instanceof SyncEvent.PeerReady ready) {
      there.add(ready.address());
    } else if (event instanceof SyncEvent.PeerLost lost) {
      there.remove(lost.address());
    }
  }

  /**
   * Printed at once while other peers are connected. Without any, Murmur reconnects a few times or
   * ends the sync: then the error says what to do, or the report has the peer's line.
   */
  private void peerLost(SyncEvent.PeerLost lost) {
    if (following || !there.isEmpty()) {
      note(lost, lost.address() + " was dropped: " + lost.detail());
    } else {
      detail(lost);
    }
  }

  private void note(SyncEvent event, String line) {
    notes.write(Events.kind(event), line);
  }

  private void detail(SyncEvent event) {
    String text = Events.text(event);
    if (!text.isEmpty()) {
      log.write(Events.kind(event), text);
    }
  }

  /**
   * While following, payments go to stdout; otherwise they are in the history. The log contains
   * neither txids nor amounts, because people share logs.
   */
  private void payment(String what, HistoryEntry entry) {
    if (following && narrow) {
      output.line(String.join("\n", HistoryRows.arriving(what, entry, output.unit())));
    } else if (following) {
      output.line(Text.of("%-11s  %s", what, HistoryCommand.line(entry, output.unit())));
    }
  }
}
