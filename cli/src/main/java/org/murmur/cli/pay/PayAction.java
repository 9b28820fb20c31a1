package org.murmur.cli.pay;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.payments.BroadcastText;
import org.murmur.cli.payments.Events;
import org.murmur.cli.payments.HistoryCommand;
import org.murmur.cli.payments.Sending;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ChainText;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.SpendOutcome;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletPayments;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.CatchUp;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;
import picocli.CommandLine.Mixin;

/** Plans a payment, shows it, asks, signs and sends it. */
abstract class PayAction extends WalletAction {

  /** Core announces to most peers after random pauses, 5 seconds on average; 1 in 55 is longer. */
  private static final Duration POOL_WAIT = Duration.ofSeconds(20);

  private static final String NOTHING_DONE = "nothing was signed or sent";

  @Mixin private PayOptions options = new PayOptions();

  @Mixin private PeerArguments peers = new PeerArguments();

  abstract Proposal propose(SpvWallet wallet, WalletPayments planner, FeePolicy fees);

  abstract void label(SpvWallet wallet, Proposal proposal, Hash256 txid);

  /** The payment is signed and must be sent, with a label or without. */
  private void tryTo(Runnable labelling) {
    try {
      labelling.run();
    } catch (WalletException e) {
      output().warning("the payment has no label: " + Failures.message(e));
    }
  }

  @Override
  protected final ExitCode run() throws IOException, NoUsablePeerException {
    OptionalInt blocks = options.feeBlocks();
    Optional<OutputFile> file = options.psbtFile();
    if (file.isPresent()) {
      file.get().check();
    }
    Optional<FeePolicy> said =
        blocks.isPresent() ? Optional.empty() : Optional.of(options.fees(options()));
    try (SpvWallet wallet = open()) {
      if (blocks.isPresent()) {
        requireSynced(wallet);
      }
      Optional<FeeEstimate> estimate =
          blocks.isPresent() ? Optional.of(estimate(wallet, blocks.getAsInt())) : Optional.empty();
      FeePolicy fees = said.orElseGet(() -> options.fees(estimate.orElseThrow().rate(), options()));
      requirePossible(wallet, fees);
      Optional<SyncOptions> sending = sending(wallet);
      CatchUp caught =
          sending.isPresent() ? catchUp(wallet, sending.get()) : new CatchUp(true, FeeRate.ZERO);
      Proposal proposal = propose(wallet, fees);
      output().known(proposal.chain());
      PaymentTrace trace = wallet.privacy().trace(proposal, Universe.of(network()));
      ProposalText text = new ProposalText(proposal, estimate, trace, output().unit());
      if (said.isPresent()) {
        text.requireEnough();
      }
      caught.requireTaken(proposal);
      if (options.dryRun) {
        return result(
            text.json().put("txid", null).put("hex", null),
            out -> text.review(output().asOf(), out));
      }
      if (options.psbt() != null) {
        write(wallet, proposal, file, text);
        return ExitCode.DONE;
      }
      requireWords(wallet);
      boolean shown = agree(text);
      if (!shown) {
        text.warnings().forEach(output()::warning);
      }
      Tx tx = sign(wallet, asked(proposal, shown), sending.isPresent());
      tryTo(() -> label(wallet, proposal, tx.txid()));
      JsonObject json = text.json().put("txid", tx.txid()).put("hex", tx.raw().toHex());
      if (sending.isPresent()) {
        return send(wallet, tx, sending.get(), shown, text, json);
      }
      note(Sending.fate(wallet, tx.txid()));
      proposal
          .replaces()
          .ifPresent(txid -> note("no sync announces payment " + txid + " any more"));
      return result(json.put("broadcast", null), out -> out.println(tx.raw().toHex()));
    }
  }

  /**
   * Scans the newest blocks and asks for pending payments before the payment is planned: one of
   * them may spend a coin, or pay the same. Returns the peers' terms for payments.
   */
  private CatchUp catchUp(SpvWallet wallet, SyncOptions sending) throws NoUsablePeerException {
    wallet.payments().requireRecipients(sending);
    StopSignal stop = new StopSignal();
    Surroundings.Registration interrupts = surroundings().interrupts().onInterrupt(stop::stop);
    Optional<CatchUp> caught;
    boolean interrupted;
    try {
      caught = wallet.payments().catchUp(sending.stoppedBy(stop), this::hearScan);
    } catch (NoUsablePeerException e) {
      note(NOTHING_DONE);
      throw e;
    } finally {
      interrupted = interrupts.end();
    }
    if (interrupted) {
      throw new Failure(ExitCode.INTERRUPTED, "interrupted", NOTHING_DONE, null);
    }
    return caught.orElseThrow(
        () ->
            new Failure(
                ExitCode.NO_USABLE_PEER,
                "no_answer",
                "no peer said in time how high the chain is, or all lack blocks that this wallet"
                    + " has, so a coin may be spent already: "
                    + NOTHING_DONE
                    + ". Give it more time with --timeout, or name another peer",
                null));
  }

  /**
   * Refuses what cannot be paid before any peer hears of it. A payment that is sent scans the
   * missing blocks first, so they are no obstacle yet.
   */
  private void requirePossible(SpvWallet wallet, FeePolicy fees) {
    if (!isSent() || wallet.chain().complete()) {
      propose(wallet, fees);
      return;
    }
    try {
      propose(wallet, wallet.payments(), fees);
    } catch (PaymentRefusedException e) {
      if (!(e.reason() instanceof Refusal.Incomplete)) {
        throw e;
      }
      requireSynced(wallet);
    }
  }

  private Proposal propose(SpvWallet wallet, FeePolicy fees) {
    try {
      return propose(wallet, options.planner(wallet), fees);
    } catch (PaymentRefusedException e) {
      if (e.reason() instanceof Refusal.NoPlan none
          && none.why() instanceof SpendOutcome.InsufficientFunds) {
        noteWhatHoldsCoins(wallet);
      }
      throw e;
    }
  }

  /** The change of a payment that no peer is known to have is not spent. */
  private void noteWhatHoldsCoins(SpvWallet wallet) {
    for (HistoryEntry payment : wallet.history().list()) {
      if (payment.status() == TxStatus.PENDING && !payment.heard() && payment.net() < 0) {
        note(
            Text.of(
                "payment %1$s holds coins, and no peer is known to have it: `murmur broadcast"
                    + " %1$s` sends it, `murmur abandon %1$s` frees them",
                payment.txid()));
      }
    }
    note("as of " + output().asOf());
  }

  /** A wallet that was never synced has no coins, whatever its addresses got. */
  private void requireSynced(SpvWallet wallet) {
    if (wallet.chain().isNeverSynced()) {
      throw ChainText.refusal(wallet.chain(), null);
    }
  }

  private FeeEstimate estimate(SpvWallet wallet, int blocks) throws NoUsablePeerException {
    boolean learnt = false;
    try {
      Optional<FeeEstimate> estimate =
          wallet.payments().estimateFee(blocks, peerOptions(), this::hear);
      learnt = estimate.isPresent();
      return estimate.orElseThrow(
          () -> Failure.failed("no_fee_estimate", "no peer sent one of the last blocks"));
    } finally {
      if (!learnt) {
        note(
            "the fee rate could not be estimated: give satoshi per virtual byte, for instance"
                + " --fee-rate 2");
      }
    }
  }

  private SyncOptions peerOptions() {
    return peers.toOptions(this).limits(limits -> limits.mempoolWait(POOL_WAIT));
  }

  private void write(
      SpvWallet wallet, Proposal proposal, Optional<OutputFile> file, ProposalText text)
      throws IOException {
    if (file.isPresent()) {
      // The wallet remembers what it gave out: not what nobody can have got.
      file.get().check();
    }
    String base64 = wallet.psbts().export(proposal).toBase64();
    if (file.isPresent()) {
      file.get().write(base64 + "\n");
    } else {
      // Only the PSBT is printed, so its signer would see no warning.
      text.warnings().forEach(output()::warning);
    }
    JsonObject json = text.json().put("txid", null).put("psbt", base64).put("broadcast", null);
    result(
        json,
        out -> {
          if (file.isPresent()) {
            text.show(out);
            out.println("written to    " + file.get() + ", not signed, not sent");
          } else {
            out.println(base64);
          }
        });
  }

  /** Empty if no peer gets the payment. */
  private Optional<SyncOptions> sending(SpvWallet wallet) {
    if (!isSent()) {
      return Optional.empty();
    }
    requireWords(wallet);
    return Optional.of(peerOptions());
  }

  private boolean isSent() {
    return !options.offline && !options.dryRun && options.psbt() == null;
  }

  private void requireWords(SpvWallet wallet) {
    if (!wallet.keys().origin().hasWords()) {
      throw Failure.failed(
          "no_secret",
          "this wallet only watches: it has no words to sign with. Use --psbt FILE: it writes the"
              + " payment for another signer");
    }
  }

  /** Shows the payment on stderr and asks, if it must; returns whether it was shown. */
  private boolean agree(ProposalText text) {
    boolean asks = !options.yes;
    boolean shows =
        asks
            ? surroundings().console() != null
            : output().forPeople() && !options().quiet() && !options.offline;
    if (shows) {
      text.show(surroundings().stderr());
    }
    String action = options.offline ? "Sign it" : "Send it";
    String question =
        action
            + text.warnings().stream().map(each -> ", although " + each).findFirst().orElse("")
            + "?";
    if (asks && !agrees(question, "use --yes to send, or --dry-run to look")) {
      throw Failure.failed("cancelled", NOTHING_DONE);
    }
    return shows;
  }

  /** A person who was asked at a terminal has seen whom the payment pays. */
  private Proposal asked(Proposal proposal, boolean shown) {
    return shown && !options.yes ? proposal.acceptingPayees() : proposal;
  }

  /** The order to send it is written with it: nothing can come between the two. */
  private Tx sign(SpvWallet wallet, Proposal proposal, boolean ordered) {
    return options.keys.unlocked(
        surroundings(),
        wallet,
        credentials ->
            ordered
                ? wallet.payments().signToSend(proposal, credentials, this::hear)
                : wallet.payments().sign(proposal, credentials, this::hear));
  }

  /** The plan is on stderr before the wait: after Ctrl-C the user knows what was signed. */
  private ExitCode send(
      SpvWallet wallet,
      Tx tx,
      SyncOptions sending,
      boolean shown,
      ProposalText text,
      JsonObject json)
      throws NoUsablePeerException {
    Sending.Sent sent = new Sending(this).send(wallet, tx, false, sending);
    int height = wallet.chain().height();
    result(
        json.put("broadcast", BroadcastText.json(sent.report(), height)),
        out -> {
          if (!shown) {
            text.show(out);
          }
          BroadcastText.show(sent.report(), height, sent.waited(), out);
        });
    return sent.code();
  }

  /** Whether the payment is only looked at. */
  final boolean isDryRun() {
    return options.dryRun;
  }

  /** Another sync does not say again that a payment of the user has lost. */
  private void hear(SyncEvent event) {
    Events.report(event, output());
  }

  private void hearScan(SyncEvent event) {
    hear(event);
    if (event instanceof SyncEvent.MempoolAwaited awaited) {
      note(
          Text.of(
              "waiting up to %s s for %s to say which payments wait in its memory pool: one of"
                  + " another copy of this wallet may be there",
              POOL_WAIT.toSeconds(), awaited.peer()));
    }
    if (event instanceof WalletEvent.Payment lost
        && lost.change() == Change.REPLACED
        && lost.entry().state().isPresent()
        && lost.entry().net() < 0) {
      output()
          .warning(
              "payment " + lost.entry().txid() + " has lost: " + HistoryCommand.fate(lost.entry()));
    }
  }
}
