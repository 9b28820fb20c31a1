package org.murmur.bench.micro;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.core.Block;
import org.bitcoinj.core.BlockChain;
import org.bitcoinj.core.Context;
import org.bitcoinj.core.NetworkParameters;
import org.bitcoinj.store.MemoryBlockStore;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.chain.Connect;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.ChainBuilder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Checks the 2,000 headers of one {@code headers} message and adds them to a chain in memory:
 * linkage, proof of work, difficulty, time. Starts from the bytes of the message; the reported time
 * is per header.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeaderCheck {

  private static final int COUNT = Headers.MAX_PER_MESSAGE;

  private final byte[] message = new byte[COUNT * Headers.HEADER_LENGTH];
  private long now;
  private NetworkParameters params = NetworkParameters.of(BitcoinNetwork.REGTEST);

  @Setup
  public void mine() {
    var chain = ChainBuilder.ofSeed(1).blocks(COUNT).transactionsPerBlock(0).build().chain();
    for (int i = 0; i < COUNT; i++) {
      chain.blockAt(i + 1).header().bytes().write(message, i * Headers.HEADER_LENGTH);
    }
    now = Headers.view(message, 0, Headers.HEADER_LENGTH, COUNT).time(COUNT - 1) + 60;
    Context.propagate(new Context());
    params = NetworkParameters.of(BitcoinNetwork.REGTEST);
  }

  @Benchmark
  @OperationsPerInvocation(COUNT)
  public int murmur() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    Headers headers = Headers.view(message, 0, Headers.HEADER_LENGTH, COUNT);
    Connect connect = chain.connect(headers, now);
    if (chain.height() != COUNT) {
      throw new AssertionError("not connected: " + connect);
    }
    return chain.height();
  }

  /** {@code BlockChain} on a {@code MemoryBlockStore}. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public int bitcoinj() throws Exception {
    BlockChain chain =
        new BlockChain(BitcoinNetwork.REGTEST, new MemoryBlockStore(params.getGenesisBlock()));
    ByteBuffer in = ByteBuffer.wrap(message);
    List<Block> headers = new ArrayList<>(COUNT);
    byte[] header = new byte[Headers.HEADER_LENGTH + 1];
    for (int i = 0; i < COUNT; i++) {
      // Its parser expects a transaction count after each header, as on the wire.
      in.get(header, 0, Headers.HEADER_LENGTH);
      headers.add(Block.read(ByteBuffer.wrap(header)).cloneAsHeader());
    }
    for (Block block : headers) {
      chain.add(block);
    }
    if (chain.getBestChainHeight() != COUNT) {
      throw new AssertionError("not connected: " + chain.getBestChainHeight());
    }
    return chain.getBestChainHeight();
  }
}
