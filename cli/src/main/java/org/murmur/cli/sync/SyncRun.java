package org.murmur.cli.sync;

import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.murmur.cli.payments.Events;
import org.murmur.cli.payments.HistoryCommand;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.FoldedLog;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.WarningText;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.wallet.HistoryEntry;
import org.murmur.wallet.NoUsablePeerException;
import org.murmur.wallet.StopSignal;
import org.murmur.wallet.SyncListener;
import org.murmur.wallet.SyncReport;
import org.murmur.wallet.WalletEvent;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.WalletWarning;

/** Runs a sync and tells what happens: the stream, the progress, Ctrl-C, the report. */
final class SyncRun {

  /** Something that syncs: sync itself or rescan. */
  @FunctionalInterface
  interface Work {
    SyncReport run(SyncListener listener, StopSignal stop)
        throws WalletException, NoUsablePeerException;
  }

  private final Output output;
  private final Surroundings surroundings;
  private final GlobalOptions options;
  private final String walletName;
  private final boolean following;
  // Notes are bounded like the log, as a session may last for months.
  private final FoldedLog notes;
  private final FoldedLog log;
  // Who said hello and is not lost again.
  private final Set<PeerAddress> there = new HashSet<>();
  // Warnings that were printed when they came: the end of the report does without them.
  private final Set<WalletWarning> warned = Collections.synchronizedSet(new HashSet<>());
  // Told to be gone, while somebody follows.
  private final Set<PeerAddress> gone = new HashSet<>();

  SyncRun(Action action, String walletName, boolean following) {
    this.output = action.output();
    this.surroundings = action.surroundings();
    this.options = action.options();
    this.walletName = walletName;
    this.following = following;
    this.notes = new FoldedLog(output::note, System::nanoTime);
    this.log = new FoldedLog(output::detail, System::nanoTime);
  }

  /** Runs it to its end and prints the report. */
  ExitCode run(Work work) throws WalletException, NoUsablePeerException {
    // Ctrl-C may come before the session begins.
    StopSignal stop = new StopSignal();
    Surroundings.Registration registration = surroundings.interrupts().onInterrupt(stop::stop);
    boolean interrupted;
    SyncReport report;
    try (Progress progress = progress()) {
      report = work.run(event -> hear(event, progress), stop);
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
    // Ctrl-C ends a follow; a sync that became complete all the same was not cut short by it.
    if (interrupted && (following || !report.complete())) {
      return interrupted(report);
    }
    if (report.ending() == SyncReport.Ending.PEERS_DISAGREE) {
      throw new Failure(
          ExitCode.PEERS_DISAGREE,
          "peers_disagree",
          disagreement(report)
              + ". What was synced is kept; name further peers with --connect and sync again",
          null);
    }
    print(report);
    for (WalletWarning warning : report.warnings()) {
      if (!warned.contains(warning)) {
        output.note("warning: " + WarningText.of(warning));
      }
    }
    return report.complete() ? ExitCode.DONE : ExitCode.NOT_SYNCED;
  }

  /** The last of the contradictions, which ended the sync. */
  private static String disagreement(SyncReport report) {
    String last = "";
    for (WalletWarning warning : report.warnings()) {
      if (warning instanceof WalletWarning.PeersDisagree) {
        last = WarningText.of(warning);
      }
    }
    return last;
  }

  private ExitCode interrupted(SyncReport report) {
    print(report);
    output.note("Interrupted; what was synced is kept, `murmur sync` goes on from there.");
    return ExitCode.INTERRUPTED;
  }

  private void print(SyncReport report) {
    output.result(Reports.json(walletName, report), out -> Reports.show(report, out));
  }

  private Progress progress() {
    if (options.quiet()) {
      return Progress.SILENT;
    }
    // A bar would be torn by the lines of -v.
    return surroundings.terminal() && options.verbosity() == 0
        ? new ProgressOnTerminal(surroundings.stderr())
        : new ProgressLines(surroundings.stderr());
  }

  private void hear(WalletEvent event, Progress progress) {
    if (event instanceof WalletEvent.Progress now) {
      progress.update(now);
    } else if (event instanceof WalletEvent.MempoolAwaited) {
      // The bar has nothing more to show, and a line would tear it.
      progress.close();
    }
    if (event instanceof WalletEvent.Forewarning before) {
      warned.add(before.what());
      output.warning(WarningText.of(before.what()));
    }
    if (options.jsonl()) {
      Events.write(event, output);
      detail(event);
    } else {
      tell(event);
    }
  }

  private void tell(WalletEvent event) {
    boolean was = event instanceof WalletEvent.PeerLost lost && there.contains(lost.address());
    noteWhoIsThere(event);
    if (event instanceof WalletEvent.PaymentSeen seen) {
      payment("pending", seen.transaction());
    } else if (event instanceof WalletEvent.PaymentConfirmed confirmed) {
      payment("confirmed", confirmed.transaction());
    } else if (event instanceof WalletEvent.PaymentUnconfirmed undone) {
      payment("unconfirmed", undone.transaction());
    } else if (event instanceof WalletEvent.PaymentReplaced replaced) {
      payment("replaced", replaced.transaction());
    } else if (event instanceof WalletEvent.PaymentGone gone) {
      payment("gone", gone.transaction());
    } else if (event instanceof WalletEvent.Reorganised reorg) {
      note(
          event,
          "reorganised: blocks "
              + (reorg.forkHeight() + 1)
              + " to "
              + reorg.oldHeight()
              + " left the chain");
    } else if (event instanceof WalletEvent.PeerLost lost && lost.misbehaviour().isPresent()) {
      letGo(lost);
    } else if (event instanceof WalletEvent.PeerLost lost && following) {
      if (gone.add(lost.address())) {
        // Whether it is called again depends on why it is lost; where nobody is left, a warning
        // says that calls go on.
        note(event, lost.address() + (was ? " is gone: " : " is not there: ") + lost.detail());
      } else {
        detail(event);
      }
    } else if (event instanceof WalletEvent.PeerReady ready && gone.remove(ready.address())) {
      note(event, ready.address() + " is there again");
    } else if (event instanceof WalletEvent.Warning warning && following) {
      warned.add(warning.what());
      note(event, "warning: " + WarningText.of(warning.what()));
    } else if (event instanceof WalletEvent.MempoolAwaited awaited) {
      output.note(
          "all blocks are done; waiting up to "
              + awaited.limit().toSeconds()
              + " s for unconfirmed transactions (--mempool-wait 0 does without)");
    } else if (event instanceof WalletEvent.Complete complete && following) {
      note(
          event,
          String.format(
              Locale.ROOT,
              "complete at height %d, balance %s BTC; waiting for more (Ctrl-C ends)",
              complete.height(),
              Amounts.btc(complete.balance().total())));
    } else {
      detail(event);
    }
  }

  private void noteWhoIsThere(WalletEvent event) {
    if (event instanceof WalletEvent.PeerReady ready) {
      there.add(ready.address());
    } else if (event instanceof WalletEvent.PeerLost lost) {
      there.remove(lost.address());
    }
  }

  /**
   * Told at once where others go on. Without any, the one that is let go is called again a few
   * times, or the sync is over: the error says it then, with what to do, or its line in the report.
   */
  private void letGo(WalletEvent.PeerLost lost) {
    if (following || !there.isEmpty()) {
      note(lost, lost.address() + " is let go: " + lost.detail());
    } else {
      detail(lost);
    }
  }

  private void note(WalletEvent event, String line) {
    notes.write(Events.kind(event), line);
  }

  private void detail(WalletEvent event) {
    String text = Events.text(event);
    if (!text.isEmpty()) {
      log.write(Events.kind(event), text);
    }
  }

  /**
   * Payments go to stdout when somebody stays to watch them; otherwise they are in the history. The
   * log has neither txids nor amounts: people show it to others.
   */
  private void payment(String what, HistoryEntry entry) {
    if (following) {
      output.line(String.format(Locale.ROOT, "%-11s  %s", what, HistoryCommand.line(entry)));
    }
  }
}
