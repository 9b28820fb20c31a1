package org.murmur.bench.micro;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.bitcoinj.core.Context;
import org.bitcoinj.core.FilteredBlock;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.chain.Block;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Reads a {@code merkleblock} of a block of 400 transactions and checks its proof: from the bytes
 * of the message to the txids of the matches.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MerkleBlockCheck {

  private static final int TRANSACTIONS = 400;

  @Param({"0", "1", "20"})
  public int matches;

  private byte[] payload = {};

  @Setup
  public void make() {
    var chain =
        ChainBuilder.ofSeed(1).blocks(110).transactionsPerBlock(TRANSACTIONS).build().chain();
    Block block = chain.blockAt(110);
    BitSet matched = new BitSet();
    for (int i = 0; i < matches; i++) {
      matched.set(i * block.size() / matches);
    }
    PartialMerkleTree tree = PartialMerkleTree.build(block.txids(), matched);
    payload = MerkleBlock.of(block.header().bytes(), tree).toPayload().toArray();
    Context.propagate(new Context());
  }

  @Benchmark
  public int murmur() {
    Verdict verdict = MerkleBlock.read(payload, 0, payload.length).verify();
    if (verdict instanceof Verdict.Proven proven && proven.matches().size() == matches) {
      return proven.matches().size();
    }
    throw new AssertionError("not proven: " + verdict);
  }

  /** {@code FilteredBlock.getTransactionHashes}, which checks the root. */
  @Benchmark
  public int bitcoinj() {
    FilteredBlock block = FilteredBlock.read(ByteBuffer.wrap(payload));
    int found = block.getTransactionHashes().size();
    if (found != matches) {
      throw new AssertionError("found " + found);
    }
    return found;
  }
}
