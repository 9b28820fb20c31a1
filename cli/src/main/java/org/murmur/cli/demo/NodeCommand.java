package org.murmur.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.Misdeed;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.lies.StaleTip;
import org.murmur.regtest.lies.StallsAfter;
import org.murmur.regtest.lies.WrongHeader;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur node}. */
@Command(
    name = "node",
    description = "Run the embedded regtest node in the foreground.",
    footer = {
      "It listens on 127.0.0.1 only, serves BIP37 and mines from a seed; the same seed gives the"
          + " same",
      "chain. Options make it misbehave as a peer can.",
      "Examples:",
      "  murmur node --blocks 500 --txs 50",
      "  murmur node --port 0 --no-bloom --compact-filters",
      "  murmur node --omit 0.1 --seed 7"
    })
public final class NodeCommand extends Action {

  private static final int DEFAULT_PORT = 18444;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Where to listen on 127.0.0.1 (default: 18444; 0: any free port).")
  private int port = DEFAULT_PORT;

  @Option(names = "--blocks", paramLabel = "N", description = "Length of the chain (default: 150).")
  private int blocks = 150;

  @Option(names = "--txs", paramLabel = "N", description = "Transactions a block (default: 10).")
  private int transactions = 10;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of all random numbers.")
  private long seed = 1;

  @Option(
      names = "--demo-wallet",
      description = {
        "Put the wallet of `murmur demo` on the chain and print its words. Needs 150 blocks."
      })
  private boolean demoWallet;

  @Option(
      names = "--mine-every",
      paramLabel = "SECONDS",
      description = "Mine a block this often (default: never).")
  private @Nullable Double mineEvery;

  @Option(names = "--no-bloom", description = "Serve no BIP37.")
  private boolean noBloom;

  @Option(names = "--compact-filters", description = "Serve block filters (BIP157).")
  private boolean compactFilters;

  @Option(
      names = "--omit",
      paramLabel = "SHARE",
      description = "Omit this share of the matching transactions, 0 to 1.")
  private double omit;

  @Option(
      names = "--inject",
      paramLabel = "SHARE",
      description = "Add a transaction that does not match to this share of the blocks.")
  private double inject;

  @Option(
      names = "--corrupt",
      paramLabel = "SHARE",
      description = "Send a wrong proof with this share of the filtered blocks.")
  private double corrupt;

  @Option(
      names = "--stall-after",
      paramLabel = "N",
      description = "Stop answering on a connection after N filtered blocks.")
  private @Nullable Integer stallAfter;

  @Option(
      names = "--drop-after",
      paramLabel = "N",
      description = "Close a connection after N messages.")
  private @Nullable Integer dropAfter;

  @Option(
      names = "--wrong-header",
      paramLabel = "HEIGHT",
      description = "Serve a broken header at this height.")
  private @Nullable Integer wrongHeader;

  @Option(
      names = "--stale-tip",
      paramLabel = "HEIGHT",
      description = "Know no block above this height.")
  private @Nullable Integer staleTip;

  @Option(
      names = "--drip",
      paramLabel = "N",
      description = "Send filtered blocks byte by byte, N bytes a second.")
  private @Nullable Integer drip;

  @Option(names = "--no-pongs", description = "Answer no pings.")
  private boolean noPongs;

  @Option(
      names = "--misdeed",
      paramLabel = "NAME",
      description = "Misbehave in this way (repeatable): ${COMPLETION-CANDIDATES}.")
  private List<Misdeed> misdeeds = List.of();

  @Option(
      names = "--round-trip",
      paramLabel = "MILLISECONDS",
      description = "Delay each answer by this time, like a distant peer.")
  private @Nullable Integer roundTrip;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Serve at most N filtered blocks a second on a connection.")
  private @Nullable Integer limit;

  @Override
  protected ExitCode run() throws InterruptedException {
    if (options().networkOption().filter(name -> !name.equals("regtest")).isPresent()) {
      throw Failure.usage(
          "the embedded node runs on regtest only; --network cannot name another" + " network");
    }
    Behaviour behaviour = behaviour();
    port = (int) Numbers.within("--port", port, 0, 65_535);
    if (demoWallet && blocks < DemoWallet.MIN_BLOCKS) {
      throw Failure.usage(
          Text.of(
              "--blocks %s, expected at least %s with --demo-wallet: its coins need 100 blocks to"
                  + " mature",
              blocks, DemoWallet.MIN_BLOCKS));
    }
    requireFree();
    note("Building " + Amounts.count(blocks, "block") + " ...");
    BuiltChain built = chain();
    try (RegtestNode node = start(built, behaviour)) {
      print(node);
      stayUntilInterrupted(node);
    }
    return ExitCode.INTERRUPTED;
  }

  private BuiltChain chain() {
    try {
      return demoWallet
          ? DemoWallet.chain(seed, blocks, transactions)
          : ChainBuilder.ofSeed(seed)
              .blocks(blocks)
              .transactionsPerBlock(transactions)
              .spacing(DemoWallet.spacing(blocks))
              .build();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(Failures.message(e));
    }
  }

  private Behaviour behaviour() {
    Behaviour behaviour =
        Behaviour.honest()
            .withSeed(seed)
            .with(new Omits(share("--omit", omit)))
            .with(new Injects(share("--inject", inject)))
            .with(new WrongProofs(), share("--corrupt", corrupt));
    if (noBloom) {
      behaviour = behaviour.withoutBloom();
    }
    if (compactFilters) {
      behaviour = behaviour.withCompactFilters();
    }
    behaviour =
        changed(behaviour, "--stall-after", stallAfter, (b, n) -> b.with(new StallsAfter(n)));
    behaviour = changed(behaviour, "--drop-after", dropAfter, Behaviour::droppingAfter);
    behaviour =
        changed(behaviour, "--wrong-header", wrongHeader, (b, n) -> b.with(new WrongHeader(n)));
    behaviour = changed(behaviour, "--stale-tip", staleTip, (b, n) -> b.with(new StaleTip(n)));
    behaviour = changed(behaviour, "--drip", drip, Behaviour::dripping);
    if (noPongs) {
      behaviour = behaviour.with(Ignores.PINGS);
    }
    for (Misdeed misdeed : misdeeds) {
      behaviour = behaviour.with(misdeed);
    }
    behaviour =
        changed(
            behaviour, "--round-trip", roundTrip, (b, n) -> b.withRoundTrip(Duration.ofMillis(n)));
    return changed(behaviour, "--limit", limit, Behaviour::limitedTo);
  }

  private static Behaviour changed(
      Behaviour behaviour,
      String option,
      @Nullable Integer value,
      BiFunction<Behaviour, Integer, Behaviour> change) {
    return value == null ? behaviour : change.apply(behaviour, Numbers.atLeast(0, option, value));
  }

  private static double share(String option, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw Failure.usage(option + " " + value + ", expected 0 to 1");
    }
    return value;
  }

  /** Checked before the chain is built, which may take long. */
  private void requireFree() {
    try (ServerSocket probe = new ServerSocket()) {
      // SO_REUSEADDR, as the node sets it: connections of an earlier run do not block the port.
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw inUse("127.0.0.1:" + port + ": " + Failures.message(e), e);
    }
  }

  private static Failure inUse(String what, Exception e) {
    return Failure.failed(
        "port_in_use", what + ": is the port in use? --port 0 chooses a free one", e);
  }

  private RegtestNode start(BuiltChain built, Behaviour behaviour) {
    try {
      return RegtestNode.start(built.chain(), behaviour, port);
    } catch (UncheckedIOException e) {
      throw inUse(Failures.message(e), e);
    }
  }

  private void print(RegtestNode node) {
    JsonObject json =
        new JsonObject()
            .put("network", "regtest")
            .put("address", node.address())
            .put("height", node.height())
            .put("tip", node.tip());
    result(
        json,
        out -> {
          out.println("listening on " + node.address() + ", height " + node.height());
          if (demoWallet) {
            out.println("wallet: " + DemoWallet.WORDS);
          }
        });
    note("Ctrl-C ends it.");
  }

  private void stayUntilInterrupted(RegtestNode node) throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    Surroundings.Registration registration =
        surroundings().interrupts().onInterrupt(interrupted::countDown);
    try {
      if (mineEvery == null) {
        interrupted.await();
        return;
      }
      long millis = Math.max(1, (long) (mineEvery * 1000));
      while (!interrupted.await(millis, TimeUnit.MILLISECONDS)) {
        node.mine(1);
        note("mined block " + node.height());
      }
    } finally {
      registration.end();
    }
  }
}
