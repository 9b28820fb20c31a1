package org.murmur.cli.payments;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.payments.BroadcastText.Waited;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.EarlierPaymentText;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.TransactionDetail;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.DisplacedPayment;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** Sends a signed transaction, and reports what peers did with it. Ctrl-C ends the wait. */
public final class Sending {

  private final Output output;
  private final Surroundings surroundings;
  private boolean waits;

  public Sending(Action action) {
    this.output = action.output();
    this.surroundings = action.surroundings();
  }

  /**
   * The result.
   *
   * @param waited how the wait for them ended, if none accepted it
   */
  public record Sent(BroadcastReport report, Waited waited) {

    /**
     * Returns how the command ends: done if a peer is known to have it, interrupted only if none
     * was by then.
     */
    public ExitCode code() {
      if (report.isAccepted()) {
        return ExitCode.DONE;
      }
      return waited == Waited.INTERRUPTED ? ExitCode.INTERRUPTED : ExitCode.FAILED;
    }
  }

  /** The JSON result is made of that of the report. */
  ExitCode send(
      SpvWallet wallet, Tx tx, boolean again, SyncOptions options, UnaryOperator<JsonObject> result)
      throws NoUsablePeerException {
    Optional<EarlierPayment> earlier = again ? Optional.empty() : wallet.payments().earlier(tx);
    if (earlier.isPresent()) {
      throw EarlierPaymentText.refusal(earlier.get());
    }
    List<DisplacedPayment> displaced = wallet.payments().displaced(tx);
    for (DisplacedPayment payment : displaced) {
      output.note(
          "your payment "
              + payment.txid()
              + " spends a coin of this transaction, too, and at most one of the two is mined. "
              + (payment.stays()
                  ? "That payment counts until a peer says that it has this one instead"
                  : "This one counts now"));
    }
    Sent sent = send(wallet, tx, again, options);
    int height = wallet.chain().height();
    output.result(
        result.apply(
            BroadcastText.json(sent.report(), height)
                .put("displaces", displaced.stream().map(DisplacedPayment::txid).toList())),
        out -> BroadcastText.show(sent.report(), height, sent.waited(), out));
    return sent.code();
  }

  /** A txid alone does not bring back a payment that the user replaced. */
  static void requireNotReplaced(SpvWallet wallet, Tx tx) {
    Optional<Replacement> mined =
        wallet
            .history()
            .transaction(tx.txid())
            .flatMap(detail -> detail.entry().replacedBy())
            .filter(by -> by.height().isPresent());
    if (mined.isPresent()) {
      throw Failure.failed(
          "replaced",
          Text.of(
              "block %s holds %s, which spends a coin of payment %s: it is never mined. Nothing was"
                  + " sent. Pay again with `murmur send`",
              mined.get().height().getAsInt(), mined.get().txid(), tx.txid()));
    }
    for (DisplacedPayment payment : wallet.payments().displaced(tx)) {
      if (payment.stays()) {
        throw Failure.failed(
            "replaced",
            Text.of(
                "payment %1$s has given way to your payment %2$s, which a peer has. Nothing was"
                    + " sent. `murmur tx %1$s --json` prints its hex: `murmur broadcast HEX` offers"
                    + " it nevertheless",
                tx.txid(), payment.txid()));
      }
    }
  }

  /**
   * Sends it. If no peer has it at the end, and the wallet has it, a line on stderr says what
   * happens to it.
   */
  public Sent send(SpvWallet wallet, Tx tx, boolean again, SyncOptions options)
      throws NoUsablePeerException {
    StopSignal stop = new StopSignal();
    Surroundings.Registration interrupts = surroundings.interrupts().onInterrupt(stop::stop);
    try {
      Duration wait = options.limits().broadcastWait();
      SyncListener heard =
          event -> {
            Events.report(event, output);
            noteWait(event, wait);
          };
      SyncOptions stoppable = options.stoppedBy(stop);
      BroadcastReport report =
          again
              ? wallet.payments().broadcastAgain(tx, stoppable, heard)
              : wallet.payments().broadcast(tx, stoppable, heard);
      boolean interrupted = interrupts.end();
      Waited waited = Waited.of(options.limits(), interrupted);
      boolean open = !report.isAccepted();
      if (open && (waited != Waited.FULLY || report.fetchedBy().isEmpty())) {
        output.note((interrupted ? "interrupted: " : "") + fate(wallet, tx.txid()));
      }
      return new Sent(report, waited);
    } catch (WalletException | NoUsablePeerException e) {
      boolean unused = interrupts.end();
      try {
        output.note(fate(wallet, tx.txid()));
      } catch (WalletException unreadable) {
        e.addSuppressed(unreadable);
      }
      throw e;
    }
  }

  /** Says what happens next to a payment that was not sent, or not surely. */
  public static String fate(SpvWallet wallet, Hash256 txid) {
    Optional<TransactionDetail> detail = wallet.history().transaction(txid);
    if (!detail.isPresent()) {
      return "transaction " + txid + " is not in the wallet: broadcast it again";
    }
    if (detail.get().confirmation().isPresent() || detail.get().entry().heard()) {
      return "a peer or a block has payment " + txid + " already";
    }
    if (detail.get().entry().status() == TxStatus.ABANDONED) {
      return "payment " + txid + " was abandoned: no sync announces it";
    }
    if (detail.get().entry().status() == TxStatus.REPLACED
        || detail.get().entry().status() == TxStatus.DEAD) {
      return Text.of(
          "another transaction took the place of payment %1$s: `murmur tx %1$s` says which", txid);
    }
    boolean ordered = detail.get().entry().state().map(PaymentState::ordered).orElse(false);
    return Text.of(
        "payment %1$s is signed and in the wallet, and no peer is known to have it. `murmur"
            + " broadcast %1$s` sends it%2$s. `murmur abandon %1$s` frees its coins instead. Do not"
            + " pay again",
        txid,
        ordered
            ? " now; the next `murmur sync` announces it, too"
            : "; no sync announces it before");
  }

  /** A node says nothing about what it refuses: only time shows. */
  private void noteWait(SyncEvent event, Duration wait) {
    if (event instanceof SyncEvent.PeerReaction taken
        && taken.kind() == SyncEvent.PeerReaction.Kind.FETCHED
        && !waits) {
      waits = true;
      output.note(
          taken.peer()
              + " fetched it; waiting up to "
              + wait.toSeconds()
              + " s until a peer returns it (Ctrl-C ends the wait)");
    }
  }
}
