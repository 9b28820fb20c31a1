package org.murmur.lab.fp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Hash256;
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
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Dice;

/**
 * A node's own answers over TCP. Each trial loads a filter with a new tweak and without any element
 * of the chain, so every match in the last blocks is a false positive.
 */
final class ServedRates implements Experiment {

  /** Of each interval in the table, alone. */
  private static final double CONFIDENCE = 0.99;

  private final Parameters parameters;
  private final ChainParams network;
  private final @Nullable NodeAddress address;
  private final int blocks;
  private final int elements;
  private final double rate;
  private final EmbeddedChain embedded;
  private @Nullable Blocks known;

  ServedRates(Parameters parameters) {
    this.parameters = parameters;
    this.network = ChainParams.ofName(parameters.text("network"));
    String connect = parameters.text(FalsePositives.CONNECT);
    this.address =
        connect.equals(FalsePositives.EMBEDDED)
            ? null
            : NodeAddress.parse(connect, network.defaultPort());
    this.blocks = parameters.count("served-blocks");
    this.elements = parameters.count("served-elements");
    this.rate = parameters.rates("served-rate").get(0);
    this.embedded =
        new EmbeddedChain(parameters.seed(), blocks, parameters.count("served-transactions"));
    FilterParameters ignored = sized(0);
  }

  private FilterParameters sized(int tweak) {
    return FilterParameters.of(elements, rate, tweak, UpdateFlag.NONE, Rounding.CORE);
  }

  @Override
  public String name() {
    return "served";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.whole("tweak", ""),
        Column.number("realised", ""),
        Column.whole("transactions", ""),
        Column.whole("matched", "transactions"),
        Column.whole("tested", "transactions"),
        Column.whole("elements", ""),
        Column.number("expected", "hits"),
        Column.whole("hits", ""),
        Column.number("measured", ""));
  }

  @Override
  public Parameters constants() {
    return Parameters.none().with("empty-blocks", EmbeddedChain.EMPTY_BLOCKS);
  }

  @Override
  public int trials() {
    return parameters.trials();
  }

  /** The last blocks and their transactions. */
  private record Blocks(List<Hash256> hashes, Sample sample) {}

  @Override
  public void observe(Trial trial, Rows rows) throws IOException {
    NodeAddress named = address;
    if (named != null) {
      observe(trial, named, rows);
      return;
    }
    try (RegtestNode node = RegtestNode.start(embedded.chain())) {
      observe(trial, new NodeAddress(node.host(), node.port()), rows);
    }
  }

  private void observe(Trial trial, NodeAddress at, Rows rows) throws IOException {
    Dice dice = trial.dice();
    int tweak = (int) dice.number();
    BloomFilter filter = RandomFilter.of(sized(tweak), elements, dice);
    List<Hash256> matched = new ArrayList<>();
    Blocks asked;
    // One connection per tweak: some nodes leave out what they already sent on the same connection.
    try (Probe probe = Probe.connect(network, at)) {
      asked = blocks(probe);
      probe.load(filter);
      for (Probe.Answer answer : probe.filtered(asked.hashes())) {
        matched.addAll(answer.matched());
      }
    }
    Sample.Count count = asked.sample().count(filter, matched);
    rows.add(
        Integer.toUnsignedLong(tweak),
        filter.realisedRate(),
        asked.sample().transactions(),
        count.matched(),
        count.tested(),
        count.elements(),
        count.expected(),
        count.hits(),
        count.rate());
  }

  /** The same blocks for all trials, although the node's chain may grow. */
  private synchronized Blocks blocks(Probe probe) throws IOException {
    Blocks before = known;
    if (before != null) {
      return before;
    }
    List<Hash256> last = probe.lastBlocks(blocks);
    if (last.isEmpty()) {
      throw new IOException("the node has no blocks to request");
    }
    Blocks read = new Blocks(last, Sample.of(probe.blocks(last)));
    known = read;
    return read;
  }

  @Override
  public Section conclude(Table observed) {
    Table.Builder table =
        Table.of(
            "served",
            "The node's matches in blocks that contain nothing of ours",
            Column.whole("tweak", ""),
            Column.number("realised", ""),
            Column.number("measured", ""),
            Column.whole("transactions", ""),
            Column.whole("matched", "transactions"),
            Column.whole("tested", "transactions"),
            Column.number("expected", "hits"),
            Column.number("low_99", "hits"),
            Column.number("high_99", "hits"),
            Column.whole("hits", ""));
    for (Table.Row row : observed.rows()) {
      FilterTheory.Interval interval = Prediction.of(row).interval(CONFIDENCE);
      table.row(
          row.whole("tweak"),
          row.number("realised"),
          row.number("measured"),
          row.whole("transactions"),
          row.whole("matched"),
          row.whole("tested"),
          row.number("expected"),
          interval.low(),
          interval.high(),
          row.whole("hits"));
    }
    return new Section(
        "Asking a node",
        explanation(),
        List.of(table.build()),
        List.of(plot(observed)),
        observed.rows().isEmpty()
            ? List.of()
            : List.of(together(observed.rows()), each(observed.rows())));
  }

  private static ClaimVerdict together(List<Table.Row> rows) {
    Prediction all = new Prediction(0, 0, 0);
    long elements = 0;
    for (Table.Row row : rows) {
      all = all.and(Prediction.of(row));
      elements += row.whole("elements");
    }
    FilterTheory.Interval interval = all.interval(FalsePositives.VERDICT);
    return verdict(
        "All tweaks together are inside the interval of the realised prediction",
        interval.holds((double) all.hits()),
        ClaimVerdict.isTooWide(interval, all.mean()),
        String.format(
            Locale.ROOT,
            "%d hits, %.1f expected, %.0f to %.0f, of %d elements that "
                + "occur in one transaction only",
            all.hits(),
            all.mean(),
            interval.low(),
            interval.high(),
            elements));
  }

  private static ClaimVerdict each(List<Table.Row> rows) {
    int tweaks = rows.size();
    double joint = Binomial.each(FalsePositives.VERDICT, tweaks);
    int within = 0;
    int withinJointly = 0;
    boolean saysNothing = true;
    for (Table.Row row : rows) {
      Prediction one = Prediction.of(row);
      within += one.interval(CONFIDENCE).holds((double) one.hits()) ? 1 : 0;
      withinJointly += one.interval(joint).holds((double) one.hits()) ? 1 : 0;
      saysNothing &= ClaimVerdict.isTooWide(one.interval(joint), one.mean());
    }
    return verdict(
        "Each tweak is inside its interval",
        withinJointly == tweaks,
        saysNothing,
        withinJointly + " of " + tweaks + "; " + within + " inside its own 99 % alone");
  }

  private static ClaimVerdict verdict(
      String claim, boolean holds, boolean saysNothing, String detail) {
    String reason = "; the blocks hold too few different elements (more --served-blocks)";
    return ClaimVerdict.of(
        claim, holds, saysNothing, holds && saysNothing ? detail + reason : detail);
  }

  /** The expected and observed number of matches among the tested transactions. */
  private record Prediction(long tested, double mean, long hits) {

    static Prediction of(Table.Row row) {
      return new Prediction(row.whole("tested"), row.number("expected"), row.whole("hits"));
    }

    Prediction and(Prediction other) {
      return new Prediction(tested + other.tested, mean + other.mean, hits + other.hits);
    }

    FilterTheory.Interval interval(double confidence) {
      return Binomial.counts(tested, mean, confidence);
    }
  }

  private List<String> explanation() {
    String who =
        address == null
            ? "a node inside this process, over a real TCP connection"
            : "the node at " + address + " (" + network + ")";
    return List.of(
        "So far filters were queried directly. Now it is "
            + who
            + ". Filters of "
            + elements
            + " random elements were loaded, none of which is on the chain, and the last "
            + blocks
            + " blocks requested. Every match of the node is then false, so counting them "
            + "measures the node. A transaction has several elements and matches if one of "
            + "them does; the column measured is the resulting rate for one element.",
        "Transactions that share an element match together: if all blocks pay one address, "
            + "one false match is in all of them. So only elements that occur in one transaction "
            + "count. A transaction with a shared element that passes the filter is not tested.",
        "Expected follows from the bits that are set in each filter and from the number of "
            + "unshared elements of each tested transaction.",
        address == null
            ? "The node is made from the seed, so another run gives the same."
            : "The node has a chain of its own: these numbers follow from the seed and from "
                + "its blocks, and another run may find more blocks.");
  }

  private static Plot plot(Table observed) {
    List<Plot.Point> predicted = new ArrayList<>();
    List<Plot.Point> measured = new ArrayList<>();
    int number = 1;
    for (Table.Row row : observed.rows()) {
      Prediction one = Prediction.of(row);
      FilterTheory.Interval interval = one.interval(CONFIDENCE);
      predicted.add(new Plot.Point(number, one.mean(), interval.low(), interval.high()));
      measured.add(new Plot.Point(number + 0.25, one.hits()));
      number++;
    }
    return new Plot.Xy(
        "served",
        "Matched transactions, tweak by tweak",
        Plot.Axis.linear("tweak"),
        Plot.Axis.linear("transactions matched"),
        List.of(
            new Plot.Series("predicted (99 %)", Plot.Style.POINTS, predicted),
            new Plot.Series("measured", Plot.Style.POINTS, measured)));
  }
}
