package org.murmur.testbed.world;

import static org.murmur.testbed.world.plan.Timeline.SECOND;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Birthday;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.judge.ClientPreset;
import org.murmur.testbed.world.judge.CompactPreset;
import org.murmur.testbed.world.judge.FastPreset;
import org.murmur.testbed.world.judge.GuardedPreset;
import org.murmur.testbed.world.judge.Invariants;
import org.murmur.testbed.world.judge.Require;
import org.murmur.testbed.world.network.Setting;
import org.murmur.testbed.world.network.SimNetwork;
import org.murmur.testbed.world.network.Trace;
import org.murmur.testbed.world.plan.Guarding;
import org.murmur.testbed.world.plan.Timeline;
import org.murmur.testbed.world.plan.Weather;
import org.murmur.testbed.world.plan.WorldOptions;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * One life of a client among its peers, in virtual time.
 *
 * <p>A time of unrest comes first: blocks, payments, reorganisations, lines that break, nodes that
 * vanish, a slow disk, crashes between any two steps and in the middle of a commit, and process
 * after process that continues from what is on disk. Then the calm begins: random faults stop,
 * deliberate ones do not, and one honest peer can always be reached. The client has to find
 * everything then.
 *
 * <p>{@link Invariants} are checked after every step. Everything is drawn from the seed: the same
 * seed, options and client give the same world to the last message, and {@link
 * WorldReport#fingerprint} shows it.
 */
public final class World {

  /** How many lines of a failed world's end are kept. */
  private static final int TAIL = 60;

  /** Scripts of each chain, more than any world uses. */
  private static final int SCRIPTS = 400;

  /** A client that is not complete by then never will be. */
  private static final long PATIENCE = 4 * 3600 * SECOND;

  private static final long MAX_STEPS = 400_000;

  private final Setting setting;
  private final ClientPreset preset;
  private final TestedClient client;
  private final Disturbances unrest;
  private final Processes processes;
  private final WorldCounts tally = new WorldCounts();

  private World(
      WorldPlan plan,
      WorldOptions options,
      TestedClient.Maker maker,
      @Nullable Consumer<String> listener)
      throws IOException {
    Guarding guarding = Guarding.of(plan, options);
    int handedOut = guarding.handedOut();
    Economy economy =
        new Economy(
            plan, scripts(maker, 0, handedOut), scripts(maker, 1, handedOut), maker.signer());
    Timeline time = new Timeline(economy.chain.tip().time() + 60);
    Dice dice = new Dice(plan.seed() ^ 0x776f726c64L);
    setting =
        new Setting(
            plan,
            guarding,
            Weather.of(plan, options),
            economy,
            time,
            dice,
            new Trace(time, listener));
    preset =
        switch (options.preset()) {
          case FAST -> new FastPreset(plan, economy, options);
          case PRIVATE -> new GuardedPreset(guarding, economy, options.sending());
          case COMPACT -> new CompactPreset(plan, economy);
        };
    client =
        maker.make(
            new TestedClient.Wallet(
                birthday(plan, economy), plan.gap(), plan.lookAhead(), plan.file(), handedOut));
    SimNetwork network = new SimNetwork(setting);
    User user = new User(setting, network.nodes(), preset.rules());
    Invariants judge = new Invariants(plan, economy, preset, address -> network.node(address).plan);
    processes = new Processes(setting, preset, client, network, user, judge, tally);
    unrest = new Disturbances(setting, network, processes, preset.rules(), options.sending());
  }

  /** The scripts that will be paid: those after the ones that were handed out before. */
  private static List<Bytes> scripts(TestedClient.Maker maker, int chain, int handedOut) {
    return maker.scripts(chain, handedOut + SCRIPTS).subList(handedOut, handedOut + SCRIPTS);
  }

  private static Birthday birthday(WorldPlan plan, Economy economy) {
    int height = WorldPlan.BASE_HEIGHT + plan.birthday();
    return plan.bornByTime()
        ? new Birthday.AtTime(Instant.ofEpochSecond(economy.chain.blockAt(height).time()))
        : new Birthday.AtHeight(height);
  }

  /**
   * Runs a world. Throws {@link WorldFailure} if the client did what it must not, and {@link
   * IOException} if its disk failed of its own accord.
   */
  public static WorldReport run(long seed, WorldOptions options, TestedClient.Maker maker)
      throws IOException {
    WorldPlan plan = WorldPlan.draw(seed, options);
    try {
      return live(plan, options, maker, null);
    } catch (AssertionError | RuntimeException e) {
      throw again(plan, options, maker, e);
    }
  }

  /** Runs a failed world once more with a listener: the same seed gives the same world. */
  private static WorldFailure again(
      WorldPlan plan, WorldOptions options, TestedClient.Maker maker, Throwable first)
      throws IOException {
    ArrayDeque<String> tail = new ArrayDeque<>();
    Throwable seen;
    try {
      live(
          plan,
          options,
          maker,
          line -> {
            if (tail.size() == TAIL) {
              tail.remove();
            }
            tail.add(line);
          });
      seen = new AssertionError("it went another way the second time; the first: " + first, first);
    } catch (AssertionError | RuntimeException second) {
      seen = second;
    }
    return new WorldFailure(plan.seed(), options, plan.toString(), seen, List.copyOf(tail));
  }

  /**
   * Runs a world. The listener gets a line for each event, with the seconds since the beginning.
   */
  public static WorldReport trace(
      long seed, WorldOptions options, TestedClient.Maker maker, Consumer<String> listener)
      throws IOException {
    WorldPlan plan = WorldPlan.draw(seed, options);
    listener.accept(plan.toString());
    return live(plan, options, maker, listener);
  }

  private static WorldReport live(
      WorldPlan plan,
      WorldOptions options,
      TestedClient.Maker maker,
      @Nullable Consumer<String> listener)
      throws IOException {
    World world = new World(plan, options, maker, listener);
    try {
      world.unrest.schedule();
      world.processes.begin();
      world.play();
      return world.report(options.guarded() ? plan + " " + world.setting.guarding() : "" + plan);
    } finally {
      world.client.close();
    }
  }

  private void play() {
    Timeline time = setting.time();
    while (!time.isOver()) {
      Runnable next = time.next();
      Require.require(
          time.now() < PATIENCE && tally.steps() < MAX_STEPS,
          "the client hangs: after %d s and %d steps it is still not done",
          time.now() / SECOND,
          tally.steps());
      next.run();
    }
  }

  private WorldReport report(String words) throws IOException {
    return new WorldReport(
        setting.plan().seed(),
        words,
        setting.plan().peers().size(),
        tally.processes(),
        tally.crashes(),
        tally.commits(),
        tally.steps(),
        tally.blocks(),
        tally.claims(),
        setting.economy().chain.height(),
        client.holdings().transactions().size(),
        preset.rules().guardsReplaced(),
        preset.rules().scriptEpochs(),
        Duration.ofNanos(setting.time().now()),
        setting.trace().fingerprint());
  }
}
