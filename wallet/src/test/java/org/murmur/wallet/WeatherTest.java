package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.machine.SyncMachine;
import org.murmur.p2p.internal.net.PeerLoop;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Derivation;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.session.SessionGoal;
import org.murmur.wallet.internal.session.SessionRequest;
import org.murmur.wallet.internal.session.SessionRunner;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/**
 * Block storms as on testnet3, with the real machine, store and sockets: a network with its rules
 * whose easiest target is regtest's, so that the blocks of a storm cost nothing. The client's costs
 * are counted.
 */
@Timeout(300)
final class WeatherTest {

  private static final ConsensusRules RULES =
      new ConsensusRules(ChainParams.REGTEST.rules().proofOfWorkLimit(), true, true, false);

  private static final ChainParams NETWORK = ChainParams.REGTEST.under("testnet3-like", RULES);

  private static final int LIMIT = RULES.limitBits();
  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final List<Bytes> OWN = Lives.scripts(RECIPE, 0, 300);
  private static final Bytes FOREIGN = Bytes.ofHex("0014" + "11".repeat(20));

  /** Two fast periods: then the easiest target is a sixteenth of the work that is due. */
  private static final int HARD = 2 * ConsensusRules.PERIOD + 10;

  @TempDir Path folder = Path.of("");

  /** Makes blocks on a branch, by a second version of the rules. */
  private static final class Miner {

    private final List<Long> times;
    private final List<Integer> bits;
    private Hash256 last;
    private final int salt;

    Miner(Chain chain, int salt) {
      times = new ArrayList<>(List.of(chain.blockAt(0).time()));
      bits = new ArrayList<>(List.of(chain.blockAt(0).header().bits()));
      last = chain.blockAt(0).hash();
      this.salt = salt;
    }

    private Miner(Miner other, int salt) {
      times = new ArrayList<>(other.times);
      bits = new ArrayList<>(other.bits);
      last = other.last;
      this.salt = salt;
    }

    Miner fork(int otherSalt) {
      return new Miner(this, otherSalt);
    }

    int height() {
      return times.size() - 1;
    }

    long time() {
      return times.get(height());
    }

    /** One block in this many pays the wallet. */
    Block next(int spacing) {
      int height = times.size();
      long time = time() + spacing;
      int target = expected(height, time);
      Bytes script = height % 50 == salt % 50 ? OWN.get(height / 50 % 200) : FOREIGN;
      Block block =
          BlockAssembly.mine(
              last, height, time, target, script, Chain.subsidy(height), salt, List.of());
      times.add(time);
      bits.add(target);
      last = block.hash();
      return block;
    }

    List<Block> next(int count, int spacing) {
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        blocks.add(next(spacing));
      }
      return blocks;
    }

    private int expected(int height, long time) {
      if (height % 2016 == 0) {
        long taken = times.get(height - 1) - times.get(height - 2016);
        taken = Math.min(Math.max(taken, 302_400), 4_838_400);
        BigInteger next =
            Target.ofBits(bits.get(height - 1))
                .value()
                .multiply(BigInteger.valueOf(taken))
                .divide(BigInteger.valueOf(1_209_600));
        return Target.of(next.min(RULES.proofOfWorkLimit())).bits();
      }
      if (time > times.get(height - 1) + 1200) {
        return LIMIT;
      }
      int at = height - 1;
      while (at % 2016 != 0 && bits.get(at) == LIMIT) {
        at--;
      }
      return bits.get(at);
    }
  }

  private static Books books(Path file, long now) throws IOException {
    Derivation derivation = new Derivation(KeyNetwork.REGTEST);
    List<StoredWallet.Chain> chains = new ArrayList<>();
    RECIPE
        .descriptors()
        .forEach(d -> chains.add(new StoredWallet.Chain(d.canonical(), d.change(), true, 0)));
    StoredWallet wallet =
        new StoredWallet(
            NETWORK.text(),
            now,
            new Birthday.AtHeight(1),
            OptionalInt.empty(),
            20,
            400,
            chains,
            null);
    SqliteStore store = SqliteStore.create(file, wallet, derivation.begin(chains, 20, 400));
    Books books = new Books(store, NETWORK, KeyNetwork.REGTEST);
    books.lock();
    return books;
  }

  /** A wallet that follows a node, and its costs. */
  private static final class Follower implements AutoCloseable {

    final AtomicLong blocks = new AtomicLong();
    final AtomicLong headers = new AtomicLong();
    final AtomicLong batches = new AtomicLong();
    // A wallet with a single node must not lose it.
    private final boolean alone;
    private final Books books;
    private final PeerLoop loop;
    private final BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<@Nullable Void> running;
    private final Map<Long, Integer> rowEnds = new HashMap<>();

    Follower(Path file, long now, RegtestNode... nodes) throws IOException {
      this(
          file,
          now,
          List.of(nodes).stream().map(node -> new NodeAddress(node.host(), node.port())).toList());
    }

    Follower(Path file, long now, List<NodeAddress> nodes) throws IOException {
      books = books(file, now);
      SyncSettings settings =
          SyncSettings.of(nodes, 1)
              .limits(limits -> limits.mempoolWait(Duration.ZERO))
              .follow(true);
      alone = nodes.size() == 1;
      // The storm's blocks are dated hours apart: for the wallet that is the time, and it
      // continues.
      Duration ahead = Duration.between(Instant.now(), Instant.ofEpochSecond(now));
      Clock clock = Clock.offset(Clock.systemUTC(), ahead);
      loop =
          new PeerLoop(
              new SyncMachine(books.start(Preset.Fast.USUAL), settings),
              this::commit,
              events::add,
              clock,
              NETWORK.magic());
      running =
          CompletableFuture.runAsync(
              () -> {
                try {
                  loop.run();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }

    private List<Input> commit(CommitBatch batch) throws IOException {
      batches.incrementAndGet();
      headers.addAndGet(batch.connected().count());
      for (ScanRow row : batch.rows()) {
        int before = rowEnds.getOrDefault(row.id(), row.from() - 1);
        blocks.addAndGet(Math.max(0, row.to() - before));
        rowEnds.put(row.id(), row.to());
      }
      return books.commit(batch, 0).inputs();
    }

    /** Waits until everything up to a block is known. */
    void awaitComplete(Hash256 tip) throws Exception {
      while (true) {
        SyncEvent event = events.poll(100, TimeUnit.SECONDS);
        assertThat(event).as("nothing came of " + tip + " in time").isNotNull();
        assertThat(alone && event instanceof SyncEvent.PeerLost).as("%s", event).isFalse();
        if (event instanceof SyncFact.Complete complete && complete.tip().equals(tip)) {
          return;
        }
      }
    }

    Balance balance() throws IOException {
      return books.read(view -> view.ledger().balance(view.height()));
    }

    Set<Hash256> confirmed() throws IOException {
      return books.read(
          view ->
              view.ledger().facts().stream()
                  .filter(fact -> fact.confirmation() != null)
                  .map(fact -> fact.tx().txid())
                  .collect(Collectors.toSet()));
    }

    long received() {
      return loop.bytesReceived();
    }

    @Override
    public void close() throws IOException {
      loop.post(new Input.Stop());
      running.join();
      books.close();
    }
  }

  private static void assertTruth(Follower wallet, Chain chain) throws Exception {
    wallet.awaitComplete(chain.tip().hash());
    assertThat(wallet.balance()).isEqualTo(Lives.balance(WalletTruth.scan(chain, OWN)));
    assertThat(wallet.balance().total()).isPositive();
  }

  private static Chain hardChain(Miner miner) {
    Chain chain = Chain.ofAnyTarget();
    chain.replace(0, miner.next(HARD, 150));
    assertThat(Target.ofBits(chain.tip().header().bits()).work())
        .isEqualTo(Target.ofBits(LIMIT).work().times(16));
    return chain;
  }

  /** The clock of a follower: as if the last block of all had just come. */
  private static long afterBlocks(Miner miner, int blocks, int spacing) {
    return miner.time() + (long) blocks * spacing + 10;
  }

  /** The cost of a storm of this many blocks, announced one by one, for a wallet that follows. */
  private long[] storm(int length) throws Exception {
    Miner miner = new Miner(Chain.ofAnyTarget(), 1);
    Chain chain = hardChain(miner);
    try (RegtestNode node = RegtestNode.start(chain);
        Follower wallet =
            new Follower(folder.resolve("w" + length), afterBlocks(miner, length, 1_201), node)) {
      assertTruth(wallet, chain);
      final long blocks = wallet.blocks.get();
      final long headers = wallet.headers.get();
      final long received = wallet.received();
      final long batches = wallet.batches.get();
      int easy = 0;
      for (int i = 0; i < length; i++) {
        Block block = miner.next(1_201);
        easy += block.header().bits() == LIMIT ? 1 : 0;
        chain.append(block);
      }
      assertThat(easy).isGreaterThan(length - 5);
      assertTruth(wallet, chain);
      return new long[] {
        wallet.blocks.get() - blocks,
        wallet.headers.get() - headers,
        wallet.received() - received,
        wallet.batches.get() - batches
      };
    }
  }

  private void assertLinear(int length) throws Exception {
    long[] once = storm(length);
    long[] twice = storm(2 * length);
    assertThat(once[0]).as("blocks looked at").isEqualTo(length);
    assertThat(twice[0]).isEqualTo(2L * length);
    assertThat(once[1]).as("headers written").isEqualTo(length);
    assertThat(twice[1]).isEqualTo(2L * length);
    // Announcements differ in how many fit in one; a block's proof, header and share do not.
    assertThat(twice[2]).as("bytes received").isBetween(3 * once[2] / 2, 5 * once[2] / 2);
    assertThat(twice[3]).as("transactions of the database").isLessThanOrEqualTo(2L * length + 20);
  }

  @Test
  void aStormAtMinimumDifficulty() throws Exception {
    assertLinear(1_500);
  }

  @Test
  @Tag("long")
  void aStormOfTwentyThousand() throws Exception {
    assertLinear(10_000);
  }

  /**
   * The wallet of a storm, in a separate process: it reads the blocks to wait for, and prints its
   * balance.
   */
  static final class Small {

    /**
     * Runs.
     *
     * @param arguments the file, the time, the node's host and port
     */
    public static void main(String[] arguments) throws Exception {
      NodeAddress node = NodeAddress.parse(arguments[2], 1);
      try (Follower wallet =
              new Follower(Path.of(arguments[0]), Long.parseLong(arguments[1]), List.of(node));
          BufferedReader tips =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        for (String tip = tips.readLine(); tip != null; tip = tips.readLine()) {
          wallet.awaitComplete(Hash256.ofDisplay(tip));
          System.out.println(wallet.balance().total() + " " + wallet.blocks);
        }
      }
    }
  }

  /** It must not need more memory for a storm than for anything else. */
  @Test
  @Tag("long")
  void aStormOfTwentyThousandNeedsNoMoreThan48Megabytes() throws Exception {
    Miner miner = new Miner(Chain.ofAnyTarget(), 1);
    Chain chain = hardChain(miner);
    long now = afterBlocks(miner, 20_000, 1_201);
    List<Block> storm = miner.next(20_000, 1_201);
    Path errors = folder.resolve("errors");
    try (RegtestNode node = RegtestNode.start(chain)) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx48m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Small.class.getName(),
                  folder.resolve("small").toString(),
                  Long.toString(now),
                  node.address())
              .redirectError(errors.toFile())
              .start();
      try (BufferedReader told = process.inputReader(StandardCharsets.UTF_8);
          PrintStream tips =
              new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8)) {
        tips.println(chain.tip().hash().toDisplay());
        assertThat(told.readLine())
            .as(Files.readString(errors))
            .isEqualTo(Lives.balance(WalletTruth.scan(chain, OWN)).total() + " " + HARD);
        tips.println(storm.get(storm.size() - 1).hash().toDisplay());
        storm.forEach(chain::append);
        assertThat(told.readLine())
            .as(Files.readString(errors))
            .isEqualTo(Lives.balance(WalletTruth.scan(chain, OWN)).total() + " " + (HARD + 20_000));
      } finally {
        process.destroy();
      }
    }
  }

  @Test
  void aReorganisationOfFiveHundredBlocks() throws Exception {
    Miner trunk = new Miner(Chain.ofAnyTarget(), 1);
    Chain chain = hardChain(trunk);
    Miner gone = trunk.fork(2);
    Miner come = trunk.fork(3);
    chain.replace(HARD, gone.next(500, 600));
    try (RegtestNode node = RegtestNode.start(chain);
        Follower wallet = new Follower(folder.resolve("w"), afterBlocks(trunk, 520, 600), node)) {
      assertTruth(wallet, chain);
      final Set<Hash256> before = wallet.confirmed();
      final long blocks = wallet.blocks.get();
      chain.replace(HARD, come.next(501, 600));
      assertTruth(wallet, chain);
      // Coinbases of disconnected blocks are dead, and others replaced them.
      assertThat(wallet.confirmed()).hasSameSizeAs(before).isNotEqualTo(before);
      assertThat(wallet.blocks.get() - blocks).as("each new block once").isEqualTo(501);
      chain.append(come.next(600));
      assertTruth(wallet, chain);
    }
  }

  /**
   * Each in turn gets two blocks ahead: every change of the active branch is a reorganisation down
   * to the fork. It costs as many blocks as the branch has, for a node as for us, and no more.
   */
  @Test
  void twoBranchesThatGrowInTurn() throws Exception {
    Miner trunk = new Miner(Chain.ofAnyTarget(), 1);
    Chain chain = hardChain(trunk);
    Miner[] miners = {trunk.fork(2), trunk.fork(3)};
    List<List<Block>> branches = List.of(new ArrayList<>(), new ArrayList<>());
    int turns = 40;
    try (RegtestNode node = RegtestNode.start(chain);
        Follower wallet =
            new Follower(folder.resolve("w"), afterBlocks(trunk, 2 * turns, 600), node)) {
      assertTruth(wallet, chain);
      final long before = wallet.blocks.get();
      long served = 0;
      for (int turn = 0; turn < turns; turn++) {
        List<Block> branch = branches.get(turn % 2);
        branch.addAll(miners[turn % 2].next(turn == 0 ? 1 : 2, 600));
        chain.replace(HARD, branch);
        served += branch.size();
        if (turn % 5 == 4) {
          assertTruth(wallet, chain);
        }
      }
      assertThat(wallet.blocks.get() - before).isLessThanOrEqualTo(served);
    }
  }

  /**
   * A single peer without further headers does not have the chain of a network that never pauses.
   */
  @ParameterizedTest
  @ValueSource(ints = {13, 15})
  void aTipOfWeeksAgoCompletesNothing(int days) throws Exception {
    Miner miner = new Miner(Chain.ofAnyTarget(), 1);
    Chain chain = Chain.ofAnyTarget();
    chain.replace(0, miner.next(260, 600));
    Instant now = Instant.ofEpochSecond(miner.time()).plus(Duration.ofDays(days));
    Clock clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), now));
    Checkpoints known =
        Checkpoints.of(
            List.of(new Checkpoints.Checkpoint(200, chain.blockAt(200).hash())), ChainWork.ZERO);
    Books books = books(folder.resolve("w"), now.getEpochSecond());
    try (RegtestNode node = RegtestNode.start(chain)) {
      SyncOptions options =
          SyncOptions.connect(node.address())
              .limits(limits -> limits.mempoolWait(Duration.ZERO))
              .checkpoints(known);
      SyncReport report =
          new SessionRunner(
                  books,
                  NETWORK,
                  new SessionRequest(new SessionGoal.Sync(), options, false),
                  SyncListener.NONE,
                  new Environment(clock, new SecureRandom()))
              .run();
      assertThat(report.complete()).isEqualTo(days < 14);
      assertThat(report.ending())
          .isEqualTo(days < 14 ? SyncReport.Ending.DONE : SyncReport.Ending.ENDS_LONG_AGO);
      assertThat(report.warnings())
          .singleElement()
          .isInstanceOfSatisfying(
              WalletWarning.OldTip.class,
              tip -> {
                assertThat(tip.height()).isEqualTo(260);
                assertThat(tip.age().toDays()).isEqualTo(days);
              });
      assertThat(report.balance()).isEqualTo(Lives.balance(WalletTruth.scan(chain, OWN)));
      assertThat(report.balance().total()).isPositive();
    } finally {
      books.close();
    }
  }

  /** Every header is from the future, so there is nothing to scan. */
  @Test
  void aClockThatIsBehindCompletesNothing() throws Exception {
    Miner miner = new Miner(Chain.ofAnyTarget(), 1);
    Chain chain = Chain.ofAnyTarget();
    chain.replace(0, miner.next(60, 600));
    Instant now =
        Instant.ofEpochSecond(miner.time()).minus(Duration.ofDays(30).plusMinutes(60 * 10));
    Clock clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), now));
    Books books = books(folder.resolve("w"), now.getEpochSecond());
    try (RegtestNode node = RegtestNode.start(chain)) {
      SyncOptions options =
          SyncOptions.connect(node.address()).limits(limits -> limits.mempoolWait(Duration.ZERO));
      SyncReport report =
          new SessionRunner(
                  books,
                  NETWORK,
                  new SessionRequest(new SessionGoal.Sync(), options, false),
                  SyncListener.NONE,
                  new Environment(clock, new SecureRandom()))
              .run();
      assertThat(report.complete()).isFalse();
      assertThat(report.height()).isZero();
      assertThat(report.warnings()).anyMatch(SyncWarning.ClockBehind.class::isInstance);
    } finally {
      books.close();
    }
  }

  /**
   * A longer branch at the minimum difficulty has less work: a wallet that gets both stays on the
   * shorter one, and drops the other peer.
   */
  @Test
  void aLongerBranchWithLessWorkIsNotFollowed() throws Exception {
    Miner trunk = new Miner(Chain.ofAnyTarget(), 1);
    Chain chain = hardChain(trunk);
    Chain other = chain.copy();
    chain.replace(HARD, trunk.fork(2).next(100, 600));
    other.replace(HARD, trunk.fork(3).next(1_000, 1_201));
    long now = afterBlocks(trunk, 1_000, 1_201);
    try (RegtestNode longer = RegtestNode.start(other);
        RegtestNode node = RegtestNode.start(chain);
        Follower wallet = new Follower(folder.resolve("w"), now, longer, node)) {
      assertTruth(wallet, chain);
      assertThat(wallet.events)
          .filteredOn(event -> event instanceof SyncFact.Complete)
          .allMatch(event -> ((SyncFact.Complete) event).tip().equals(chain.tip().hash()));
    }
  }
}
