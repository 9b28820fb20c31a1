package org.murmur.lab.fp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.privacy.BlockCost;
import org.murmur.bip37.tx.Tx;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Normal;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.RandomFilter;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.Verdict;
import org.murmur.lab.probe.EmbeddedChain;
import org.murmur.lab.probe.Probe;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.regtest.Dice;
import org.murmur.regtest.RegtestNode;

/**
 * A node's own answers over TCP: a filter without any element of the chain is loaded, a tweak a
 * trial, and what it matches of the last blocks is all false.
 */
final class ServedRates implements Experiment {

  private static final double CONFIDENCE = 0.99;

  private final Parameters parameters;
  private final Network network;
  private final @Nullable PeerAddress address;
  private final int blocks;
  private final int elements;
  private final double rate;
  private final EmbeddedChain embedded;
  private @Nullable Blocks known;

  ServedRates(Parameters parameters) {
    this.parameters = parameters;
    this.network = Network.ofName(parameters.text("network"));
    String connect = parameters.text(FalsePositives.CONNECT);
    this.address =
        connect.equals(FalsePositives.EMBEDDED)
            ? null
            : PeerAddress.parse(connect, network.defaultPort());
    this.blocks = parameters.count("served-blocks");
    this.elements = parameters.count("served-elements");
    this.rate = parameters.number("served-rate");
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
        Column.number("elements_per_transaction", ""),
        Column.number("expected", "transactions"),
        Column.number("deviation", "transactions"),
        Column.whole("matched", "transactions"),
        Column.number("measured", ""));
  }

  @Override
  public int trials() {
    return parameters.trials();
  }

  /** What the last blocks hold: how many elements each transaction has, and how many share them. */
  private record Blocks(List<Hash256> hashes, List<Integer> elementsOf, double sharing) {

    static Blocks of(List<FullBlock> blocks) {
      List<Hash256> hashes = new ArrayList<>();
      List<Integer> counts = new ArrayList<>();
      Map<Bytes, Integer> transactionsWith = new HashMap<>();
      for (FullBlock block : blocks) {
        hashes.add(block.hash());
        for (Tx tx : block.transactions()) {
          Set<Bytes> distinct = TxElements.distinct(tx);
          counts.add(distinct.size());
          distinct.forEach(element -> transactionsWith.merge(element, 1, Integer::sum));
        }
      }
      double sum = 0;
      double squares = 0;
      for (int count : transactionsWith.values()) {
        sum += count;
        squares += (double) count * count;
      }
      return new Blocks(hashes, counts, squares / sum);
    }

    double expected(double rate) {
      double sum = 0;
      for (int count : elementsOf) {
        sum += BlockCost.matchChance(rate, count);
      }
      return sum;
    }

    /** Transactions that share an element match together: that many times the variance. */
    double deviation(double rate) {
      double variance = 0;
      for (int count : elementsOf) {
        double chance = BlockCost.matchChance(rate, count);
        variance += chance * (1 - chance);
      }
      return Math.sqrt(variance * sharing);
    }

    /** The rate for an element at which so many transactions would be expected to match. */
    double rateOf(long matched) {
      double low = 0;
      double high = 1;
      for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (expected(middle) < matched) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return (low + high) / 2;
    }

    double elementsPerTransaction() {
      double sum = 0;
      for (int count : elementsOf) {
        sum += count;
      }
      return sum / elementsOf.size();
    }
  }

  @Override
  public void observe(Trial trial, Rows rows) throws IOException {
    PeerAddress named = address;
    if (named != null) {
      observe(trial, named, rows);
      return;
    }
    try (RegtestNode node = RegtestNode.start(embedded.chain())) {
      observe(trial, new PeerAddress(node.host(), node.port()), rows);
    }
  }

  private void observe(Trial trial, PeerAddress at, Rows rows) throws IOException {
    Dice dice = trial.dice();
    int tweak = (int) dice.number();
    BloomFilter filter = RandomFilter.of(sized(tweak), elements, dice);
    long matched = 0;
    Blocks asked;
    // A connection for each tweak: some nodes leave out what they have sent on the same one.
    try (Probe probe = Probe.connect(network, at)) {
      asked = blocks(probe);
      probe.load(filter);
      for (Probe.Answer answer : probe.filtered(asked.hashes())) {
        matched += answer.matches();
      }
    }
    double realised = filter.realisedRate();
    rows.add(
        Integer.toUnsignedLong(tweak),
        realised,
        asked.elementsOf().size(),
        asked.elementsPerTransaction(),
        asked.expected(realised),
        asked.deviation(realised),
        matched,
        asked.rateOf(matched));
  }

  /** The same blocks for all trials, though the node's chain may grow meanwhile. */
  private synchronized Blocks blocks(Probe probe) throws IOException {
    Blocks before = known;
    if (before != null) {
      return before;
    }
    List<Hash256> last = probe.lastBlocks(blocks);
    if (last.isEmpty()) {
      throw new IOException("the node has no blocks to ask for");
    }
    Blocks read = Blocks.of(probe.blocks(last));
    known = read;
    return read;
  }

  @Override
  public Section conclude(Table observed) {
    double each = Normal.z(CONFIDENCE);
    double joint = Normal.z(CONFIDENCE, Math.max(1, observed.rows().size()));
    int within = 0;
    int withinJointly = 0;
    double expected = 0;
    double variance = 0;
    long matched = 0;
    Table.Builder table =
        Table.of(
            "served",
            "What the node matched of blocks in which nothing is ours",
            Column.whole("tweak", ""),
            Column.number("realised", ""),
            Column.number("measured", ""),
            Column.whole("transactions", ""),
            Column.number("expected", "transactions"),
            Column.number("low_99", "transactions"),
            Column.number("high_99", "transactions"),
            Column.whole("matched", "transactions"));
    for (Table.Row row : observed.rows()) {
      Prediction one = new Prediction(row.number("expected"), row.number("deviation"));
      within += one.holds(row.whole("matched"), each) ? 1 : 0;
      withinJointly += one.holds(row.whole("matched"), joint) ? 1 : 0;
      expected += one.mean();
      variance += one.deviation() * one.deviation();
      matched += row.whole("matched");
      table.row(
          row.whole("tweak"),
          row.number("realised"),
          row.number("measured"),
          row.whole("transactions"),
          one.mean(),
          one.low(each),
          one.high(each),
          row.whole("matched"));
    }
    int tweaks = observed.rows().size();
    Prediction all = new Prediction(expected, Math.sqrt(variance));
    return new Section(
        "Asking a node",
        explanation(),
        List.of(table.build()),
        List.of(plot(observed)),
        List.of(
            new Verdict(
                "All tweaks together are inside the 99 % interval of the realised prediction",
                all.holds(matched, each),
                String.format(
                    Locale.ROOT,
                    "%d transactions matched, %.1f expected, %.1f to %.1f",
                    matched,
                    all.mean(),
                    all.low(each),
                    all.high(each))),
            new Verdict(
                "Each tweak is inside its interval (99 % for all of them jointly)",
                withinJointly == tweaks,
                withinJointly + " of " + tweaks + "; " + within + " inside its own 99 % alone")));
  }

  /** How many matches to expect, and how far off they may be. */
  private record Prediction(double mean, double deviation) {

    double low(double z) {
      return Math.max(0, mean - z * deviation - 0.5);
    }

    double high(double z) {
      return mean + z * deviation + 0.5;
    }

    boolean holds(long count, double z) {
      return low(z) <= count && count <= high(z);
    }
  }

  private List<String> explanation() {
    String who =
        address == null
            ? "a node inside this process, over a real TCP connection"
            : "the node at " + address + " (" + network + ")";
    return List.of(
        "Until here filters were asked directly. Now it is "
            + who
            + ". Filters of "
            + elements
            + " random elements were loaded, none of which is on the chain, and the last "
            + blocks
            + " blocks asked for. All that the node then matched is false, so counting it measures"
            + " the node. A transaction has several elements and matches if one of them does; the"
            + " column measured is the rate for one element that this means.",
        "Expected comes from the bits that are set in each filter and from the number of elements"
            + " of each transaction of these blocks.",
        address == null
            ? "The node is made from the seed, so another run gives the same."
            : "The node's chain is its own: these numbers follow from the seed and from its blocks,"
                + " and another run may find more blocks.");
  }

  private static Plot plot(Table observed) {
    double z = Normal.z(CONFIDENCE);
    List<Plot.Point> predicted = new ArrayList<>();
    List<Plot.Point> measured = new ArrayList<>();
    int number = 1;
    for (Table.Row row : observed.rows()) {
      Prediction one = new Prediction(row.number("expected"), row.number("deviation"));
      predicted.add(new Plot.Point(number, one.mean(), one.low(z), one.high(z)));
      measured.add(new Plot.Point(number + 0.25, row.number("matched")));
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
