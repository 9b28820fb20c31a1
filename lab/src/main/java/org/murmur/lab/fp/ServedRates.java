package org.murmur.lab.fp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
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

/**
 * A node's own answers over TCP. Each trial loads a filter with a new tweak and without any element
 * of the chain, so every match in the last blocks is a false positive.
 */
final class ServedRates extends Experiment {

  private final ChainParams network;
  private final @Nullable NodeAddress address;
  private final int blocks;
  private final int elements;
  private final double rate;
  private final EmbeddedChain embedded;
  private @Nullable Blocks known;

  ServedRates(Parameters parameters) {
    super(
        "served",
        parameters.trials(),
        "whole tweak, number realised, whole transactions, whole matched (transactions),"
            + " whole tested (transactions), whole elements, number expected (hits), whole hits,"
            + " number measured");
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
    FilterParameters ignored = RandomFilter.sized(elements, rate, 0);
  }

  @Override
  public Parameters constants() {
    return EmbeddedChain.constants();
  }

  private record Blocks(List<Hash256> hashes, Sample sample) {}

  // One connection per tweak: some nodes leave out what they already sent on the same connection.
  @Override
  public void observe(Trial trial, Rows rows) throws IOException {
    if (address != null) {
      try (Probe probe = Probe.connect(network, address)) {
        observe(trial, probe, rows);
      }
      return;
    }
    try (RegtestNode node = embedded.node();
        Probe probe = Probe.connect(node)) {
      observe(trial, probe, rows);
    }
  }

  private void observe(Trial trial, Probe probe, Rows rows) throws IOException {
    BloomFilter filter = RandomFilter.of(elements, rate, trial.dice());
    Blocks asked = blocks(probe);
    probe.load(filter);
    List<Hash256> matched = new ArrayList<>();
    for (Probe.Answer answer : probe.filtered(asked.hashes())) {
      matched.addAll(answer.matched());
    }
    Sample.Count count = asked.sample().count(filter, matched);
    rows.add(
        Integer.toUnsignedLong(filter.parameters().tweak()),
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
    List<Table.Row> rows = observed.rows();
    Table table =
        Table.of(
            "served",
            "The node's matches in blocks that contain nothing of ours",
            rows,
            Column.whole("tweak").of(row -> row.value("tweak")),
            Column.number("realised").of(row -> row.value("realised")),
            Column.number("measured").of(row -> row.value("measured")),
            Column.whole("transactions").of(row -> row.value("transactions")),
            Column.whole("matched", "transactions").of(row -> row.value("matched")),
            Column.whole("tested", "transactions").of(row -> row.value("tested")),
            Column.number("expected", "hits").of(row -> row.value("expected")),
            Column.number("low_99", "hits").of(row -> Prediction.of(row).interval().low()),
            Column.number("high_99", "hits").of(row -> Prediction.of(row).interval().high()),
            Column.whole("hits").of(row -> row.value("hits")));
    String kind = address == null ? "served.embedded" : "served.real";
    List<String> node = FalsePositives.TEXTS.of(kind, address, network);
    return new Section(
        "Asking a node",
        FalsePositives.TEXTS.of("served.explanation", elements, blocks, node.get(0), node.get(1)),
        List.of(table),
        List.of(plot(rows)),
        rows.isEmpty() ? List.of() : List.of(together(rows), each(rows)));
  }

  private static ClaimVerdict together(List<Table.Row> rows) {
    Prediction all =
        new Prediction(
            rows.stream().mapToLong(row -> row.whole("tested")).sum(),
            rows.stream().map(row -> row.number("expected")).reduce(0.0, Double::sum),
            rows.stream().mapToLong(row -> row.whole("hits")).sum());
    FilterTheory.Interval interval = all.interval(FalsePositives.VERDICT);
    return verdict(
        "All tweaks together are inside the interval of the realised prediction",
        interval.holds((double) all.hits),
        ClaimVerdict.isTooWide(interval, all.mean),
        FalsePositives.TEXTS.line(
            "served.together",
            all.hits,
            all.mean,
            interval.low(),
            interval.high(),
            rows.stream().mapToLong(row -> row.whole("elements")).sum()));
  }

  private static ClaimVerdict each(List<Table.Row> rows) {
    int tweaks = rows.size();
    double joint = Binomial.each(FalsePositives.VERDICT, tweaks);
    int within = 0;
    int withinJointly = 0;
    boolean saysNothing = true;
    for (Table.Row row : rows) {
      Prediction one = Prediction.of(row);
      within += one.interval().holds((double) one.hits()) ? 1 : 0;
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

  private record Prediction(long tested, double mean, long hits) {

    static Prediction of(Table.Row row) {
      return new Prediction(row.whole("tested"), row.number("expected"), row.whole("hits"));
    }

    FilterTheory.Interval interval() {
      return interval(FalsePositives.CONFIDENCE);
    }

    FilterTheory.Interval interval(double confidence) {
      return Binomial.counts(tested, mean, confidence);
    }
  }

  private static Plot plot(List<Table.Row> rows) {
    List<Plot.Point> predicted = new ArrayList<>();
    List<Plot.Point> measured = new ArrayList<>();
    int number = 1;
    for (Table.Row row : rows) {
      Prediction one = Prediction.of(row);
      FilterTheory.Interval interval = one.interval();
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
