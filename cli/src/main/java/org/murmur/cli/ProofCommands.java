package org.murmur.cli;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code murmur proof}: proofs that a transaction is in a block. */
@Command(
    name = "proof",
    description = "Verify a transaction's proof, or show the wallet's own.",
    subcommands = {ProofCommands.Verify.class},
    footer = {
      "",
      "Examples:",
      "  bitcoin-cli gettxoutproof '[\"TXID\"]' | murmur proof verify -",
      "  bitcoin-cli verifytxoutproof \"$(murmur proof show TXID)\""
    })
final class ProofCommands extends Action {

  @Override
  ExitCode run() {
    throw Failure.usage("proof needs one of: verify, show");
  }

  /** {@code murmur proof verify}. */
  @Command(
      name = "verify",
      description = "Check a merkleblock, as bitcoin-cli gettxoutproof prints it.",
      footer = {
        "",
        "in_chain tells whether the block is in the wallet's header chain; without a synced wallet",
        "nobody knows. A proof that is not valid ends with exit code 1.",
        "",
        "Example:",
        "  bitcoin-cli gettxoutproof '[\"TXID\"]' | murmur proof verify -"
      })
  static final class Verify extends Action {

    @Parameters(paramLabel = "HEX", description = "The merkleblock, or - for stdin.")
    private String hex = "";

    private static final int BITS_AT = 72;

    @Override
    ExitCode run() {
      MerkleBlock block;
      try {
        block = MerkleBlock.parse(Inputs.hexOrStdin("the proof", hex, surroundings()));
      } catch (MalformedException e) {
        return print(null, "malformed: " + Failures.message(e), List.of());
      }
      if (!hasWork(block)) {
        return print(block, "no_proof_of_work", List.of());
      }
      Verdict verdict = block.verify();
      if (verdict instanceof Verdict.Proven proven) {
        return print(
            block, null, proven.matches().stream().map(Match::txid).map(Object::toString).toList());
      }
      return print(
          block, ((Verdict.Refused) verdict).reason().name().toLowerCase(Locale.ROOT), List.of());
    }

    /** The hash is as low as the header's own bits demand; whether they are the chain's is open. */
    private static boolean hasWork(MerkleBlock block) {
      int bits = new ByteReader(block.header().toArray(), BITS_AT, BITS_AT + 4).int32();
      int exponent = bits >>> 24;
      long mantissa = bits & 0x00ff_ffff;
      if ((mantissa & 0x0080_0000) != 0 || exponent > 32) {
        return false;
      }
      BigInteger target = BigInteger.valueOf(mantissa).shiftLeft(8 * (exponent - 3));
      return new BigInteger(block.blockHash().toDisplay(), 16).compareTo(target) <= 0;
    }

    private ExitCode print(
        @Nullable MerkleBlock block, @Nullable String reason, List<String> txids) {
      boolean valid = reason == null;
      @Nullable String hash = block == null ? null : block.blockHash().toDisplay();
      JsonObject json =
          new JsonObject()
              .put("valid", valid)
              .put("reason", reason)
              .put("block", hash)
              .putStrings("transactions", txids)
              .putNull("in_chain");
      output()
          .result(
              json,
              out -> {
                out.println(valid ? "valid" : "NOT valid: " + reason);
                if (hash != null) {
                  out.println("block         " + hash);
                }
                txids.forEach(txid -> out.println("transaction   " + txid));
              });
      return valid ? ExitCode.DONE : ExitCode.FAILED;
    }
  }
}
