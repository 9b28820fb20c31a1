package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletPlan;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Random wallets over real connections whose only peer with Bloom filters omits some of their
 * transactions; up to three peers serve block filters (BIP-0157). Each trial has its own chain,
 * wallet, omission and preset.
 */
@Tag("long")
@Timeout(1_800)
final class OmissionTrialsTest {

  private static final int TRIALS = 200;

  /** A trial after which the same wallet meets an honest peer: one in so many. */
  private static final int HONEST_EVERY = 4;

  private static final int SCRIPTS = 150;

  @TempDir Path folder = Path.of("");

  private final Map<String, Integer> seen = new TreeMap<>();

  /** Which of the wallet's transactions are omitted. */
  private enum Lie {
    ONE,
    BLOCK,
    SOME,
    PAYMENTS,
    SPENDS,
    EVERYTHING
  }

  /** A wallet on a chain, and what is omitted. */
  private static final class Trial {

    final long seed;
    final Random dice;
    final OutputType type;
    final WalletRecipe recipe;
    final Set<Bytes> scripts = new HashSet<>();
    final BuiltChain built;
    final Lie lie;
    final Set<Hash256> omitted = new HashSet<>();

    Trial(long seed) {
      this.seed = seed;
      dice = new Random(seed);
      type = List.of(OutputType.values()).get(dice.nextInt(OutputType.values().length));
      recipe =
          WalletRecipe.ofMnemonic(
                  ChainParams.REGTEST, Lives.WORDS, "trial " + seed, List.of(type), 0)
              .withLookAhead(SCRIPTS);
      List<Bytes> receive = Lives.scripts(recipe, 0, SCRIPTS);
      List<Bytes> change = Lives.scripts(recipe, 1, SCRIPTS);
      scripts.addAll(receive);
      scripts.addAll(change);
      built =
          ChainBuilder.ofSeed(seed)
              .blocks(150 + dice.nextInt(150))
              .transactionsPerBlock(2 + dice.nextInt(4))
              .wallet(WalletPlan.lively(receive, change, (tx, spent) -> tx, 5 + dice.nextInt(40)))
              .build();
      lie = List.of(Lie.values()).get(dice.nextInt(Lie.values().length));
    }

    /** Draws the omission. */
    void omit() {
      omitted.clear();
      List<WalletTruth.Entry> all = built.truth().transactions();
      WalletTruth.Entry chosen = all.get(dice.nextInt(all.size()));
      for (WalletTruth.Entry entry : all) {
        boolean omits =
            switch (lie) {
              case ONE -> entry.equals(chosen);
              case BLOCK -> entry.height() == chosen.height();
              case SOME -> entry.equals(chosen) || dice.nextInt(4) == 0;
              case PAYMENTS -> entry.netSat() > 0;
              case SPENDS -> entry.equals(chosen) || entry.netSat() < 0;
              case EVERYTHING -> true;
            };
        if (omits) {
          omitted.add(entry.txid());
        }
      }
      // A spend of a coin whose payment is hidden would convict the peer at once: it does not match
      // what is known of the filter.
      Chain chain = built.chain();
      for (int height = 1; height <= chain.height(); height++) {
        for (Tx tx : chain.blockAt(height).transactions()) {
          if (tx.inputs().stream().anyMatch(in -> omitted.contains(in.outPoint().txid()))) {
            omitted.add(tx.txid());
          }
        }
      }
    }

    /**
     * Transactions that have to be known: those served, and all of a block whose filter matches
     * more than those served explain. A filter says which scripts a block touches, and not how
     * often.
     */
    Set<Hash256> knowable() {
      Map<OutPoint, Bytes> all = new HashMap<>();
      Map<OutPoint, Bytes> coins = new HashMap<>();
      Set<Hash256> known = new HashSet<>();
      Chain chain = built.chain();
      for (int height = 1; height <= chain.height(); height++) {
        List<Tx> block = chain.blockAt(height).transactions();
        Set<Bytes> matches = new HashSet<>();
        block.forEach(tx -> matches.addAll(touched(tx, all)));
        Set<Bytes> explained = new HashSet<>();
        for (Tx tx : block) {
          if (!omitted.contains(tx.txid())) {
            explained.addAll(learn(tx, coins, known));
          }
        }
        if (!explained.containsAll(matches)) {
          block.forEach(tx -> learn(tx, coins, known));
        }
      }
      return known;
    }

    private Set<Bytes> learn(Tx tx, Map<OutPoint, Bytes> coins, Set<Hash256> known) {
      Set<Bytes> touched = touched(tx, coins);
      if (!touched.isEmpty()) {
        known.add(tx.txid());
      }
      return touched;
    }

    /** The scripts of the wallet that a transaction pays or spends from; its coins are added. */
    private Set<Bytes> touched(Tx tx, Map<OutPoint, Bytes> coins) {
      Set<Bytes> touched = new HashSet<>();
      for (Tx.Input input : tx.inputs()) {
        Bytes script = coins.get(input.outPoint());
        if (script != null) {
          touched.add(script);
        }
      }
      for (int i = 0; i < tx.outputs().size(); i++) {
        Bytes script = tx.outputs().get(i).script();
        if (scripts.contains(script)) {
          coins.put(tx.outPoint(i), script);
          touched.add(script);
        }
      }
      return touched;
    }
  }

  @Test
  void whateverTheOnlyPeerOmitsIsFound() throws Exception {
    long first = Long.getLong("murmur.omissions.seed", new Random().nextInt(1_000_000));
    System.out.println("omissions with seed " + first);
    List<String> failed = new ArrayList<>();
    for (long seed = first; seed < first + TRIALS; seed++) {
      try {
        run(new Trial(seed));
        count("found");
      } catch (AssertionError e) {
        failed.add("seed " + seed + ": " + e.getMessage());
      }
    }
    System.out.println("omissions with seed " + first + ": " + seen);
    assertThat(failed).isEmpty();
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  private void run(Trial trial) throws Exception {
    trial.omit();
    Set<Hash256> knowable = trial.knowable();
    while (trial.omitted.stream().noneMatch(knowable::contains)) {
      // No filter shows it: what is served touches the same scripts in the same blocks.
      count("redrawn: no filter shows it");
      trial.omit();
      knowable = trial.knowable();
    }
    int filterPeers = 1 + trial.dice.nextInt(3);
    Preset.Kind preset = trial.dice.nextBoolean() ? Preset.Kind.FAST : Preset.Kind.PRIVATE;
    count(preset + ", " + trial.lie);
    Behaviour lie = Behaviour.honest().with(new Omits(trial.omitted, 0));
    List<RegtestNode> nodes = new ArrayList<>();
    try {
      nodes.add(RegtestNode.start(trial.built.chain().copy(), lie));
      nodes.add(RegtestNode.start(trial.built.chain().copy(), Behaviour.honest()));
      for (int i = 0; i < filterPeers; i++) {
        Behaviour filters = Behaviour.honest().withoutBloom().withCompactFilters();
        nodes.add(RegtestNode.start(trial.built.chain().copy(), filters));
      }
      String what = "seed " + trial.seed + ", " + preset + ", " + trial.lie;
      Map<String, String> accused = new HashMap<>();
      Set<Hash256> known = sync(trial, preset, 0, nodes, accused);
      String liar = nodes.get(0).address();
      assertThat(accused).as(what).containsOnlyKeys(liar, "ending");
      assertThat(accused.get(liar)).as(what).startsWith("OMISSION");
      assertThat(accused.get("ending")).as(what).isEqualTo("TOO_FEW_PEERS");
      assertThat(known).as(what).containsAll(knowable);
      assertThat(trial.built.truth().byTxid().keySet()).as(what).containsAll(known);
      if (trial.seed % HONEST_EVERY == 0) {
        accused.clear();
        known = sync(trial, preset, 1, nodes, accused);
        assertThat(accused).as(what + ", honest").isEqualTo(Map.of("ending", "DONE"));
        assertThat(known).as(what).isEqualTo(trial.built.truth().byTxid().keySet());
        count("honest peer not accused");
      }
    } finally {
      nodes.forEach(RegtestNode::close);
    }
  }

  /** Syncs a new wallet with one of the first two peers and all filter peers. */
  private Set<Hash256> sync(
      Trial trial, Preset.Kind preset, int bloom, List<RegtestNode> nodes, Map<String, String> told)
      throws Exception {
    List<RegtestNode> peers = new ArrayList<>(nodes.subList(2, nodes.size()));
    peers.add(nodes.get(bloom));
    String[] addresses = peers.stream().map(RegtestNode::address).toArray(String[]::new);
    int voices = peers.size() - 1;
    SyncOptions options =
        SyncOptions.connect(addresses)
            .limits(limits -> limits.mempoolWait(Duration.ZERO))
            .preset(preset)
            .ifFast(fast -> fast.filterPeers(voices))
            .ifPrivate(usual -> usual.onePeer(true).filterPeers(voices));
    Path file = folder.resolve("wallet-" + trial.seed + "-" + bloom);
    try (SpvWallet wallet = SpvWallet.create(file, trial.recipe)) {
      SyncReport report = wallet.sync(options, SyncListener.NONE);
      report
          .peers()
          .forEach(peer -> peer.misbehaviour().ifPresent(it -> told.put("" + peer.address(), it)));
      told.put("ending", "" + report.ending());
      return wallet.history().list().stream().map(HistoryEntry::txid).collect(Collectors.toSet());
    }
  }
}
