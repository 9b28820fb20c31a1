package org.murmur.cli.payments;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Neighbour;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.psbt.PsbtCombiner;
import org.murmur.coins.psbt.PsbtSummary;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.pay.PsbtReview;
import picocli.CommandLine.Parameters;

/** A command about one PSBT, which may come in several files. */
abstract class PsbtAction extends WalletAction {

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
            new Failure(
                ExitCode.FAILED, "malformed", "no PSBT in " + file + ": " + Failures.message(e), e);
        throw Neighbour.explained(failure, List.of(Inputs.glance(contents)));
      }
    }
    return PsbtCombiner.combine(psbts);
  }

  /** Without a wallet nothing is ours. */
  PsbtText text(Psbt psbt) {
    if (!Files.exists(files().file(walletName()))) {
      PsbtSummary summary = PsbtSummary.of(psbt, script -> Optional.empty());
      return text(
          new PsbtReview(
              psbt, summary, Optional.empty(), List.of(), Optional.empty(), keyNetwork()));
    }
    try (SpvWallet wallet = open()) {
      return text(wallet.psbts().review(psbt));
    }
  }

  /** A wallet's review of it. */
  PsbtText text(PsbtReview review) {
    return new PsbtText(review, output().unit());
  }
}
