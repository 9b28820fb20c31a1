package org.murmur.cli.pay;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.AmountText;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.KeyOptions;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Unit;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletPayments;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every command that pays. */
final class PayOptions {

  private static final String AUTO = "auto";

  @Option(
      names = "--fee-rate",
      paramLabel = "SAT_PER_VB",
      description = {
        "The fee rate in satoshi per virtual byte, for instance 2.5; or auto: it is estimated from",
        "the last blocks, which are downloaded whole, and from what the peers relay."
      })
  private @Nullable String feeRate;

  @Option(
      names = "--fee-blocks",
      paramLabel = "N",
      description =
          "With --fee-rate auto: how many blocks to read, up to 4 MB each (default:"
              + " ${DEFAULT-VALUE}).")
  private int feeBlocks = 6;

  @Option(
      names = "--max-fee",
      paramLabel = "SAT",
      description = "The largest fee, in satoshi or as 0.1BTC (default: 10,000,000).")
  private AmountText maxFee = new AmountText(FeePolicy.USUAL_MAX_FEE.toString());

  @Option(
      names = "--dry-run",
      description = "Show the payment and what it links; sign and send nothing.")
  boolean dryRun;

  @Option(
      names = "--offline",
      description = "Sign the payment, keep it in the wallet, and print it; send nothing.")
  boolean offline;

  @Option(
      names = "--psbt",
      paramLabel = "FILE",
      description =
          "Write the unsigned payment for another signer (PSBT), - for stdout; sign and send"
              + " nothing.")
  private @Nullable String psbt;

  @Mixin private ForceOption force = new ForceOption();

  @Option(
      names = "--even-if-incomplete",
      description = "Pay although not all blocks are scanned: a coin may have been spent long ago.")
  private boolean evenIfIncomplete;

  @Option(names = "--yes", description = "Send without asking.")
  boolean yes;

  @Mixin KeyOptions keys = new KeyOptions();

  /** How many blocks to estimate the fee rate from; empty if the user named the rate. */
  OptionalInt feeBlocks() {
    if (!AUTO.equals(feeRate)) {
      return OptionalInt.empty();
    }
    if (offline) {
      throw Failure.usage(
          "--fee-rate auto asks peers and --offline asks nobody: give satoshi per virtual byte, for"
              + " instance --fee-rate 2");
    }
    if (feeBlocks < 1 || feeBlocks > WalletPayments.MAX_FEE_BLOCKS) {
      throw Failure.usage(
          "--fee-blocks " + feeBlocks + ": expected 1 to " + WalletPayments.MAX_FEE_BLOCKS);
    }
    return OptionalInt.of(feeBlocks);
  }

  /** The fee rate of the user and its limits. */
  FeePolicy fees(GlobalOptions options) {
    String text = feeRate;
    if (text == null) {
      throw Failure.usage(
          "--fee-rate is missing: give satoshi per virtual byte, for instance --fee-rate 2, or"
              + " --fee-rate auto");
    }
    FeeRate rate = Failure.checked("--fee-rate " + text, () -> FeeRate.parse(text));
    if (rate.equals(FeeRate.ZERO)) {
      throw Failure.usage("--fee-rate " + feeRate + ": expected more than 0 sat/vB");
    }
    return fees(rate, options);
  }

  /** A fee rate and the limits of the user. */
  FeePolicy fees(FeeRate rate, GlobalOptions options) {
    return FeePolicy.of(rate).maxFee(maxFee.amount("--max-fee", Unit.SAT, options));
  }

  /** Where the unsigned payment goes, - for stdout; null if it is to be signed here. */
  @Nullable String psbt() {
    if (psbt != null && offline) {
      throw Failure.usage("--psbt and --offline: use one, a payment is signed here or elsewhere");
    }
    if (psbt == null && force.given()) {
      throw Failure.usage("--force needs --psbt FILE: it overwrites the file");
    }
    return psbt;
  }

  /** The file of the unsigned payment; empty for stdout, or if it is to be signed here. */
  Optional<OutputFile> psbtFile() {
    return Optional.ofNullable(psbt())
        .filter(name -> !name.equals("-"))
        .map(name -> OutputFile.named("--psbt", name, OutputFile.Kind.PSBT, force.given()));
  }

  WalletPayments planner(SpvWallet wallet) {
    return evenIfIncomplete ? wallet.payments().evenIfIncomplete() : wallet.payments();
  }
}
