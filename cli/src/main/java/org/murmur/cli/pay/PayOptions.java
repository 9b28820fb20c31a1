package org.murmur.cli.pay;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.wallet.spend.FeePolicy;
import org.murmur.wallet.spend.fee.FeeRate;
import picocli.CommandLine.Option;

/** Options of every command that pays. */
final class PayOptions {

  @Option(
      names = "--fee-rate",
      paramLabel = "SAT_PER_VB",
      description = "The fee rate in satoshi per virtual byte, for instance 2.5.")
  private @Nullable String feeRate;

  @Option(
      names = "--max-fee",
      paramLabel = "SAT",
      description = "The largest fee in satoshi (default: 10,000,000).")
  private long maxFee = FeePolicy.USUAL_MAX_FEE;

  @Option(
      names = "--dry-run",
      description = "Show the payment and what it links; sign and send nothing.")
  private boolean dryRun;

  @Option(
      names = "--offline",
      description = "Sign the payment, keep it in the wallet, and print it; send nothing.")
  private boolean offline;

  @Option(
      names = "--psbt",
      paramLabel = "FILE",
      description =
          "Write the unsigned payment for another signer (PSBT), - for stdout; sign and send"
              + " nothing.")
  private @Nullable String psbt;

  @Option(names = "--yes", description = "Send without asking.")
  private boolean yes;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file with the wallet's password, - for stdin.")
  private @Nullable String passwordFile;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "A file with the BIP39 passphrase of the words, - for stdin.")
  private @Nullable String passphraseFile;

  /** The fee rate and its limits. */
  FeePolicy fees() {
    if (feeRate == null) {
      throw Failure.usage(
          "--fee-rate is missing: give satoshi per virtual byte, for instance --fee-rate 2");
    }
    try {
      FeeRate rate = FeeRate.ofSatPerVb(new BigDecimal(feeRate));
      if (rate.equals(FeeRate.ZERO) || maxFee <= 0) {
        throw Failure.usage("--fee-rate and --max-fee: expected more than 0");
      }
      return FeePolicy.of(rate).maxFee(maxFee);
    } catch (NumberFormatException e) {
      throw Failure.usage(
          "--fee-rate " + feeRate + ": expected satoshi per virtual byte, for instance 2.5");
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--fee-rate: " + Failures.message(e));
    }
  }

  boolean isDryRun() {
    return dryRun;
  }

  boolean isOffline() {
    return offline;
  }

  /** Where the unsigned payment goes, - for stdout; null if it is to be signed here. */
  @Nullable String psbt() {
    if (psbt != null && offline) {
      throw Failure.usage("--psbt and --offline: use one, a payment is signed here or elsewhere");
    }
    return psbt;
  }

  boolean isAgreed() {
    return yes;
  }

  @Nullable String passwordFile() {
    return passwordFile;
  }

  @Nullable String passphraseFile() {
    return passphraseFile;
  }
}
