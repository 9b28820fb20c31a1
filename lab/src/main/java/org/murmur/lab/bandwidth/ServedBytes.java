package org.murmur.lab.bandwidth;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.MatchSet;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.internal.gcs.BasicFilter;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.privacy.BlockCost;
import org.murmur.bip37.internal.privacy.BusyMainnet;
import org.murmur.bip37.internal.privacy.Clusters;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.probe.EmbeddedChain;
import org.murmur.lab.probe.Probe;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.RandomFilter;
import org.murmur.lab.stats.Student;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;

/**
 * Bytes of filtered blocks over TCP at several rates, compared with basic filters of the same
 * blocks.
 */
final class ServedBytes implements Experiment {

  private static final double CONFIDENCE = 0.99;

  /**
   * The formula treats matches as independent and rounds: besides chance, it may be wrong by this
   * much.
   */
  private static final double FORMULA_TOLERANCE = 0.01;

  /** Transactions of a main chain block, on a quiet and on a busy day: from memory. */
  private static final int[] MAIN_CHAIN_TRANSACTIONS = {2500, BusyMainnet.BUSY_BLOCK};

  /**
   * Groups of five scripts spent together on the main chain: from memory, only the order of
   * magnitude.
   */
  private static final double MAIN_CHAIN_CLUSTERS_OF_5 = 2e7;

  /**
   * The mean basic filter of blocks 480,000 to 940,000 (10.289 GB in all): measured by others
   * (Delving Bitcoin, topic 2428), not by us.
   */
  private static final double MAIN_CHAIN_FILTER_BYTES = 22_400;

  private final Parameters parameters;
  private final List<Double> rates;
  private final List<Double> budgets;
  private final double universe;
  private final int elements;
  private final int blocks;
  private final EmbeddedChain embedded;
  private @Nullable Facts facts;

  ServedBytes(Parameters parameters) {
    this.parameters = parameters;
    this.rates = parameters.rates("rates");
    this.budgets = parameters.numbers("budgets");
    for (double budget : budgets) {
      if (!(budget > 0)) {
        throw new IllegalArgumentException("budgets " + budget + ", expected more than 0");
      }
    }
    this.universe = parameters.number("universe");
    this.elements = parameters.count("elements");
    this.blocks = parameters.count("blocks");
    this.embedded = new EmbeddedChain(parameters.seed(), blocks, parameters.count("transactions"));
    rates.forEach(rate -> sized(rate, 0));
  }

  private FilterParameters sized(double rate, int tweak) {
    return FilterParameters.of(elements, rate, tweak, UpdateFlag.NONE, Rounding.CORE);
  }

  @Override
  public String name() {
    return "bytes";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.number("target", ""),
        Column.number("realised", ""),
        Column.whole("blocks", ""),
        Column.number("transactions", "per block"),
        Column.number("elements", "per transaction"),
        Column.number("transaction_bytes", ""),
        Column.whole("hashes", ""),
        Column.number("hashes_expected", ""),
        Column.whole("bytes", ""),
        Column.number("bytes_expected", ""),
        Column.whole("filterload_bytes", ""),
        Column.whole("bip158_bytes", ""),
        Column.whole("bip158_elements", ""),
        Column.whole("whole_bytes", ""));
  }

  @Override
  public Parameters constants() {
    return Parameters.none()
        .with("empty-blocks", EmbeddedChain.EMPTY_BLOCKS)
        .with("formula-tolerance", FORMULA_TOLERANCE)
        .withList(
            "main-chain-transactions",
            MAIN_CHAIN_TRANSACTIONS[0] + "," + MAIN_CHAIN_TRANSACTIONS[1])
        .with("main-chain-clusters", MAIN_CHAIN_CLUSTERS_OF_5)
        .with("main-chain-filter-bytes", MAIN_CHAIN_FILTER_BYTES);
  }

  @Override
  public int trials() {
    return parameters.trials();
  }

  /** Facts of the requested blocks that do not depend on a Bloom filter. */
  private record Facts(
      List<Hash256> hashes,
      List<List<Integer>> elementsOf,
      long transactions,
      long txBytes,
      long filterBytes,
      long filterElements) {

    double elementsPerTransaction() {
      double sum = 0;
      for (List<Integer> block : elementsOf) {
        for (int count : block) {
          sum += count;
        }
      }
      return sum / transactions;
    }

    double bytesPerTransaction() {
      return txBytes / (double) transactions;
    }
  }

  private synchronized Facts facts() {
    Facts known = facts;
    if (known == null) {
      known = look(embedded.chain());
      facts = known;
    }
    return known;
  }

  private Facts look(Chain of) {
    Map<OutPoint, Bytes> scripts = new HashMap<>();
    List<Hash256> hashes = new ArrayList<>();
    List<List<Integer>> elementsOf = new ArrayList<>();
    long transactions = 0;
    long txBytes = 0;
    long filterBytes = 0;
    long filterElements = 0;
    for (int height = 1; height <= of.height(); height++) {
      Block block = of.blockAt(height);
      List<Bytes> spent = new ArrayList<>();
      for (Tx tx : block.transactions()) {
        if (!tx.isCoinbase()) {
          tx.inputs().forEach(input -> spent.add(scripts.remove(input.outPoint())));
        }
        for (int i = 0; i < tx.outputs().size(); i++) {
          scripts.put(tx.outPoint(i), tx.outputs().get(i).script());
        }
      }
      if (height <= EmbeddedChain.EMPTY_BLOCKS) {
        continue;
      }
      hashes.add(block.hash());
      List<Integer> counts = new ArrayList<>();
      for (Tx tx : block.transactions()) {
        counts.add(TxElements.distinct(tx).size());
        transactions++;
        txBytes += tx.strippedSize();
      }
      elementsOf.add(counts);
      GolombCodedSet filter = BasicFilter.of(FullBlock.parse(block.stripped()), spent);
      filterBytes += filter.toPayload().length();
      filterElements += filter.elements();
    }
    return new Facts(hashes, elementsOf, transactions, txBytes, filterBytes, filterElements);
  }

  @Override
  public void observe(Trial trial, Rows rows) throws IOException {
    Facts of = facts();
    try (RegtestNode node = RegtestNode.start(embedded.chain())) {
      long whole = wholeBlocks(node, of);
      for (double rate : rates) {
        observe(rate, trial.dice("rate " + rate), node, of, whole, rows);
      }
    }
  }

  /** The bytes that a client receives for the same blocks, unfiltered. */
  private static long wholeBlocks(RegtestNode node, Facts of) throws IOException {
    try (Probe probe =
        Probe.connect(ChainParams.REGTEST, new NodeAddress(node.host(), node.port()))) {
      return probe.wholeBlockBytes(of.hashes());
    }
  }

  private void observe(double rate, Dice dice, RegtestNode node, Facts of, long whole, Rows rows)
      throws IOException {
    BloomFilter filter = RandomFilter.of(sized(rate, (int) dice.number()), elements, dice);
    long hashes = 0;
    long bytes = 0;
    try (Probe probe =
        Probe.connect(ChainParams.REGTEST, new NodeAddress(node.host(), node.port()))) {
      probe.load(filter);
      for (Probe.Answer answer : probe.filtered(of.hashes())) {
        hashes += answer.hashes();
        bytes += answer.merkleBytes() + answer.txBytes();
      }
    }
    double realised = filter.realisedRate();
    rows.add(
        rate,
        realised,
        of.hashes().size(),
        of.transactions() / (double) of.hashes().size(),
        of.elementsPerTransaction(),
        of.bytesPerTransaction(),
        hashes,
        expected(of, realised, BlockCost::hashes),
        bytes,
        expected(of, realised, cost -> cost.bytes(of.bytesPerTransaction())),
        filter.toPayload().length() + BlockCost.MESSAGE_HEADER_BYTES,
        of.filterBytes(),
        of.filterElements(),
        whole);
  }

  private static double expected(Facts of, double rate, ToDoubleFunction<BlockCost> what) {
    double sum = 0;
    for (List<Integer> block : of.elementsOf()) {
      double matching = 0;
      for (int count : block) {
        matching += BlockCost.matchChance(rate, count);
      }
      sum += what.applyAsDouble(BlockCost.ofMatchChance(block.size(), matching / block.size()));
    }
    return sum;
  }

  @Override
  public Section conclude(Table observed) {
    List<ClaimVerdict> verdicts = new ArrayList<>();
    Table.Builder measured =
        Table.of(
            "bytes",
            "A filtered block on the wire, by the filter's rate",
            Column.number("target", ""),
            Column.number("hashes_expected", "per block"),
            Column.number("hashes_measured", "per block"),
            Column.number("bytes_expected", "per block"),
            Column.number("bytes_measured", "per block"),
            Column.number("per_month", "MB"),
            Column.number("sync_of_3000", "MB"),
            Column.number("against_bip158", "times"),
            Column.number("whole_block", "bytes per block"),
            Column.number("saves", "times"));
    List<Plot.Point> formula = new ArrayList<>();
    List<Plot.Point> points = new ArrayList<>();
    List<Plot.Point> competitor = new ArrayList<>();
    List<Plot.Point> wholeBlocks = new ArrayList<>();
    for (double rate : rates) {
      List<Table.Row> rows =
          observed.rows().stream().filter(row -> row.number("target") == rate).toList();
      if (rows.isEmpty()) {
        continue;
      }
      double perBlock = mean(rows, "bytes") / blocks;
      double bip158 = mean(rows, "bip158_bytes") / blocks;
      double whole = mean(rows, "whole_bytes") / blocks;
      measured.row(
          rate,
          mean(rows, "hashes_expected") / blocks,
          mean(rows, "hashes") / blocks,
          mean(rows, "bytes_expected") / blocks,
          perBlock,
          perBlock * BusyMainnet.BLOCKS_A_MONTH / 1e6,
          (perBlock * 3000 + mean(rows, "filterload_bytes")) / 1e6,
          perBlock / bip158,
          whole,
          whole / perBlock);
      formula.add(new Plot.Point(rate, mean(rows, "bytes_expected") / blocks));
      points.add(new Plot.Point(rate, perBlock));
      competitor.add(new Plot.Point(rate, bip158));
      wholeBlocks.add(new Plot.Point(rate, whole));
      verdicts.add(asExpected("hashes", rate, rows));
      verdicts.add(asExpected("bytes", rate, rows));
    }
    if (!observed.rows().isEmpty()) {
      verdicts.add(bitsPerElement(observed.rows().get(0)));
    }
    return new Section(
        "Bytes for a rate, and a rate for bytes",
        explanation(),
        List.of(measured.build(), breakEven(observed), budgets()),
        List.of(
            new Plot.Xy(
                "bytes",
                "A filtered block on the wire",
                Plot.Axis.log("false-positive rate"),
                Plot.Axis.log("bytes per block"),
                List.of(
                    new Plot.Series("formula", Plot.Style.LINE, formula),
                    new Plot.Series("measured", Plot.Style.POINTS, points),
                    new Plot.Series("BIP158 filter", Plot.Style.LINE, competitor),
                    new Plot.Series("whole block", Plot.Style.LINE, wholeBlocks))),
            budgetPlot()),
        verdicts,
        findings(observed));
  }

  private List<String> findings(Table observed) {
    if (observed.rows().isEmpty()) {
      return List.of();
    }
    double rate = rates.stream().min(Double::compare).orElseThrow();
    List<Table.Row> rows =
        observed.rows().stream().filter(row -> row.number("target") == rate).toList();
    Table.Row any = observed.rows().get(0);
    double whole = mean(rows, "whole_bytes") / blocks;
    double filtered = mean(rows, "bytes") / blocks;
    int busiest = MAIN_CHAIN_TRANSACTIONS[0];
    return List.of(
        String.format(
            Locale.ROOT,
            "A block of %.0f transactions, filtered at a rate of %s, took %.0f bytes where the"
                + " whole block took %.0f: %.0f times less.",
            any.number("transactions"),
            Table.shown(rate),
            filtered,
            whole,
            whole / filtered),
        String.format(
            Locale.ROOT,
            "On a main chain of %d transactions a block, BIP37 above a rate of %s costs "
                + "more than BIP158's filters, which reveal nothing to the server.",
            busiest,
            Table.shown(
                BlockCost.rateFor(
                    busiest,
                    BusyMainnet.TESTED_ELEMENTS,
                    BusyMainnet.MEAN_TRANSACTION,
                    MAIN_CHAIN_FILTER_BYTES))));
  }

  private static double mean(List<Table.Row> rows, String column) {
    return rows.stream().mapToDouble(row -> row.number(column)).average().orElse(0);
  }

  /**
   * Whether the mean difference from the formula is within 1 % and what chance explains: the
   * scatter of the trials, or that of the number of matches. With few matches, many trials have
   * none at all, and no scatter.
   */
  private ClaimVerdict asExpected(String what, double rate, List<Table.Row> rows) {
    double[] off =
        rows.stream()
            .mapToDouble(row -> row.number(what) - row.number(what + "_expected"))
            .toArray();
    double mean = Arrays.stream(off).average().orElse(0);
    double squares = 0;
    for (double one : off) {
      squares += (one - mean) * (one - mean);
    }
    double error = off.length < 2 ? 0 : Math.sqrt(squares / (off.length - 1) / off.length);
    double each = Binomial.each(CONFIDENCE, 2 * rates.size());
    double scatter = off.length < 2 ? 0 : error * Student.t(each, off.length);
    double expected = mean(rows, what + "_expected");
    FilterTheory.Interval matches = byMatches(what, expected, each, rows);
    double tolerance = FORMULA_TOLERANCE * expected;
    double low = expected + Math.min(-scatter, matches.low()) - tolerance;
    double high = expected + Math.max(scatter, matches.high()) + tolerance;
    double measured = mean(rows, what);
    return ClaimVerdict.of(
        "The formula predicts the " + what + " at a rate of " + Table.shown(rate),
        expected + mean >= low && expected + mean <= high,
        ClaimVerdict.isTooWide(
            new FilterTheory.Interval(measured + low - expected, measured + high - expected),
            expected),
        String.format(
            Locale.ROOT,
            "%.2f per block expected, %.2f measured, %.2f to %.2f accepted",
            expected / blocks,
            measured / blocks,
            low / blocks,
            high / blocks));
  }

  /** How far the mean may be from the expected one because of the number of matches. */
  private FilterTheory.Interval byMatches(
      String what, double expected, double confidence, List<Table.Row> rows) {
    int transactions = (int) Math.round(rows.get(0).number("transactions"));
    BlockCost none = BlockCost.ofMatchChance(transactions, 0);
    boolean isHashes = what.equals("hashes");
    double least =
        blocks * (isHashes ? none.hashes() : none.bytes(rows.get(0).number("transaction_bytes")));
    double matches = 0;
    for (Table.Row row : rows) {
      double chance = BlockCost.matchChance(row.number("realised"), row.number("elements"));
      matches += chance * transactions * blocks;
    }
    long asked = (long) transactions * blocks * rows.size();
    FilterTheory.Interval counts = Binomial.counts(asked, matches, confidence);
    double step = matches > 0 ? (expected - least) / matches : 0;
    return new FilterTheory.Interval(
        step * (counts.low() - matches), step * (counts.high() - matches));
  }

  private static ClaimVerdict bitsPerElement(Table.Row row) {
    double bits = 8.0 * row.whole("bip158_bytes") / row.whole("bip158_elements");
    // P + 1 + 1 / (e^(2^P/M) - 1), for P = 19.
    double expected =
        GolombCodedSet.Parameters.BASIC_P
            + 1
            + 1
                / Math.expm1(
                    Math.pow(2, GolombCodedSet.Parameters.BASIC_P)
                        / GolombCodedSet.Parameters.BASIC_M);
    return new ClaimVerdict(
        "BIP158 filters of these blocks are as large as computed",
        Math.abs(bits / expected - 1) < FORMULA_TOLERANCE,
        String.format(Locale.ROOT, "%.3f bits for each element, %.3f expected", bits, expected));
  }

  private Table breakEven(Table observed) {
    Table.Builder table =
        Table.of(
            "break-even",
            "Above this rate BIP37 costs more than BIP158's filters",
            Column.text("blocks"),
            Column.whole("transactions", "per block"),
            Column.number("bip158_filter", "bytes per block"),
            Column.number("break_even_rate", ""));
    if (!observed.rows().isEmpty()) {
      Table.Row row = observed.rows().get(0);
      double filter = row.number("bip158_bytes") / row.number("blocks");
      int transactions = (int) Math.round(row.number("transactions"));
      table.row(
          "measured here",
          transactions,
          filter,
          BlockCost.rateFor(
              transactions, row.number("elements"), row.number("transaction_bytes"), filter));
    }
    for (int transactions : MAIN_CHAIN_TRANSACTIONS) {
      table.row(
          "main chain (constants)",
          transactions,
          MAIN_CHAIN_FILTER_BYTES,
          BlockCost.rateFor(
              transactions,
              BusyMainnet.TESTED_ELEMENTS,
              BusyMainnet.MEAN_TRANSACTION,
              MAIN_CHAIN_FILTER_BYTES));
    }
    return table.build();
  }

  /** The false-positive rate that a budget allows on the main chain. */
  private static double rateFor(double megabytes, int transactions) {
    return BlockCost.rateFor(
        transactions,
        BusyMainnet.TESTED_ELEMENTS,
        BusyMainnet.MEAN_TRANSACTION,
        megabytes * 1e6 / BusyMainnet.BLOCKS_A_MONTH);
  }

  private Table budgets() {
    Table.Builder table =
        Table.of(
            "budgets",
            "Choose a budget, read off the anonymity (main chain)",
            Column.number("budget", "MB per month"),
            Column.whole("transactions", "per block"),
            Column.number("rate", ""),
            Column.number("false_transactions", "per block"),
            Column.number("decoys", "addresses"),
            Column.number("decoy_pairs", ""),
            Column.number("decoy_clusters_of_5", ""));
    for (double budget : budgets) {
      for (int transactions : MAIN_CHAIN_TRANSACTIONS) {
        double rate = rateFor(budget, transactions);
        BlockCost cost = BlockCost.of(transactions, rate, BusyMainnet.TESTED_ELEMENTS);
        MatchSet chance = new MatchSet(universe, 0, rate);
        table.row(
            budget,
            transactions,
            rate,
            cost.falseTransactions(),
            chance.decoys(),
            chance.testedBy(2).decoys(),
            Clusters.decoys(MAIN_CHAIN_CLUSTERS_OF_5, 5, rate).value());
      }
    }
    return table.build();
  }

  private Plot budgetPlot() {
    List<Plot.Series> series = new ArrayList<>();
    for (int transactions : MAIN_CHAIN_TRANSACTIONS) {
      List<Plot.Point> points = new ArrayList<>();
      for (double budget : budgets) {
        double rate = rateFor(budget, transactions);
        points.add(new Plot.Point(budget, new MatchSet(universe, 0, rate).decoys()));
      }
      series.add(
          new Plot.Series(
              transactions + " transactions a block", Plot.Style.LINE_AND_POINTS, points));
    }
    return new Plot.Xy(
        "budgets",
        "Decoys that a monthly budget buys on the main chain",
        Plot.Axis.log("MB per month"),
        Plot.Axis.log("decoys"),
        series);
  }

  private List<String> explanation() {
    return List.of(
        "A node inside this process served "
            + blocks
            + " blocks over TCP to filters of "
            + elements
            + " elements, none of which is on the chain, so everything beyond an empty answer "
            + "is the price of false positives. Expected is a formula: the chance of each "
            + "transaction to match, the resulting hashes of the partial Merkle tree (the "
            + "proof), and the transactions themselves. A month has 4383 blocks. The last two "
            + "columns show what the same node sends for a whole block (without witness "
            + "data), and the ratio of the two: the saving by filters.",
        "BIP158's filters were computed from the very same blocks. A wallet that uses them "
            + "also downloads each block that holds one of its payments, one or two megabytes "
            + "each; that is not counted here. The mean filter of the main chain, 22,400 bytes, "
            + "is published (Delving Bitcoin, topic 2428) and not measured here.",
        "The last table inverts the formula for the main chain, with constants that are "
            + "estimates: 6 elements a transaction, 300 bytes each, "
            + String.format(Locale.ROOT, "%.1e", universe)
            + " addresses ever used. Decoys are addresses that match by chance. But addresses "
            + "come in groups. If the node knows that two of the wallet's addresses belong "
            + "together, since they were spent together, it looks for pairs that both match, "
            + "and there are far fewer of those. With a group of five (of 20 million such "
            + "groups, a number from memory) hardly any decoy is left at any affordable rate. "
            + "Noise protects only addresses that nothing links.");
  }
}
