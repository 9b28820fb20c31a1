package org.murmur.testbed.bitcoind;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;

/**
 * An embedded node's chain on a real node, imported from a file and kept for the next time.
 * Importing a million empty blocks takes minutes; handing them over one by one takes most of an
 * hour.
 */
public final class ImportedChain {

  private static final String NODE = "node";
  private static final String HEIGHT = "height";

  /** A million blocks take some minutes; a loaded machine takes its time. */
  private static final Duration LIMIT = Duration.ofHours(1);

  private static final long POLL_MILLIS = 500;

  private final Path folder;
  private final int height;

  private ImportedChain(Path folder, int height) {
    this.folder = folder;
    this.height = height;
  }

  /**
   * Takes a chain from the project's cache folder, or imports it there with a new node. The same
   * name means the same chain. Throws {@link IllegalStateException} if this machine has no
   * bitcoind, or it does not take the blocks.
   */
  public static ImportedChain cached(String name, Supplier<Chain> chain) {
    Path folder = Folders.cache().resolve("chains").resolve(name);
    try {
      if (!Files.exists(folder.resolve(HEIGHT))) {
        Folders.make(folder, work -> importInto(work, chain.get()));
      }
      String height = Files.readString(folder.resolve(HEIGHT), StandardCharsets.US_ASCII);
      return new ImportedChain(folder, Integer.parseInt(height));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the settings of a node on a copy of this chain, so that the cached one stays as it is.
   */
  public Bitcoind.Setup setup() {
    return Bitcoind.setup().copyOf(folder.resolve(NODE)).arguments(LongChain.arguments());
  }

  /** Returns the height of the chain's last block. */
  public int height() {
    return height;
  }

  private static void importInto(Path work, Chain chain) throws IOException {
    Path blocks = work.resolve("blocks.dat");
    write(blocks, chain);
    Bitcoind.Setup setup =
        Bitcoind.setup()
            .dataDir(work.resolve(NODE))
            .arguments(LongChain.arguments())
            .arguments("-loadblock=" + blocks);
    try (Bitcoind node = setup.start()) {
      await(node, chain);
    }
    Files.delete(blocks);
    Files.writeString(work.resolve(HEIGHT), "" + chain.height(), StandardCharsets.US_ASCII);
  }

  /** The format of the node's own block files: the network's four bytes, the length, the block. */
  private static void write(Path file, Chain chain) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (int height = 0; height <= chain.height(); height++) {
        Block block = chain.blockAt(height);
        ByteWriter frame = new ByteWriter(block.raw().length() + 8);
        frame.int32(ChainParams.REGTEST.magic()).int32(block.raw().length()).bytes(block.raw());
        out.write(frame.toArray());
      }
    }
  }

  private static void await(Bitcoind node, Chain chain) {
    String tip = chain.tip().hash().toDisplay();
    long start = System.nanoTime();
    while (!node.rpc().call("getbestblockhash").asText().equals(tip)) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        throw new IllegalStateException(
            "the node is at height "
                + node.rpc().call("getblockcount").asInt()
                + " of "
                + chain.height()
                + " after "
                + LIMIT);
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }
}
