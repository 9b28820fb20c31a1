package org.murmur.testbed.world;

import static org.murmur.testbed.world.plan.Timeline.SECOND;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.judge.ClientPreset;
import org.murmur.testbed.world.judge.Invariants;
import org.murmur.testbed.world.judge.Require;
import org.murmur.testbed.world.network.Setting;
import org.murmur.testbed.world.network.SimNetwork;
import org.murmur.testbed.world.plan.Timeline;
import org.murmur.testbed.world.plan.WorldPlan;

/** The client's processes, one after another; each continues from what is on disk. */
final class Processes {

  /** How long a client that stays keeps running at the end, to get unconfirmed transactions. */
  static final long SETTLE = 100 * SECOND;

  /** A transaction that guards do not announce is doubted when it is older than ten minutes. */
  private static final long DOUBT = 660 * SECOND;

  /** Processes that may begin after the calm before one has to get everything right. */
  private static final int MAX_TRIES = 12;

  final TestedClient client;
  final SimNetwork network;
  final User user;
  final Invariants judge;
  final WorldCounts tally;
  private final ClientPreset preset;
  private final Setting setting;
  private final Timeline time;
  private final Dice damage;
  private @Nullable ClientProcess running;
  // How many began after the calm.
  private int tries;

  Processes(
      Setting setting,
      ClientPreset preset,
      TestedClient client,
      SimNetwork network,
      User user,
      Invariants judge,
      WorldCounts tally) {
    this.setting = setting;
    this.preset = preset;
    this.client = client;
    this.network = network;
    this.user = user;
    this.judge = judge;
    this.tally = tally;
    this.time = setting.time();
    this.damage = new Dice(setting.plan().seed() ^ 0x63616c6dL);
  }

  /** Whether a process runs that was not asked to stop. */
  boolean isListening() {
    return running != null && running.isListening();
  }

  /** Gives the running process an input, if there is one. */
  void give(Input input) {
    if (running != null) {
      running.give(input);
    }
  }

  /** The user of the running process pays. */
  void pay(Bytes script, long chance) {
    if (running != null) {
      running.pay(script, chance);
    }
  }

  /** The user of the running process abandons a payment. */
  void abandon(long chance) {
    if (running != null) {
      running.abandon(chance);
    }
  }

  void begin() {
    if (setting.guarding().onePeer() && time.isCalm() && time.now() < time.calmAt() + DOUBT) {
      time.later(time.calmAt() + DOUBT - time.now(), this::begin);
      return;
    }
    int number = tally.process();
    boolean follows = isToStay();
    if (time.isCalm()) {
      tries++;
      Require.require(tries <= MAX_TRIES, "%d undisturbed processes, and none completed", tries);
    }
    setting
        .trace()
        .line(() -> "process " + number + " begins" + (follows ? " and is to stay" : ""));
    ClientProcess.disk(() -> running = start(number, follows));
    ClientProcess begun = running;
    give(new Input.Tick());
    if (time.isCalm() && !setting.weather().damages().isEmpty()) {
      time.later(
          damage.below(3 * SECOND),
          () -> {
            if (running == begun) {
              network.damageNext();
            }
          });
    }
  }

  private ClientProcess start(int number, boolean follows) throws IOException {
    judge.begins(client);
    Machine machine = client.start(settings(follows));
    return new ClientProcess(number, machine, follows, this, setting);
  }

  private boolean isToStay() {
    WorldPlan plan = setting.plan();
    boolean stays = setting.dice().chance(plan.follow());
    if (!time.isCalm()) {
      return stays;
    }
    // If some peers are behind, only a process that stays is sure to get the best chain in the end.
    boolean someAreBehind = plan.has(WorldPlan.Kind.LAGGING) || plan.has(WorldPlan.Kind.FORKED);
    return preset.mayStayInCalm() && (stays || someAreBehind);
  }

  private SyncSettings settings(boolean follows) {
    WorldPlan plan = setting.plan();
    SyncSettings usual = SyncSettings.of(user.names(), setting.dice().number());
    SyncSettings common =
        usual
            .peers(peers -> time.isUnrest() ? peers.connections(plan.connections()) : peers)
            .follow(follows)
            .limits(limits -> plan.mempool() ? limits : limits.mempoolWait(Duration.ZERO));
    return preset.settings(common, user.dismissed());
  }

  /** A process crashed. */
  void crashed() {
    tally.crash();
    judge.lost();
    leave();
  }

  /** A process has ended. It is the last if it had to get everything right. */
  void ended(ClientProcess process) {
    if (time.isCalm() && hasToBeRight(process)) {
      ClientProcess.disk(() -> judge.atEnd(process.heard(), client.holdings()));
      time.end();
    }
    leave();
  }

  /** The first that began after the calm, unless it misses a guard. */
  private static boolean hasToBeRight(ClientProcess process) {
    // Earlier processes may have had fewer connections and given up. Where a guard was missing the
    // user learned which one to give up, and starts again.
    return process.isBegunInCalm() && !process.heard().isGuardMissing();
  }

  /** The process is gone, and so are its connections. */
  private void leave() {
    running = null;
    network.closeAll();
    long pause = time.isUnrest() ? setting.plan().unrest().toNanos() / 4 : SECOND;
    time.later(SECOND / 10 + setting.dice().below(pause), this::begin);
  }

  /** The calm has begun: the running process may have lost peers for good that it needs. */
  void calmedDown() {
    ClientProcess since = running;
    if (since != null && since.isListening()) {
      time.later(
          SETTLE + 240 * SECOND, () -> since.stop("it has been there since before it calmed down"));
    }
  }
}
