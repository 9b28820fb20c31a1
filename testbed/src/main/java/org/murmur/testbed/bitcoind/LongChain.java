package org.murmur.testbed.bitcoind;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/**
 * A long regtest chain on a real node, built quickly and kept for the next time: thousands of
 * blocks full of transactions, or a hundred thousand empty ones, with payments to a wallet's
 * scripts spread over it.
 *
 * <p>The same plan gives the same bytes. Blocks lie ten minutes apart and therefore in the past;
 * {@link #setup()} has the arguments that keep a node from believing it is catching up.
 *
 * <pre>{@code
 * LongChain chain = LongChain.cached(new LongChain.Plan(1, 3_000, 400, scripts, 300));
 * try (Bitcoind node = chain.setup().start()) {
 *   sync(node.p2pPort());
 * }
 * }</pre>
 */
public final class LongChain {

  /** The version of this builder; another number makes old cached chains unknown. */
  private static final int FORMAT = 1;

  private static final String PAYMENTS = "payments.csv";
  private static final String NODE = "node";

  private final Path folder;
  private final Plan plan;
  private final List<Payment> payments;

  /**
   * The plan of a chain.
   *
   * @param blocks how many blocks follow the start; the start itself has {@link #START_BLOCKS}
   *     blocks if there are to be transactions, none otherwise
   * @param transactions how many transactions each of them has besides the coinbase
   * @param scripts the scriptPubKeys to pay to, in turn
   * @param payments how many payments go to them, spread over the blocks
   */
  public record Plan(long seed, int blocks, int transactions, List<Bytes> scripts, int payments) {

    /** Blocks that come first so that their coinbases can be spent. */
    public static final int START_BLOCKS = NodeChainBuilder.START_BLOCKS;

    public Plan {
      scripts = List.copyOf(scripts);
      if (blocks < 1 || transactions < 0 || transactions > NodeChainBuilder.MAX_TRANSACTIONS) {
        throw new IllegalArgumentException(
            "blocks "
                + blocks
                + ", expected 1 at least; transactions "
                + transactions
                + ", expected 0 to "
                + NodeChainBuilder.MAX_TRANSACTIONS);
      }
      if (payments < 0
          || payments > (long) blocks * transactions
          || (payments > 0 && scripts.isEmpty())) {
        throw new IllegalArgumentException(
            "payments " + payments + " to " + scripts.size() + " scripts do not fit");
      }
    }

    /** Plans a chain of empty blocks, for measuring headers. */
    public static Plan empty(int blocks) {
      return new Plan(0, blocks, 0, List.of(), 0);
    }

    /** Returns the height of the chain's last block. */
    public int height() {
      return blocks + (transactions == 0 ? 0 : START_BLOCKS);
    }

    private String key() {
      ByteWriter out = new ByteWriter().int32(FORMAT).int64(seed).int32(blocks);
      out.int32(transactions).int32(payments);
      scripts.forEach(out::varBytes);
      String hash = DoubleSha256.of(out.toBytes()).toDisplay().substring(0, 12);
      return blocks + "x" + transactions + "-" + hash;
    }
  }

  /** A payment of some satoshi to one of the plan's scripts. Nothing in the chain spends it. */
  public record Payment(int height, OutPoint outPoint, long value, Bytes script) {}

  private LongChain(Path folder, Plan plan, List<Payment> payments) {
    this.folder = folder;
    this.plan = plan;
    this.payments = List.copyOf(payments);
  }

  /**
   * Takes a chain from the project's cache folder, or builds it there with a new node: about a
   * minute for 3,000 blocks of 400 transactions. Throws {@link IllegalStateException} if this
   * machine has no bitcoind, or it refuses a block.
   */
  public static LongChain cached(Plan plan) {
    Path folder = Folders.cache().resolve("chains").resolve(plan.key());
    try {
      if (!Files.exists(folder.resolve(PAYMENTS))) {
        Folders.make(folder, work -> buildInto(work, plan));
      }
      return new LongChain(folder, plan, read(folder.resolve(PAYMENTS)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Builds a chain on a fresh node, started with {@link #arguments()}, and returns the payments to
   * the plan's scripts, lowest first. Throws {@link IllegalStateException} if the node refuses a
   * block.
   */
  public static List<Payment> build(Bitcoind node, Plan plan) {
    return build(node, plan, Supply.NONE);
  }

  /**
   * Builds a chain likewise, with the caller's own transactions in it, for instance spends of the
   * payments.
   */
  public static List<Payment> build(Bitcoind node, Plan plan, Supply supply) {
    return new NodeChainBuilder(node.rpc(), plan, supply).build();
  }

  /** Supplies a chain with the caller's signed transactions. */
  @FunctionalInterface
  public interface Supply {

    Supply NONE = (height, payments) -> List.of();

    /**
     * Returns signed transactions, put after the chain's own, of the next block that has
     * transactions. The payments are those of the blocks below to the plan's scripts, lowest first.
     */
    List<Tx> transactions(int height, List<Payment> payments);
  }

  /**
   * Returns the arguments that a node needs for such a chain, for {@link Bitcoind.Setup#arguments}.
   */
  public static String[] arguments() {
    // The blocks' times lie in the past; with the usual limit the node would believe that it is
    // catching up, and serve no peer.
    return new String[] {"-maxtipage=9999999999"};
  }

  /**
   * Returns the settings of a node on a copy of this chain, so that the cached one stays as it is.
   */
  public Bitcoind.Setup setup() {
    return Bitcoind.setup().copyOf(folder.resolve(NODE)).arguments(arguments());
  }

  /** Returns the plan of the chain. */
  public Plan plan() {
    return plan;
  }

  /** Returns the payments to the plan's scripts, lowest first. */
  public List<Payment> payments() {
    return payments;
  }

  private static void buildInto(Path work, Plan plan) throws IOException {
    List<Payment> payments;
    Bitcoind.Setup setup = Bitcoind.setup().dataDir(work.resolve(NODE)).arguments(arguments());
    try (Bitcoind node = setup.start()) {
      payments = build(node, plan);
    }
    write(work.resolve(PAYMENTS), payments);
  }

  private static void write(Path file, List<Payment> payments) throws IOException {
    StringBuilder lines = new StringBuilder("height,txid,index,satoshi,script\n");
    for (Payment payment : payments) {
      lines
          .append(payment.height())
          .append(',')
          .append(payment.outPoint().txid())
          .append(',')
          .append(payment.outPoint().index())
          .append(',')
          .append(payment.value())
          .append(',')
          .append(payment.script())
          .append('\n');
    }
    Files.writeString(file, lines, StandardCharsets.US_ASCII);
  }

  private static List<Payment> read(Path file) throws IOException {
    List<Payment> payments = new ArrayList<>();
    List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      OutPoint outPoint = new OutPoint(Hash256.ofDisplay(fields[1]), Integer.parseInt(fields[2]));
      payments.add(
          new Payment(
              Integer.parseInt(fields[0]),
              outPoint,
              Long.parseLong(fields[3]),
              Bytes.ofHex(fields[4])));
    }
    return payments;
  }
}
