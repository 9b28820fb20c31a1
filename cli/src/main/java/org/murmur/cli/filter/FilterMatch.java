package org.murmur.cli.filter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "match",
    description = "Match a block or a transaction against a filter, as a server does.",
    footer = {
      "Examples:",
      "  bitcoin-cli getblock HASH 0 > block.hex",
      "  murmur filter match FILTER --block block.hex --json",
      "  murmur filter match FILTER --tx HEX"
    })
final class FilterMatch extends Action {

  @Parameters(paramLabel = "HEX", description = "A filterload payload, or - for stdin.")
  private String hex = "";

  @Option(
      names = "--block",
      paramLabel = "FILE",
      description = "A raw block, binary or hex; - for stdin.")
  private @Nullable String block;

  @Option(names = "--tx", paramLabel = "HEX", description = "A raw transaction; - for stdin.")
  private @Nullable String tx;

  @Override
  protected ExitCode run() {
    if ((block == null) == (tx == null)) {
      throw Failure.usage("give one of --block FILE and --tx HEX");
    }
    if (hex.equals("-") && ("-".equals(block) || "-".equals(tx))) {
      throw Failure.usage("only one argument can be read from stdin");
    }
    ServerFilter server = new ServerFilter(FilterCommands.decode(hex, surroundings()));
    List<Hash256> matched = new ArrayList<>();
    @Nullable MerkleBlock proof = null;
    if (tx != null) {
      Bytes raw = Inputs.hexOrStdin("the transaction", tx, surroundings());
      Tx one = Failure.parsed("no transaction", () -> Tx.parse(raw));
      if (server.matchAndUpdate(one)) {
        matched.add(one.txid());
      }
    } else if (block != null) {
      Bytes raw = Inputs.binaryOrHexFile("--block", block, surroundings());
      proof = Failure.parsed("no block", () -> match(raw, server, matched));
    }
    print(matched, proof, server.filter());
    return ExitCode.DONE;
  }

  private static MerkleBlock match(Bytes raw, ServerFilter server, List<Hash256> matched) {
    ByteReader in = new ByteReader(raw.unsafeArray());
    Bytes header = in.bytes(MerkleBlock.HEADER_BYTES);
    // The smallest transaction has 10 bytes: version, two counts, lock time.
    int count = in.count(10);
    List<Hash256> txids = new ArrayList<>();
    BitSet matches = new BitSet();
    for (int i = 0; i < count; i++) {
      Tx next = Tx.read(in);
      txids.add(next.txid());
      if (server.matchAndUpdate(next)) {
        matches.set(i);
        matched.add(next.txid());
      }
    }
    in.expectEnd();
    if (txids.isEmpty()) {
      throw new MalformedException("no transactions", MerkleBlock.HEADER_BYTES);
    }
    return MerkleBlock.of(header, PartialMerkleTree.build(txids, matches));
  }

  private void print(List<Hash256> matched, @Nullable MerkleBlock proof, BloomFilter after) {
    @Nullable String proofHex = proof == null ? null : proof.toPayload().toHex();
    String afterHex = after.toPayload().toHex();
    result(
        new JsonObject()
            .put("matched", matched)
            .put("merkleblock", proofHex)
            .put("filter_after", afterHex),
        out -> {
          out.println("matched       " + (matched.isEmpty() ? "nothing" : matched.size()));
          matched.forEach(txid -> out.println("  " + txid));
          if (proofHex != null) {
            out.println("merkleblock   " + proofHex);
          }
          out.println("filter after  " + afterHex);
        });
  }
}
