package org.murmur.cli.payments;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.terminal.AmountText;
import org.murmur.cli.terminal.CommandGroup;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.KeyOptions;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Neighbour;
import org.murmur.cli.words.Unit;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.psbt.PsbtCombiner;
import org.murmur.coins.psbt.PsbtFinalizer;
import org.murmur.coins.psbt.PsbtSigner;
import org.murmur.coins.psbt.PsbtSummary;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.pay.PsbtReview;
import org.murmur.wallet.pay.PsbtTerms;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur psbt}: partially signed transactions. */
@Command(
    name = "psbt",
    description = "Show, sign, combine or finalize partially signed transactions (BIP174, 370).",
    subcommands = {
      PsbtCommands.Show.class,
      PsbtCommands.Sign.class,
      PsbtCommands.Combine.class,
      PsbtCommands.Finalize.class
    },
    footer = {
      "`murmur send --psbt FILE` makes one.",
      "Examples:",
      "  murmur psbt show payment.psbt",
      "  murmur psbt sign payment.psbt > signed.psbt",
      "  murmur psbt finalize --broadcast signed.psbt other.psbt --connect 127.0.0.1"
    })
public final class PsbtCommands extends CommandGroup {

  /** A command about one PSBT, which may come in several files. */
  abstract static class PsbtAction extends WalletAction {

    @Parameters(
        arity = "1..*",
        paramLabel = "FILE",
        description = "PSBT files, base64 or binary, or - for stdin. Several are combined first.")
    private List<String> files = List.of();

    /** Reads all files, and combines them. */
    Psbt psbt() {
      if (files.stream().filter("-"::equals).count() > 1) {
        throw Failure.usage("stdin (-) can be read once only");
      }
      List<Psbt> psbts = new ArrayList<>();
      for (String file : files) {
        Bytes contents = Inputs.binaryOrHexFile("the PSBT", file, surroundings());
        try {
          psbts.add(Psbt.parseFile(contents));
        } catch (MalformedException e) {
          Failure failure =
              Failure.failed("malformed", "no PSBT in " + file + ": " + Failures.message(e), e);
          throw Neighbour.explained(failure, List.of(Inputs.glance(contents)));
        }
      }
      return PsbtCombiner.combine(psbts);
    }

    /** Without a wallet nothing is ours. */
    PsbtText text(Psbt psbt) {
      if (!hasWallet()) {
        PsbtSummary summary = PsbtSummary.of(psbt, script -> Optional.empty());
        return text(
            new PsbtReview(
                psbt, summary, Optional.empty(), List.of(), Optional.empty(), keyNetwork()));
      }
      try (SpvWallet wallet = open()) {
        return text(wallet.psbts().review(psbt));
      }
    }

    PsbtText text(PsbtReview review) {
      return new PsbtText(review, output().unit());
    }
  }

  @Command(
      name = "show",
      description = "Show fee, recipients, what is ours, and what is missing.",
      footer = {
        "Ours is what the wallet's own scripts say, not what the PSBT reserved. A PSBT that",
        "contradicts itself, or has a wrong signature, is refused with exit code 1.",
        "Examples:",
        "  murmur psbt show payment.psbt",
        "  bitcoin-cli walletprocesspsbt PSBT | jq -r .psbt | murmur psbt show - --json"
      })
  static final class Show extends PsbtAction {

    @Override
    protected ExitCode run() {
      Psbt psbt = psbt();
      PsbtText text = text(psbt);
      return result(text.json().put("version", psbt.version()), text::print);
    }
  }

  @Command(
      name = "sign",
      description = "Sign the wallet's inputs, and print the PSBT.",
      footer = {
        "Each signature commits to all inputs and outputs. Values are compared with the wallet's",
        "own transactions. On a terminal it shows the payment and asks first. Nothing is sent.",
        "Exit code 1 if no input is the wallet's, or the fee is above --max-fee or unknown. A",
        "frozen coin, or one that a pending payment of the wallet spends, is signed only after",
        "you agreed, or with --yes.",
        "Examples:",
        "  murmur psbt sign payment.psbt > signed.psbt",
        "  murmur psbt sign - --password-file FILE < payment.psbt"
      })
  static final class Sign extends PsbtAction {

    @Mixin private KeyOptions keys = new KeyOptions();

    @Option(
        names = "--max-fee",
        paramLabel = "SAT",
        description =
            "The largest fee, in satoshi or as 0.1BTC (default: 10,000,000). A PSBT whose fee is"
                + " unknown is not signed.")
    private AmountText maxFee = new AmountText(FeePolicy.USUAL_MAX_FEE.toString());

    @Option(names = "--yes", description = "Sign without asking.")
    private boolean yes;

    @Option(names = "--again", description = "Sign even if another payment pays the same.")
    private boolean again;

    @Override
    protected ExitCode run() {
      PsbtTerms terms =
          PsbtTerms.USUAL.maxFee(maxFee.amount("--max-fee", Unit.SAT, options())).again(again);
      Psbt psbt = psbt();
      PsbtSigner.Result result;
      PsbtText text;
      try (SpvWallet wallet = open()) {
        PsbtReview unsigned = wallet.psbts().review(psbt);
        result = sign(wallet, psbt, agreed(unsigned, terms));
        if (result.signed().isEmpty()) {
          throw nothingToSign(unsigned.summary());
        }
        text = text(wallet.psbts().review(result.psbt()));
      }
      if (output().forPeople()) {
        note("signed         " + inputs(result.signed()));
        note(text.fee());
        text.missing().forEach(this::note);
        text.objections().forEach(line -> note("warning: " + line));
      }
      String base64 = result.psbt().toBase64();
      return result(
          new JsonObject().put("psbt", base64).putAll(text.json()), out -> out.println(base64));
    }

    private static Failure nothingToSign(PsbtSummary summary) {
      int unknown = summary.unknownInputs().size();
      return Failure.failed(
          "nothing_to_sign",
          "no unsigned input of the PSBT is the wallet's"
              + (unknown == 0
                  ? ""
                  : ", as far as it knows: the PSBT does not say what "
                      + (unknown == 1 ? "one input spends" : unknown + " inputs spend")
                      + ". `murmur sync` finds coins of this wallet"));
    }

    /** Without a terminal the signatures can be looked at before something is sent. */
    private PsbtTerms agreed(PsbtReview unsigned, PsbtTerms terms) {
      // Refusals that no agreement changes come before the question.
      unsigned.require(terms.reserved(true));
      boolean asks = !yes && unsigned.isToBeSigned() && surroundings().console() != null;
      if (asks) {
        PsbtText text = text(unsigned);
        text.printPayment(surroundings().stderr());
        String but =
            text.objections().stream().map(each -> ", although " + each).findFirst().orElse("");
        if (!agrees("Sign it" + but + "?", "use --yes")) {
          throw Failure.failed("cancelled", "nothing was signed");
        }
      }
      return terms.reserved(yes || asks);
    }

    private static String inputs(List<Integer> numbers) {
      String all = numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
      return (numbers.size() == 1 ? "input " : numbers.size() + " inputs: ") + all;
    }

    private PsbtSigner.Result sign(SpvWallet wallet, Psbt psbt, PsbtTerms terms) {
      return keys.unlocked(
          surroundings(), wallet, credentials -> wallet.psbts().sign(psbt, terms, credentials));
    }
  }

  @Command(
      name = "combine",
      description = "Combine PSBTs of the same transaction, and print the result.",
      footer = {"Example:", "  murmur psbt combine ours.psbt theirs.psbt > both.psbt"})
  static final class Combine extends PsbtAction {

    @Override
    protected ExitCode run() {
      String base64 = psbt().toBase64();
      return result(new JsonObject().put("psbt", base64), out -> out.println(base64));
    }
  }

  @Command(
      name = "finalize",
      description = "Make final scripts of the signatures, and print the PSBT or transaction.",
      footer = {
        "Every signature is verified. With --hex and --broadcast an incomplete PSBT ends with exit",
        "code 1. --broadcast sends the transaction as `murmur broadcast` does, with its exit"
            + " codes.",
        "Examples:",
        "  murmur psbt finalize signed.psbt",
        "  murmur psbt finalize --hex ours.psbt theirs.psbt",
        "  murmur psbt finalize --broadcast signed.psbt --connect 127.0.0.1"
      })
  static final class Finalize extends PsbtAction {

    @Option(names = "--hex", description = "Print the signed transaction.")
    private boolean hex;

    @Option(names = "--broadcast", description = "Send the signed transaction to peers.")
    private boolean broadcast;

    @Option(
        names = "--again",
        description = "With --broadcast: send it even if another payment pays the same.")
    private boolean again;

    @Mixin private PeerArguments peers = new PeerArguments();

    @Override
    protected ExitCode run() throws NoUsablePeerException {
      if (broadcast) {
        return broadcast();
      }
      Psbt psbt = PsbtFinalizer.finalise(psbt());
      PsbtText text = text(psbt);
      JsonObject json = new JsonObject();
      String result;
      if (hex) {
        Tx tx = PsbtFinalizer.extract(psbt);
        result = tx.raw().toHex();
        json.put("hex", result).putAll(text.json()).put("txid", tx.txid());
      } else {
        result = psbt.toBase64();
        json.put("psbt", result).putAll(text.json());
        text.missing().forEach(missing -> note("missing: " + missing));
      }
      return result(json, out -> out.println(result));
    }

    private ExitCode broadcast() throws NoUsablePeerException {
      SyncOptions options = peers.toOptions(this);
      Psbt psbt = PsbtFinalizer.finalise(psbt());
      Tx tx = PsbtFinalizer.extract(psbt);
      try (SpvWallet wallet = open()) {
        PsbtText text = text(wallet.psbts().review(psbt));
        JsonObject json =
            new JsonObject()
                .put("hex", tx.raw().toHex())
                .putAll(text.json())
                .put("txid", tx.txid());
        return new Sending(this)
            .send(wallet, tx, again, options, sent -> json.put("broadcast", sent));
      }
    }
  }
}
