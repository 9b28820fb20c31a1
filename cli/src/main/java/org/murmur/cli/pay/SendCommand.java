package org.murmur.cli.pay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.words.EarlierPaymentText;
import org.murmur.cli.words.Failure;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.uri.PaymentUri;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletCoin;
import org.murmur.wallet.WalletPayments;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.Refusal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur send}. */
@Command(
    name = "send",
    description = "Pay: plan a payment, show it, sign it and send it.",
    footer = {
      "The payment is in the wallet's file before it is sent: its coins are reserved, and history",
      "shows it. Exit code 0: a peer has it. 1: it was not made, or no peer is known to have it.",
      "4: no peer could be asked.",
      "",
      "Before, it scans the newest blocks with peers that have a filter of the wallet already, and",
      "asks them which payments wait: another copy of the wallet may have paid. This takes up to",
      "20 s with a node that does not answer at once (docs/connecting.md).",
      "Other peers only say how high the chain is; the question then says what is not scanned.",
      "",
      "If no peer has it then, the next 'murmur sync' announces it.",
      "'murmur broadcast TXID' sends it now, and 'murmur abandon TXID' frees its coins instead.",
      "With --offline no sync announces it before 'murmur broadcast TXID'.",
      "",
      "'murmur bump' raises the fee of a pending payment, 'murmur cancel' takes it back.",
      "Examples:",
      "  murmur send ADDRESS 0.015 --fee-rate 2 --dry-run",
      "  murmur send ADDRESS 1500000sat --fee-rate 2 --connect 127.0.0.1",
      "  murmur send ADDRESS 0.015 --fee-rate auto --connect 127.0.0.1",
      "  murmur send ADDRESS all --fee-rate 1.5 --yes --connect 127.0.0.1",
      "  murmur send 'bitcoin:ADDRESS?amount=0.015&label=The%%20shop' --fee-rate 2",
      "  murmur -w watching send ADDRESS 0.015 --fee-rate 2 --psbt unsigned.psbt"
    })
public final class SendCommand extends PayAction {

  private static final Pattern COIN = Pattern.compile("[0-9a-fA-F]{6,64}\\S*:\\d{1,6}");

  @Parameters(
      paramLabel = "ADDRESS AMOUNT",
      description =
          "Whom to pay, and how much: BTC (0.015, 0.015BTC), satoshi (1500000sat) or all. Or a"
              + " payment URI (BIP321), with AMOUNT only if it has none.")
  private List<String> payments = new ArrayList<>();

  @Option(
      names = "--coin",
      paramLabel = "TXID:VOUT",
      description = "Spend this coin, and only those that are named. Repeatable.")
  private List<String> coins = new ArrayList<>();

  @Option(names = "--subtract-fee", description = "Take the fee from the amounts, in equal shares.")
  private boolean subtractFee;

  @Option(
      names = "--change-type",
      paramLabel = "TYPE",
      completionCandidates = Choices.Scripts.class,
      description = "Script type of the change: bip44, bip49, bip84 or bip86.")
  private @Nullable String changeType;

  @Option(
      names = "--no-rbf",
      description = "Do not signal that the payment may be replaced (BIP-0125).")
  private boolean noRbf;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      description = "Label the transaction (default: the message of the payment URI).")
  private @Nullable String label;

  @Option(
      names = "--again",
      description =
          "Pay even if another payment pays the same: pending, abandoned, cancelled, or in a block"
              + " of the last three days.")
  private boolean again;

  private final Set<String> noted = new HashSet<>();

  @Override
  Proposal propose(SpvWallet wallet, WalletPayments planner, FeePolicy fees) {
    List<Recipient> recipients = recipients();
    Proposal proposal = propose(wallet, planner, fees, recipients);
    proposal.earlier().ifPresent(this::requireFirst);
    noteWhatStays(wallet, proposal);
    return proposal;
  }

  /** Of a payment of all: the coins that stay. */
  private void noteWhatStays(SpvWallet wallet, Proposal proposal) {
    if (!coins.isEmpty() || payees().stream().noneMatch(payee -> payee.amount().isAll())) {
      return;
    }
    Map<String, Long> stays = new TreeMap<>();
    for (WalletCoin coin : wallet.coins().list()) {
      if (!proposal.coins().contains(coin.outPoint())) {
        String why =
            coin.frozen()
                ? "it is frozen (`murmur unfreeze`)"
                : coin.immature()
                    ? "it is newly mined and needs 100 confirmations"
                    : coin.height().isEmpty() ? "it is not confirmed" : "spending it costs more";
        stays.merge(why, coin.value(), Long::sum);
      }
    }
    stays.forEach(
        (why, satoshi) ->
            noteOnce(output().unit().named(satoshi) + " stays in the wallet: " + why));
  }

  /** A payment is planned again when new blocks are scanned. */
  private void noteOnce(String text) {
    if (noted.add(text)) {
      note(text);
    }
  }

  /** A dry run pays nothing twice: it only warns. */
  private void requireFirst(EarlierPayment earlier) {
    Failure refusal = EarlierPaymentText.refusal(earlier);
    if (!isDryRun()) {
      throw refusal;
    }
    note("warning: " + refusal.text());
  }

  private Proposal propose(
      SpvWallet wallet, WalletPayments planner, FeePolicy fees, List<Recipient> recipients) {
    List<OutPoint> spent = new ArrayList<>();
    for (String coin : coins) {
      if (!COIN.matcher(coin).matches()) {
        throw Failure.usage(
            "--coin "
                + coin
                + ": expected TXID:VOUT, the txid whole or its first six digits or more");
      }
      spent.add(Txids.readOutPoint(wallet, "--coin", coin));
    }
    PaymentOrder order = PaymentOrder.of(recipients, fees).replaceable(!noRbf).again(again);
    if (!spent.isEmpty()) {
      order = order.spendingOnly(spent);
    }
    String type = changeType;
    if (type != null) {
      order = order.changeType(Failure.checked("--change-type", () -> OutputType.ofName(type)));
    }
    try {
      return planner.plan(order);
    } catch (PaymentRefusedException e) {
      if (e.reason() instanceof Refusal.NoPlan none && none.spendable() > 0) {
        payees().stream().flatMap(payee -> payee.amount().hint().stream()).forEach(this::note);
      }
      throw e;
    }
  }

  private List<Recipient> recipients() {
    List<Recipient> recipients = new ArrayList<>();
    requireOneOfAll();
    for (Payee payee : payees()) {
      recipients.add(payee.amount().recipient(payee.uri().address(), subtractFee, options()));
      if (payee.isUri()) {
        noteOnce("payment URI: " + described(payee.uri()));
      }
    }
    return recipients;
  }

  private void requireOneOfAll() {
    long all = payees().stream().filter(payee -> payee.amount().isAll()).count();
    if (all > 1) {
      throw Failure.usage("send: " + all + " amounts are all: only one payee can get all the rest");
    }
    if (all == 1 && subtractFee) {
      throw Failure.usage("--subtract-fee: omit it, the payee who gets all pays the fee");
    }
  }

  /** The texts of a URI, which its writer chose. */
  private static String described(PaymentUri uri) {
    if (uri.label().isEmpty() && uri.message().isEmpty()) {
      return "it names no payee";
    }
    return (uri.label().isEmpty() ? "it names no payee" : "it says payee \"" + uri.label() + "\"")
        + (uri.message().isEmpty() ? "" : ", message \"" + uri.message() + "\"")
        + "; nobody has verified this";
  }

  private List<Payee> payees() {
    return Payee.parse(payments, keyNetwork());
  }

  /** The payee's name becomes the label of the address, unless the user has noted another one. */
  @Override
  void label(SpvWallet wallet, Proposal proposal, Hash256 txid) {
    String message = "";
    for (Payee payee : payees()) {
      LabelRef address = LabelRef.of(payee.uri().address());
      if (!payee.uri().label().isEmpty() && wallet.labels().of(address).text().isEmpty()) {
        wallet.labels().set(address, payee.uri().label());
        noteLabel(payee.uri().address().text(), payee.uri().label());
      }
      message = message.isEmpty() ? payee.uri().message() : message;
    }
    String text = label == null ? message : label;
    if (!text.isEmpty()) {
      wallet.labels().set(LabelRef.of(txid), text);
      if (label == null) {
        noteLabel("this payment", text);
      }
    }
  }

  /** The user did not write this label. */
  private void noteLabel(String what, String text) {
    note("the URI labels " + what + " \"" + text + "\": murmur label changes it");
  }
}
