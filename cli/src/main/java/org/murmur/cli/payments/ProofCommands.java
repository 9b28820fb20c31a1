package org.murmur.cli.payments;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.cli.terminal.CommandGroup;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.Target;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code murmur proof}: proofs that a transaction is in a block. */
@Command(
    name = "proof",
    description = "Verify a transaction's proof, or show the wallet's own.",
    subcommands = {ProofCommands.Verify.class, ProofCommands.Show.class},
    footer = {
      "Examples:",
      "  bitcoin-cli gettxoutproof '[\"TXID\"]' | murmur proof verify -",
      "  bitcoin-cli verifytxoutproof \"$(murmur proof show TXID)\""
    })
public final class ProofCommands extends CommandGroup {

  @Command(
      name = "verify",
      description = "Check a merkleblock, as bitcoin-cli gettxoutproof prints it.",
      footer = {
        "in_chain says whether the block is in the wallet's header chain (null without a synced",
        "wallet). An invalid proof ends with exit code 1. too_little_work: the target is easier",
        "than --network allows. unprovable: a 64-byte transaction may pose as an inner node of",
        "the tree (CVE-2017-12842), so the nodes below it may be invented.",
        "Example:",
        "  bitcoin-cli gettxoutproof '[\"TXID\"]' | murmur proof verify -"
      })
  static final class Verify extends WalletAction {

    @Parameters(paramLabel = "HEX", description = "The merkleblock, or - for stdin.")
    private String hex = "";

    @Override
    protected ExitCode run() {
      MerkleBlock block;
      try {
        block = MerkleBlock.parse(Inputs.hexOrStdin("the proof", hex, surroundings()));
      } catch (MalformedException e) {
        return print(null, "malformed: " + Failures.message(e), List.of());
      }
      BlockHeader header = BlockHeader.of(block.header());
      if (!header.reachesItsTarget()) {
        return print(block, "no_proof_of_work", List.of());
      }
      if (Target.ofBits(header.bits()).value().compareTo(network().rules().proofOfWorkLimit())
          > 0) {
        return print(block, "too_little_work", List.of());
      }
      Verdict verdict = block.verify();
      if (verdict instanceof Verdict.Proven proven) {
        if (proven.mayFakeItsDepth()) {
          return print(block, "unprovable", List.of());
        }
        return print(block, null, proven.matches().stream().map(Match::txid).toList());
      }
      return print(block, Text.lower(((Verdict.Refused) verdict).reason()), List.of());
    }

    private static String yesNo(boolean value) {
      return value ? "yes" : "NO";
    }

    /** Null without a wallet or without headers: the answer is unknown. */
    private @Nullable Boolean inChain(MerkleBlock block) {
      if (!hasWallet()) {
        return null;
      }
      try (SpvWallet wallet = open()) {
        return wallet.chain().height() == 0
            ? null
            : Boolean.valueOf(wallet.heightOf(block.blockHash()).isPresent());
      }
    }

    private ExitCode print(
        @Nullable MerkleBlock block, @Nullable String reason, List<Hash256> txids) {
      boolean valid = reason == null;
      @Nullable Hash256 hash = block == null ? null : block.blockHash();
      @Nullable Boolean inChain = block == null ? null : inChain(block);
      JsonObject json =
          new JsonObject()
              .put("valid", valid)
              .put("reason", reason)
              .put("block", hash)
              .put("transactions", txids)
              .put("in_chain", inChain);
      result(
          json,
          out -> {
            out.println(valid ? "valid" : "NOT valid: " + reason);
            if (hash != null) {
              out.println("block         " + hash);
              out.println("in our chain  " + (inChain == null ? "unknown" : yesNo(inChain)));
            }
            txids.forEach(txid -> out.println("transaction   " + txid));
          });
      return valid ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  @Command(
      name = "show",
      description = "Print the wallet's own proof of a transaction, for verifytxoutproof.",
      footer = {"Example:", "  bitcoin-cli verifytxoutproof \"$(murmur proof show TXID)\""})
  static final class Show extends TxidAction {

    @Override
    void run(SpvWallet wallet, Hash256 wanted) {
      MerkleBlock proof =
          find(wallet, wanted)
              .proof()
              .orElseThrow(
                  () ->
                      Failure.failed(
                          "no_proof",
                          "transaction " + wanted + " is in no block that this wallet knows"));
      String hex = proof.toPayload().toHex();
      result(
          new JsonObject().put("txid", wanted).put("block", proof.blockHash()).put("proof", hex),
          out -> out.println(hex));
    }
  }
}
