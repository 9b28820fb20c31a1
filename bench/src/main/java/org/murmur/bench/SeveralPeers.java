package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletPlan;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.proxy.TcpRelay;

/** The speedup of two and four slow nodes with high latency over one, on the same chain. */
final class SeveralPeers implements Measurement.Work {

  private static final int BLOCKS = 3_000;
  private static final int TRANSACTIONS = 20;
  private static final int BLOCKS_PER_SECOND = 300;
  private static final int MAX_NODES = 4;
  private static final Duration ROUND_TRIP = Duration.ofMillis(100);

  /** A round takes at least 18 s for each kind of sync. */
  private static final int MAX_ROUNDS = 3;

  private static final String OTHERS = "nobody uses more than one";

  /** The kind of sync, and the target speedup for two and four nodes. */
  private enum Life {
    LATE("no coin before the last 3 %", 11, 20, 0.97, 1.9, 3.6),
    FEW("3 coins left unspent", 12, 3, 0, 1.7, 2.8),
    MANY("300 coins left unspent", 13, 300, 0, 1.2, 1.9);

    private final String about;
    private final long seed;
    private final int payments;
    private final double from;
    private final double two;
    private final double four;

    Life(String about, long seed, int payments, double from, double two, double four) {
      this.about = about;
      this.seed = seed;
      this.payments = payments;
      this.from = from;
      this.two = two;
      this.four = four;
    }

    BuiltChain chain() {
      WalletPlan plan =
          new WalletPlan(
              BusyChain.scripts(Contender.receiving(payments * 2 + 40)),
              BusyChain.scripts(Contender.change(20)),
              (tx, spent) -> {
                throw new AssertionError("nothing is spent");
              },
              payments,
              from,
              -1,
              WalletPlan.Habits.SAVING);
      return ChainBuilder.ofSeed(seed)
          .blocks(BLOCKS)
          .transactionsPerBlock(TRANSACTIONS)
          .wallet(plan)
          .build();
    }
  }

  @Override
  public void run(Bench bench) throws IOException {
    for (Life life : Life.values()) {
      run(bench, life);
    }
  }

  private static void run(Bench bench, Life life) throws IOException {
    BuiltChain built = life.chain();
    List<RegtestNode> nodes = new ArrayList<>();
    List<TcpRelay> relays = new ArrayList<>();
    try {
      for (int i = 0; i < MAX_NODES; i++) {
        Behaviour behaviour = Behaviour.honest().limitedTo(BLOCKS_PER_SECOND);
        nodes.add(RegtestNode.start(built.chain(), behaviour));
        relays.add(TcpRelay.start(nodes.get(i).port(), ROUND_TRIP));
      }
      Turns turns = new Turns(bench);
      for (int count : List.of(1, 2, 4)) {
        turns.with("nodes-" + count, () -> sync(built, relays.subList(0, count)));
      }
      turns.run(Math.min(bench.rounds(), MAX_ROUNDS));
      report(bench, life, turns);
    } finally {
      relays.forEach(TcpRelay::close);
      nodes.forEach(RegtestNode::close);
    }
  }

  private static ObjectNode sync(BuiltChain built, List<TcpRelay> relays) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--mempool-wait", "0"));
    for (TcpRelay relay : relays) {
      arguments.addAll(List.of("--connect", relay.address()));
    }
    try (MurmurCommand murmur = MurmurCommand.restored()) {
      ObjectNode result = murmur.sync(arguments.toArray(String[]::new));
      long confirmed = result.path("balance").path("confirmed_sat").asLong();
      int transactions = result.path("transactions").asInt();
      if (confirmed != built.truth().confirmedSat()
          || transactions != built.truth().transactions().size()) {
        throw new IOException("not the truth, " + built.truth().confirmedSat() + ": " + result);
      }
      return result;
    }
  }

  private static void report(Bench bench, Life life, Turns turns) {
    ObjectNode raw =
        turns
            .raw()
            .put("seed", life.seed)
            .put("blocks", BLOCKS)
            .put("transactions_per_block", TRANSACTIONS)
            .put("blocks_per_second", BLOCKS_PER_SECOND);
    Bench.Row row = bench.row("peers", raw);
    for (int count : List.of(2, 4)) {
      row.atLeast(
          Bench.text("%s: %d nodes, one node's speed = 1", life.about, count),
          Median.ofRatios(turns.of("nodes-1"), turns.of("nodes-" + count), "elapsed_ms"),
          "×",
          count == 2 ? life.two : life.four,
          OTHERS);
    }
  }
}
