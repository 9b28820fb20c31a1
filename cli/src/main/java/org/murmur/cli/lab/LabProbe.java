package org.murmur.cli.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Fields;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.lab.CodeVersion;
import org.murmur.lab.network.Census;
import org.murmur.lab.network.NodeRecord;
import org.murmur.lab.network.NodeRecord.Answer;
import org.murmur.lab.network.NodeRecord.Greeting;
import org.murmur.lab.network.NodeRecord.KnownBlock;
import org.murmur.lab.network.Survey;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "probe",
    description = "Call nodes of a network, and count what they say and really serve.",
    footer = {
      "Nodes are found by DNS seeds and by asking nodes that were reached. Each gets one unencrypted"
          + " connection, which says that it is murmur. A node that claims BLOOM is asked for a"
          + " filtered block, under a filter of nothing. A node that claims COMPACT_FILTERS is asked"
          + " for the filter of the same block, the last one of the headers that it sends.",
      "Served means: the Merkle proof is right, or the filter is well-formed; it may be false.",
      "It needs --network or MURMUR_NETWORK. It supports no proxy and calls no onion addresses.",
      "Examples:",
      "  murmur lab probe --network testnet4",
      "  murmur lab probe --network signet --csv nodes.csv --share counts.json"
    })
final class LabProbe extends Action {

  private static final Survey.Limits USUAL = Survey.Limits.USUAL;

  private static final int LISTED = 10;

  private static final String ABOUT =
      "Counts only, so that they can be published: no addresses and no numbers of network groups."
          + " Names that fewer than 2 nodes have are counted as other.";

  private static final String CSV_HEADER =
      "address,group,outcome,protocol,services,user_agent,start_height,version_us,ping_us,"
          + "block_height,block,bloom,compact_filters";

  private static final Fields<NodeRecord> FIELDS =
      new Fields<NodeRecord>()
          .add("address", NodeRecord::address)
          .add("group", node -> node.group().name())
          .add("outcome", NodeRecord::outcome)
          .add("protocol", node -> greeting(node, Greeting::protocol))
          .add("services", node -> greeting(node, Greeting::serviceNames))
          .text("user_agent", node -> node.greeting() == null ? "" : node.greeting().userAgent())
          .add("start_height", node -> greeting(node, Greeting::startHeight))
          .add("version_us", node -> greeting(node, Greeting::micros))
          .add("ping_us", NodeRecord::pingMicros)
          .add("block_height", node -> block(node, KnownBlock::height))
          .add("block", node -> block(node, KnownBlock::hash))
          .add("bloom", NodeRecord::bloom)
          .add("compact_filters", NodeRecord::compactFilters);

  private static <V> @Nullable V greeting(NodeRecord node, Function<Greeting, V> value) {
    Greeting greeting = node.greeting();
    return greeting == null ? null : value.apply(greeting);
  }

  private static <V> @Nullable V block(NodeRecord node, Function<KnownBlock, V> value) {
    KnownBlock block = node.block();
    return block == null ? null : value.apply(block);
  }

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description = "A node to call; only named nodes are called. Repeatable.")
  private List<String> connect = new ArrayList<>();

  @Option(
      names = "--seed-node",
      paramLabel = "HOST[:PORT]",
      description = {
        "Without --connect: begin with this node instead of DNS seeds. Repeatable. Regtest and",
        "custom signets have no DNS seeds and need --connect or --seed-node."
      })
  private List<String> seedNodes = new ArrayList<>();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Call at most N addresses (default: 100).")
  private int nodes = USUAL.nodes();

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections at a time, 1 to 64 (default: 8).")
  private int connections = USUAL.connections();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Stop after this time (default: 600). Each node has 15 seconds.")
  private double timeout = USUAL.whole().toSeconds();

  @Option(names = "--csv", paramLabel = "FILE", description = "Write a row for each node as CSV.")
  private @Nullable String csv;

  @Option(
      names = "--share",
      paramLabel = "FILE",
      description = "Write the counts as JSON without addresses, for publication.")
  private @Nullable String share;

  @Mixin private final ForceOption force = new ForceOption();

  @Override
  protected ExitCode run() throws IOException, InterruptedException {
    Survey.Limits limits = limits();
    Survey.Entry entry = entry();
    OutputFile rows = file("--csv", csv, OutputFile.Kind.TABLE);
    OutputFile counts = file("--share", share, OutputFile.Kind.RESULT);
    Survey survey = new Survey(network(), entry, limits);
    Surroundings.Registration registration = surroundings().interrupts().onInterrupt(survey::end);
    Survey.Result result;
    boolean interrupted;
    Instant began = Instant.now();
    try {
      result = survey.run(listener());
      interrupted = survey.isEnded();
    } finally {
      registration.end();
      output().status().show("");
    }
    Census census = new Census(result.records());
    if (rows != null) {
      rows.write(
          Text.of("# murmur lab probe: nodes of %s, %s\n", network(), began)
              + FIELDS.csv(CSV_HEADER, result.records()));
    }
    if (counts != null) {
      counts.write(shared(census, began).pretty() + "\n");
    }
    if (census.reached() == 0 && !interrupted) {
      throw noneReached(result);
    }
    result(json(result, census), out -> print(result, census, out));
    return interrupted ? ExitCode.INTERRUPTED : ExitCode.DONE;
  }

  private Survey.Entry entry() {
    Map<String, String> environment = surroundings().environment();
    if (!options().networkNamed(environment)) {
      throw Failure.usage(
          "name the network to call with --network NAME: lab probe connects to nodes of strangers");
    }
    if (PeerArguments.proxy(null, environment) != null) {
      throw Failure.usage(
          "lab probe does not support a proxy and would bypass the one in "
              + PeerArguments.PROXY_VARIABLE
              + "; unset it to connect directly");
    }
    ChainParams network = network();
    List<NodeAddress> only = PeerArguments.addresses("--connect", connect, network);
    List<NodeAddress> first = PeerArguments.addresses("--seed-node", seedNodes, network);
    if (!only.isEmpty() && !first.isEmpty()) {
      throw Failure.usage("--seed-node is for finding nodes, but --connect calls named nodes only");
    }
    for (NodeAddress one : only.isEmpty() ? first : only) {
      if (one.isHidden()) {
        throw Failure.usage(one + ": it can only be reached through a proxy");
      }
    }
    if (!only.isEmpty()) {
      return new Survey.Entry(only, List.of(), true);
    }
    if (first.isEmpty() && network.dnsSeeds().isEmpty()) {
      throw Failure.usage(
          Text.of(
              "there are no DNS seeds for %s: name nodes with --connect or --seed-node"
                  + " HOST[:PORT]",
              network));
    }
    return new Survey.Entry(first, first.isEmpty() ? network.dnsSeeds() : List.of(), false);
  }

  private Survey.Limits limits() {
    Duration whole = PeerArguments.seconds("--timeout", timeout);
    if (whole.isZero()) {
      throw Failure.usage("--timeout " + timeout + ", expected more than 0 seconds");
    }
    return USUAL
        .withNodes(Numbers.atLeast(1, "--nodes", nodes))
        .withConnections((int) Numbers.within("--connections", connections, 1, 64))
        .withWhole(whole);
  }

  private @Nullable OutputFile file(String option, @Nullable String name, OutputFile.Kind kind)
      throws IOException {
    if (name == null) {
      return null;
    }
    OutputFile file = OutputFile.named(option, name, kind, force.given());
    file.check();
    return file;
  }

  private Consumer<NodeRecord> listener() {
    AtomicInteger called = new AtomicInteger();
    AtomicInteger reached = new AtomicInteger();
    return node -> {
      called.incrementAndGet();
      if (node.isReached()) {
        reached.incrementAndGet();
      }
      output().event("node", FIELDS.json(node));
      output().detail(node.address() + " " + node.outcome().text());
      output().status().show(reached + " nodes reached of " + called + " called");
    };
  }

  private Failure noneReached(Survey.Result result) {
    if (result.records().isEmpty()) {
      return Failure.failed(
          "io",
          Text.of(
              "no address of a node of %s was found%s: is there a connection to the internet?",
              network(), result.whole() ? "" : " in time"));
    }
    NodeRecord first = result.records().get(0);
    return Failure.failed(
        "io",
        Text.of(
            "%s called, none reached: %s %s",
            Amounts.count(result.records().size(), "node"),
            first.address(),
            first.outcome().text()));
  }

  private JsonObject json(Survey.Result result, Census census) {
    return new JsonObject()
        .put("network", network().name())
        .put("complete", result.whole())
        .put("addresses_known", result.known())
        .putAll(counts(census, Function.identity()))
        .put("groups", object(census.groups()))
        .put("nodes", result.records().stream().map(FIELDS::json).toList());
  }

  private JsonObject shared(Census census, Instant began) throws IOException {
    return new JsonObject()
        .put("murmur_lab", "probe")
        .put("about", ABOUT)
        .put("code_version", CodeVersion.ofThis())
        .put("network", network().name())
        .put("day", began.truncatedTo(ChronoUnit.DAYS).toString().substring(0, 10))
        .putAll(counts(census, census::shareable));
  }

  /** The counts of nodes, by names that may be chosen by others and are shown in a way. */
  private static JsonObject counts(
      Census census, Function<Map<String, Integer>, Map<String, Integer>> shown) {
    JsonObject outcomes = new JsonObject();
    census.outcomes().forEach((outcome, count) -> outcomes.put(Text.lower(outcome), count));
    return new JsonObject()
        .put("called", census.called())
        .put("reached", census.reached())
        .put("outcomes", outcomes)
        .put("services", object(shown.apply(census.services())))
        .put("bloom", answers(census.bloom()))
        .put("compact_filters", answers(census.compactFilters()))
        .put("protocols", object(shown.apply(census.protocols())))
        .put("user_agents", object(shown.apply(census.userAgents())))
        .put("median_height", census.medianHeight())
        .put("near_median_height", census.nearMedian())
        .put("median_version_us", census.versionMicros())
        .put("median_ping_us", census.pingMicros())
        .put("group_count", census.groups().size())
        .put("groups_by_size", object(census.groupSizes()));
  }

  private static JsonObject object(Map<String, Integer> counts) {
    JsonObject object = new JsonObject();
    counts.forEach(object::put);
    return object;
  }

  private static JsonObject answers(Map<Answer, Integer> counts) {
    JsonObject object = new JsonObject().put("claimed", Census.claimed(counts));
    counts.forEach((answer, count) -> object.put(Text.lower(answer), count));
    return object;
  }

  private void print(Survey.Result result, Census census, PrintStream out) {
    out.println(
        Text.of(
            "%s: %d called of %d addresses known, %d reached%s",
            network(),
            census.called(),
            result.known(),
            census.reached(),
            result.whole() ? "" : "; INCOMPLETE"));
    census
        .outcomes()
        .forEach((outcome, count) -> out.println(Text.of("%6d  %s", count, outcome.text())));
    out.println();
    out.println("really served     claimed  served  wrong  no answer  not tried");
    print("BLOOM", census.bloom(), out);
    print("COMPACT_FILTERS", census.compactFilters(), out);
    list("service bits", census.services(), out);
    list("protocol versions", census.protocols(), out);
    list("user agents", census.userAgents(), out);
    list("network groups", census.groups(), out);
    out.println();
    census
        .medianHeight()
        .ifPresent(
            height ->
                out.println(
                    Text.of(
                        "height: median %d; %d of %d within %d blocks of it",
                        height, census.nearMedian(), census.reached(), Census.NEAR)));
    out.println(
        Text.of(
            "time: version after %s, ping %s (medians)",
            millis(census.versionMicros()), millis(census.pingMicros())));
  }

  private static void print(String name, Map<Answer, Integer> counts, PrintStream out) {
    out.println(
        Text.of(
            "%-16s  %7d  %6d  %5d  %9d  %9d",
            name,
            Census.claimed(counts),
            counts.getOrDefault(Answer.SERVED, 0),
            counts.getOrDefault(Answer.WRONG, 0),
            counts.getOrDefault(Answer.NONE, 0),
            counts.getOrDefault(Answer.NOT_TRIED, 0)));
  }

  private static void list(String title, Map<String, Integer> counts, PrintStream out) {
    out.println();
    out.println(title + (counts.size() > LISTED ? Text.of(" (%d)", counts.size()) : ""));
    counts.entrySet().stream()
        .limit(LISTED)
        .forEach(
            each ->
                out.println(
                    Text.of(
                        "%6d  %s",
                        each.getValue(), Columns.middleLeftOut(each.getKey(), Columns.WIDTH - 8))));
  }

  private static String millis(OptionalLong micros) {
    return micros.isPresent() ? Text.of("%.1f ms", micros.getAsLong() / 1e3) : "-";
  }
}
