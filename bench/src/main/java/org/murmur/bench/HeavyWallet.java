package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.LongChain;

/**
 * Wallets with a long history: thousands of payments to 2,000 addresses. Compares Murmur with
 * {@link Receiving}, and with bitcoinj as far as that ends; then measures the file and later
 * commands. Two wallets sync with little memory: 10,000 payments, and 20,000 addresses.
 */
final class HeavyWallet implements Measurement.Work {

  /** Addresses that are paid in turn. */
  static final int ADDRESSES = 2_000;

  private static final int BLOCKS = 1_250;

  private static final int TRANSACTIONS = 400;

  private static final long SEED = 7;

  /** The baseline for later commands. */
  private static final int FEW = 100;

  private static final int MANY_ADDRESSES = 20_000;

  /** Above this one round is enough: it takes minutes. */
  private static final int LARGE = 100_000;

  /** bitcoinj takes a minute for this many, and does not end for more. */
  private static final int BITCOINJ_ENDS = 1_000;

  private static final String QUIET = "--mempool-wait";

  private static final String AGAIN = "again";

  /** After the name of a command of the wallet with few payments. */
  private static final String OF_FEW = ", few payments";

  private record Size(int payments, double target, int memory) {

    int rounds(Bench bench) {
      return payments > LARGE ? 1 : bench.rounds();
    }
  }

  private static final List<Size> SIZES =
      List.of(
          new Size(1_000, 2.5, 200),
          new Size(10_000, 4, 200),
          new Size(50_000, 12, 200),
          new Size(200_000, 48, 400));

  /** The measurements of one size: syncs, and later commands in turn with those of few payments. */
  private record Measured(Turns syncs, Turns commands) {}

  /** A synced wallet and its node, for commands that come after the sync. */
  private record Kept(Bitcoind node, MurmurCommand murmur) implements AutoCloseable {

    static Kept synced(LongChain chain) throws IOException {
      Kept kept = new Kept(chain.setup().start(), MurmurCommand.restored());
      long paid = BusyChain.paid(chain);
      BusyChain.holds(kept.again(), chain.plan().height(), paid, "balance");
      return kept;
    }

    String address() {
      return "127.0.0.1:" + node.p2pPort();
    }

    ObjectNode again() throws IOException {
      return murmur.sync(QUIET, "0", "--connect", address());
    }

    @Override
    public void close() throws IOException {
      murmur.close();
      node.close();
    }
  }

  static LongChain.Plan plan(int payments) {
    return plan(ADDRESSES, payments);
  }

  private static LongChain.Plan plan(int addresses, int payments) {
    List<Bytes> scripts = BusyChain.scripts(Contender.receiving(addresses));
    return new LongChain.Plan(SEED, BLOCKS, TRANSACTIONS, scripts, payments);
  }

  @Override
  public void run(Bench bench) throws IOException {
    try (Kept few = Kept.synced(LongChain.cached(plan(FEW)))) {
      for (Size size : bench.quick() ? SIZES.subList(0, 1) : SIZES) {
        report(bench, size, measure(bench, size, few));
      }
    }
    if (!bench.quick()) {
      small(bench, "10,000 payments", plan(10_000), 64);
      small(bench, "20,000 used addresses", plan(MANY_ADDRESSES, MANY_ADDRESSES), 128);
    }
  }

  /** A sync with little memory: it must end with the right balance. */
  private static void small(Bench bench, String what, LongChain.Plan plan, int heap)
      throws IOException {
    LongChain chain = LongChain.cached(plan);
    long paid = BusyChain.paid(chain);
    try (Bitcoind node = chain.setup().start();
        MurmurCommand murmur = MurmurCommand.restored()) {
      murmur.withJavaOptions("-Xmx" + heap + "m");
      ObjectNode report = murmur.sync(QUIET, "0", "--connect", "127.0.0.1:" + node.p2pPort());
      BusyChain.holds(report, chain.plan().height(), paid, "balance");
      seeded(bench)
          .noted(
              what + ", heap of " + heap + " MiB: complete and right, whole process",
              report.path("wall_ms").asDouble() / 1_000,
              "s",
              "peak " + report.path("peak_kib").asLong() / 1024 + " MiB");
    }
  }

  private static void bitcoinj(Bench bench, int port, int height, long paid) throws IOException {
    ObjectNode report =
        BusyChain.holds(
            Contender.BITCOINJ.launch(port, height, false), height, paid, "balance_sat");
    seeded(bench)
        .noted(
            Bench.text("%,d payments: bitcoinj, elapsed", BITCOINJ_ENDS),
            report.path("elapsed_ms").asDouble() / 1_000,
            "s",
            "");
  }

  /** The row of figures whose runs are not kept. */
  private static Bench.Row seeded(Bench bench) {
    return bench.row("heavy", Bench.JSON.createObjectNode().put("seed", SEED));
  }

  private Measured measure(Bench bench, Size size, Kept few) throws IOException {
    int payments = size.payments();
    LongChain chain = LongChain.cached(plan(payments));
    long paid = BusyChain.paid(chain);
    int height = chain.plan().height();
    try (Kept many = Kept.synced(chain)) {
      int port = many.node().p2pPort();
      Turns syncs =
          new Turns(bench)
              .with("null", () -> receive(port, payments))
              .with("murmur", () -> sync(many.address(), height, paid))
              .run(size.rounds(bench));
      if (payments == BITCOINJ_ENDS) {
        bitcoinj(bench, port, height, paid);
      }
      Turns commands = new Turns(bench);
      for (String command : List.of("balance", "address")) {
        commands.with(command, () -> many.murmur().timed(command));
        commands.with(command + OF_FEW, () -> few.murmur().timed(command));
      }
      commands.with(AGAIN, many::again).with(AGAIN + OF_FEW, few::again);
      return new Measured(syncs, commands.run(bench.rounds()));
    }
  }

  private static ObjectNode receive(int port, int payments) throws IOException {
    return Launch.java(List.of(), Receiving.class, List.of("" + port, "" + payments)).report();
  }

  private static ObjectNode sync(String address, int height, long paid) throws IOException {
    try (MurmurCommand murmur = MurmurCommand.restored()) {
      ObjectNode report =
          BusyChain.holds(murmur.sync(QUIET, "0", "--connect", address), height, paid, "balance");
      return report.put("file_bytes", murmur.fileBytes());
    }
  }

  private static void report(Bench bench, Size size, Measured measured) {
    List<ObjectNode> base = measured.syncs().of("null");
    List<ObjectNode> murmur = measured.syncs().of("murmur");
    Bench.Row row = bench.row("heavy", measured.syncs().raw().put("seed", SEED));
    String what = Bench.text("%,d payments: ", size.payments());
    row.atMost(
        what + "elapsed, receiving null client's = 1",
        Median.ofRatios(murmur, base, "elapsed_ms"),
        "×",
        size.target(),
        "");
    row.noted(
        what + "received, receiving null client's = 1",
        Median.of(murmur, "bytes_received") / Median.of(base, "bytes"),
        "×",
        "");
    row.atMost(
        what + "file, bytes a payment",
        Median.of(murmur, "file_bytes") / size.payments(),
        "B",
        600,
        "");
    row.atMost(
        what + "peak memory", Median.of(murmur, "peak_kib") / 1024, "MiB", size.memory(), "");
    later(bench, what + "balance", measured.commands(), "balance");
    later(bench, what + "address", measured.commands(), "address");
    later(bench, what + "sync, nothing new", measured.commands(), AGAIN);
  }

  private static void later(Bench bench, String what, Turns commands, String name) {
    Bench.Row row = bench.row("heavy", commands.raw().put("seed", SEED));
    row.atMost(
        what + ", with 100 payments = 1",
        Median.ofRatios(commands.of(name), commands.of(name + OF_FEW), "wall_ms"),
        "×",
        1.3,
        "");
  }

  /**
   * A null client for a wallet with many payments: it requests blocks under filters of all that the
   * wallet must watch, and drops the answers. It knows the paid coins beforehand, so it needs one
   * pass over the blocks for each filter.
   */
  static final class Receiving {

    /** The largest filter that nodes take (BIP-0037). */
    private static final int MAX_FILTER_BYTES = 36_000;

    private static final double RATE = 1e-9;

    /** Bits of a filter for each element at the rate: -ln(rate) / (ln 2)^2. */
    private static final double BITS_AN_ELEMENT = -Math.log(RATE) / Math.pow(Math.log(2), 2);

    private static final int MAX_ELEMENTS = (int) (MAX_FILTER_BYTES * 8 / BITS_AN_ELEMENT);

    private Receiving() {}

    /** The filters of receiving scripts with look-ahead, change scripts, and coins. */
    static List<BloomFilter> filters(List<LongChain.Payment> payments, int scripts) {
      List<Bytes> elements = new ArrayList<>();
      Contender.receiving(scripts).forEach(script -> elements.add(script.element()));
      Contender.change(1_000).forEach(script -> elements.add(script.element()));
      payments.forEach(payment -> elements.add(payment.outPoint().toBytes()));
      List<BloomFilter> filters = new ArrayList<>();
      for (int from = 0; from < elements.size(); from += MAX_ELEMENTS) {
        List<Bytes> content =
            elements.subList(from, Math.min(elements.size(), from + MAX_ELEMENTS));
        BloomFilter.Builder builder =
            BloomFilter.builder(
                FilterParameters.of(content.size(), RATE, 1, UpdateFlag.NONE, Rounding.CORE));
        content.forEach(builder::add);
        filters.add(builder.build());
      }
      return filters;
    }

    /**
     * Runs once and prints its result as JSON.
     *
     * @param arguments the node's port, and how many payments the chain of {@link HeavyWallet} has
     */
    public static void main(String[] arguments) throws Exception {
      LongChain chain = LongChain.cached(plan(Integer.parseInt(arguments[1])));
      List<BloomFilter> filters = filters(chain.payments(), ADDRESSES + 1_000);
      long start = System.nanoTime();
      NullClient.Counted counted =
          new NullClient().run("127.0.0.1", Integer.parseInt(arguments[0]), filters);
      System.out.println(
          Bench.JSON
              .createObjectNode()
              .put("elapsed_ms", (System.nanoTime() - start) / 1_000_000)
              .put("height", counted.headers())
              .put("passes", filters.size())
              .put("transactions", counted.transactions())
              .put("bytes", counted.bytes()));
    }
  }
}
