package org.murmur.lab.bandwidth;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.MatchSet;
import org.murmur.bip37.TxElements;
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
import org.murmur.lab.Texts;
import org.murmur.lab.Trial;
import org.murmur.lab.probe.EmbeddedChain;
import org.murmur.lab.probe.Probe;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.RandomFilter;
import org.murmur.lab.stats.Student;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;

/**
 * Bytes of filtered blocks over TCP at several rates, compared with basic filters of the same
 * blocks.
 */
final class ServedBytes extends Experiment {

  private static final Texts TEXTS = Bandwidth.TEXTS;

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

  private static final double MAIN_CHAIN_FILTER_BYTES = BusyMainnet.FILTER;

  private final List<Double> rates;
  private final List<Double> budgets;
  private final double universe;
  private final int elements;
  private final int blocks;
  private final EmbeddedChain embedded;
  private @Nullable Facts facts;

  ServedBytes(Parameters parameters) {
    super(
        "bytes",
        parameters.trials(),
        "number target, number realised, whole blocks, number transactions (per block),"
            + " number elements (per transaction), number transaction_bytes, whole hashes,"
            + " number hashes_expected, whole bytes, number bytes_expected, whole filterload_bytes,"
            + " whole bip158_bytes, whole bip158_elements, whole whole_bytes");
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
    rates.forEach(rate -> RandomFilter.sized(elements, rate, 0));
  }

  @Override
  public Parameters constants() {
    return EmbeddedChain.constants()
        .with("formula-tolerance", FORMULA_TOLERANCE)
        .withList(
            "main-chain-transactions",
            MAIN_CHAIN_TRANSACTIONS[0] + "," + MAIN_CHAIN_TRANSACTIONS[1])
        .with("main-chain-clusters", MAIN_CHAIN_CLUSTERS_OF_5)
        .with("main-chain-filter-bytes", MAIN_CHAIN_FILTER_BYTES);
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
      return elementsOf.stream().flatMap(List::stream).mapToLong(count -> count).sum()
          / (double) transactions;
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
    try (RegtestNode node = embedded.node()) {
      long whole;
      try (Probe probe = Probe.connect(node)) {
        whole = probe.wholeBlockBytes(of.hashes());
      }
      for (double rate : rates) {
        observe(rate, trial.dice("rate " + rate), node, of, whole, rows);
      }
    }
  }

  private void observe(double rate, Dice dice, RegtestNode node, Facts of, long whole, Rows rows)
      throws IOException {
    BloomFilter filter = RandomFilter.of(elements, rate, dice);
    long hashes = 0;
    long bytes = 0;
    try (Probe probe = Probe.connect(node)) {
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

  private record Line(double rate, int blocks, List<Table.Row> rows) {

    double mean(String column) {
      return rows.stream().mapToDouble(row -> row.number(column)).average().orElse(0);
    }

    double each(String column) {
      return mean(column) / blocks;
    }
  }

  @Override
  public Section conclude(Table observed) {
    List<ClaimVerdict> verdicts = new ArrayList<>();
    List<Line> lines = new ArrayList<>();
    for (double rate : rates) {
      Line line = new Line(rate, blocks, observed.where(row -> row.number("target") == rate));
      if (!line.rows.isEmpty()) {
        lines.add(line);
        verdicts.add(asExpected("hashes", line));
        verdicts.add(asExpected("bytes", line));
      }
    }
    if (!observed.rows().isEmpty()) {
      verdicts.add(bitsPerElement(observed.rows().get(0)));
    }
    Table measured =
        Table.of(
            "bytes",
            "A filtered block on the wire, by the filter's rate",
            lines,
            Column.number("target").of(Line::rate),
            Column.number("hashes_expected", "per block").of(one -> one.each("hashes_expected")),
            Column.number("hashes_measured", "per block").of(one -> one.each("hashes")),
            Column.number("bytes_expected", "per block").of(one -> one.each("bytes_expected")),
            Column.number("bytes_measured", "per block").of(one -> one.each("bytes")),
            Column.number("per_month", "MB")
                .of(one -> one.each("bytes") * BusyMainnet.BLOCKS_A_MONTH / 1e6),
            Column.number("sync_of_3000", "MB")
                .of(one -> (one.each("bytes") * 3000 + one.mean("filterload_bytes")) / 1e6),
            Column.number("against_bip158", "times")
                .of(one -> one.each("bytes") / one.each("bip158_bytes")),
            Column.number("whole_block", "bytes per block").of(one -> one.each("whole_bytes")),
            Column.number("saves", "times").of(one -> one.each("whole_bytes") / one.each("bytes")));
    return new Section(
        "Bytes for a rate, and a rate for bytes",
        TEXTS.of(
            "bytes.explanation", blocks, elements, String.format(Locale.ROOT, "%.1e", universe)),
        List.of(measured, breakEven(observed), budgets()),
        List.of(
            new Plot.Xy(
                "bytes",
                "A filtered block on the wire",
                Plot.Axis.log("false-positive rate"),
                Plot.Axis.log("bytes per block"),
                List.of(
                    series("formula", Plot.Style.LINE, lines, "bytes_expected"),
                    series("measured", Plot.Style.POINTS, lines, "bytes"),
                    series("BIP158 filter", Plot.Style.LINE, lines, "bip158_bytes"),
                    series("whole block", Plot.Style.LINE, lines, "whole_bytes"))),
            budgetPlot()),
        verdicts,
        lines.isEmpty() ? List.of() : findings(lines));
  }

  private static Plot.Series series(
      String name, Plot.Style style, List<Line> lines, String column) {
    return new Plot.Series(
        name,
        style,
        lines.stream().map(one -> new Plot.Point(one.rate, one.each(column))).toList());
  }

  private static List<String> findings(List<Line> lines) {
    Line least = lines.stream().min(Comparator.comparingDouble(Line::rate)).orElseThrow();
    int transactions = MAIN_CHAIN_TRANSACTIONS[0];
    return List.of(
        TEXTS.line(
            "bytes.saved",
            lines.get(0).rows.get(0).number("transactions"),
            Table.shown(least.rate),
            least.each("bytes"),
            least.each("whole_bytes"),
            least.each("whole_bytes") / least.each("bytes")),
        TEXTS.line(
            "bytes.competitor",
            transactions,
            Table.shown(rateFor(MAIN_CHAIN_FILTER_BYTES, transactions))));
  }

  /**
   * Whether the mean difference from the formula is within 1 % and what chance explains: the
   * scatter of the trials, or that of the number of matches. With few matches, many trials have
   * none at all, and no scatter.
   */
  private ClaimVerdict asExpected(String what, Line line) {
    List<Table.Row> rows = line.rows;
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
    double expected = line.mean(what + "_expected");
    FilterTheory.Interval matches = byMatches(what, expected, each, rows);
    double tolerance = FORMULA_TOLERANCE * expected;
    double low = expected + Math.min(-scatter, matches.low()) - tolerance;
    double high = expected + Math.max(scatter, matches.high()) + tolerance;
    double measured = line.mean(what);
    return ClaimVerdict.of(
        "The formula predicts the " + what + " at a rate of " + Table.shown(line.rate),
        expected + mean >= low && expected + mean <= high,
        ClaimVerdict.isTooWide(
            new FilterTheory.Interval(measured + low - expected, measured + high - expected),
            expected),
        TEXTS.line(
            "bytes.detail", expected / blocks, measured / blocks, low / blocks, high / blocks));
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
            Column.list(
                "text blocks, whole transactions (per block), number bip158_filter (bytes per"
                    + " block), number break_even_rate"));
    if (!observed.rows().isEmpty()) {
      Table.Row row = observed.rows().get(0);
      double filter = row.number("bip158_bytes") / row.number("blocks");
      int transactions = (int) Math.round(row.number("transactions"));
      double rate =
          BlockCost.rateFor(
              transactions, row.number("elements"), row.number("transaction_bytes"), filter);
      table.row("measured here", transactions, filter, rate);
    }
    for (int transactions : MAIN_CHAIN_TRANSACTIONS) {
      double rate = rateFor(MAIN_CHAIN_FILTER_BYTES, transactions);
      table.row("main chain (constants)", transactions, MAIN_CHAIN_FILTER_BYTES, rate);
    }
    return table.build();
  }

  /** The false-positive rate that so many bytes a block allow on the main chain. */
  private static double rateFor(double bytes, int transactions) {
    return BlockCost.rateFor(
        transactions, BusyMainnet.TESTED_ELEMENTS, BusyMainnet.MEAN_TRANSACTION, bytes);
  }

  private static double rateOf(double budget, int transactions) {
    return rateFor(budget * 1e6 / BusyMainnet.BLOCKS_A_MONTH, transactions);
  }

  private Table budgets() {
    Table.Builder table =
        Table.of(
            "budgets",
            "Choose a budget, read off the anonymity (main chain)",
            Column.list(
                "number budget (MB per month), whole transactions (per block), number rate,"
                    + " number false_transactions (per block), number decoys (addresses),"
                    + " number decoy_pairs, number decoy_clusters_of_5"));
    for (double budget : budgets) {
      for (int transactions : MAIN_CHAIN_TRANSACTIONS) {
        double rate = rateOf(budget, transactions);
        MatchSet chance = new MatchSet(universe, 0, rate);
        table.row(
            budget,
            transactions,
            rate,
            BlockCost.of(transactions, rate, BusyMainnet.TESTED_ELEMENTS).falseTransactions(),
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
        double rate = rateOf(budget, transactions);
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
}
