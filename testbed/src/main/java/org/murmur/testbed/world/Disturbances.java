package org.murmur.testbed.world;

import static org.murmur.testbed.world.plan.Timeline.SECOND;

import java.time.Duration;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.judge.MessageRules;
import org.murmur.testbed.world.network.Setting;
import org.murmur.testbed.world.network.SimConnection;
import org.murmur.testbed.world.network.SimNetwork;
import org.murmur.testbed.world.network.SimNode;
import org.murmur.testbed.world.network.Suspicions;
import org.murmur.testbed.world.network.Trace;
import org.murmur.testbed.world.network.TraceText;
import org.murmur.testbed.world.network.UselessMessages;
import org.murmur.testbed.world.plan.Guarding;
import org.murmur.testbed.world.plan.Timeline;
import org.murmur.testbed.world.plan.Weather;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * The events of the time of unrest: blocks, payments, reorganisations, nodes that vanish, catch up
 * or send noise, and the user's requests.
 */
final class Disturbances {

  private static final long SOON = Duration.ofSeconds(3).toNanos();

  /** Between two blocks of a storm. */
  private static final long STORM_PAUSE = Duration.ofMillis(20).toNanos();

  private final WorldPlan plan;
  private final Guarding guarding;
  private final Economy economy;
  private final Timeline time;
  private final Dice dice;
  private final Trace trace;
  private final SimNetwork network;
  private final Processes processes;
  private final MessageRules rules;
  private final UselessMessages shouts;
  private final Dice suspecting;
  private final Suspicions suspicions;
  private final Weather weather;
  // Whether two branches of equal work race: then no block decides.
  private boolean racing;
  // Whether the wallet pays.
  private final boolean sending;

  Disturbances(
      Setting setting,
      SimNetwork network,
      Processes processes,
      MessageRules rules,
      boolean sending) {
    this.sending = sending;
    this.plan = setting.plan();
    this.guarding = setting.guarding();
    this.weather = setting.weather();
    this.economy = setting.economy();
    this.time = setting.time();
    this.dice = setting.dice();
    this.trace = setting.trace();
    this.network = network;
    this.processes = processes;
    this.rules = rules;
    this.shouts = new UselessMessages(dice, economy);
    this.suspecting = new Dice(plan.seed() ^ 0x73757370656374L);
    this.suspicions = new Suspicions(suspecting, economy);
  }

  /** Draws the times of the events, and the time of the calm. */
  void schedule() {
    long unrest = plan.unrest().toNanos();
    scheduleChain(unrest);
    for (int i = 0; i < plan.outages(); i++) {
      time.later(
          dice.below(unrest),
          () -> vanish(network.nodes().get(dice.below(network.nodes().size()))));
    }
    for (int i = 0; i < plan.rescans(); i++) {
      time.later(dice.below(unrest), this::rescan);
    }
    for (SimNode node : network.nodes()) {
      switch (node.plan.kind()) {
        case LAGGING -> time.later(node.plan.lag().toNanos(), () -> catchUp(node));
        case FORKED -> time.later(dice.below(unrest), () -> fork(node));
        case NOISY -> time.later(dice.below(unrest), () -> shout(node));
        default -> {
          // Its behaviour covers this already.
        }
      }
    }
    if (!guarding.goneAt().isZero()) {
      time.later(guarding.goneAt().toNanos(), this::loseForGood);
    }
    for (int i = 0; i < guarding.broadcasts(); i++) {
      time.later(dice.below(unrest), this::broadcast);
    }
    if (sending) {
      for (int i = dice.between(1, 8); i > 0; i--) {
        long at = dice.below(unrest);
        time.later(at, this::pay);
        if (dice.chance(0.3)) {
          // Later a peer has it, and it can no longer be abandoned.
          time.later(at + dice.below(SOON), this::abandon);
        }
      }
    }
    scheduleWeather();
    time.later(weather.calmAt(plan).toNanos(), this::calmDown);
  }

  private void scheduleWeather() {
    for (Duration at : weather.damages()) {
      time.later(at.toNanos(), network::damageNext);
    }
    economy.chain.listen((gone, come) -> followUnlessRacing());
    for (SimNode node : network.nodes()) {
      if (weather.pushes() && !node.plan.isHonest()) {
        time.later(suspecting.below(plan.unrest().toNanos()), () -> push(node));
      }
    }
    if (!weather.race().isZero()) {
      time.later(weather.raceAt().toNanos(), this::race);
      time.later(weather.raceAt().plus(weather.race()).toNanos(), this::decide);
    }
  }

  private List<SimNode> racers() {
    return network.nodes().stream()
        .filter(node -> node.plan.kind() == WorldPlan.Kind.RACING)
        .toList();
  }

  private void followUnlessRacing() {
    if (!racing) {
      racers().forEach(node -> node.catchUp(economy.chain));
    }
  }

  /** Two blocks are mined on the same tip, and each reaches a part of the nodes first. */
  private void race() {
    racing = true;
    economy.mine(time.seconds(), true);
    SimNode first = racers().get(0);
    economy.mineElsewhere(first.chain, time.seconds());
    racers().forEach(node -> node.catchUp(first.chain));
    trace.line(() -> "two blocks race at " + economy.chain.height());
  }

  /** The next block decides. It reaches the others some seconds later. */
  private void decide() {
    economy.mine(time.seconds(), true);
    trace.line(() -> "the race is decided at " + economy.chain.height());
    time.later(
        SOON,
        () -> {
          racing = false;
          followUnlessRacing();
        });
  }

  private void scheduleChain(long unrest) {
    long pause = plan.blockPause().toNanos();
    for (long at = dice.below(pause); at < unrest; at += pause / 2 + dice.below(pause)) {
      time.later(at, this::mine);
    }
    // No block comes in the calm: a private session of one sync leaves it to the next one.
    long end = plan.stormAt().toNanos() + plan.storm() * STORM_PAUSE;
    for (long at = plan.stormAt().toNanos(); at < Math.min(end, unrest); at += STORM_PAUSE) {
      time.later(at, this::mine);
    }
    for (int depth : plan.reorgs()) {
      time.later(dice.below(unrest), () -> reorganise(depth));
    }
    for (int i = dice.between(0, (int) (plan.payments() * 15)); i > 0; i--) {
      time.later(dice.below(unrest), economy::stir);
    }
  }

  // ---------------------------------------------------------------- the chain

  private void mine() {
    if (racing) {
      return;
    }
    economy.mine(time.seconds(), true);
    trace.line(
        () ->
            "mined " + economy.chain.height() + " " + TraceText.brief(economy.chain.tip().hash()));
  }

  private void reorganise(int depth) {
    if (racing) {
      return;
    }
    int gone = economy.reorganise(depth, time.seconds());
    trace.line(() -> "reorganised " + gone + " blocks away, now at " + economy.chain.height());
  }

  private void catchUp(SimNode node) {
    node.catchUp(economy.chain);
    if (time.isUnrest()) {
      time.later(node.plan.lag().toNanos(), () -> catchUp(node));
    }
  }

  private void fork(SimNode node) {
    // Always with less work than the common chain, or it would be the truth.
    if (node.chain.height() + 1 < economy.chain.height()) {
      economy.mineElsewhere(node.chain, time.seconds());
    }
    if (time.isUnrest()) {
      time.later(plan.blockPause().toNanos() + 1, () -> fork(node));
    }
  }

  // ---------------------------------------------------------------- the nodes

  private void vanish(SimNode node) {
    long away = dice.below(40) * SECOND;
    node.vanish(time.now() + away, dice.chance(0.5));
    trace.line(() -> node + " is out of reach for " + away / SECOND + " s");
    network.hangUp(node, "the node vanished");
  }

  /** A peer leaves and never comes back: an honest one, and a guard if there is one. */
  private void loseForGood() {
    SimNode lost = null;
    for (SimNode node : network.nodes()) {
      boolean guard = rules.wasShownAnything(node.address);
      if (node.plan.kind() == WorldPlan.Kind.HONEST && (lost == null || guard)) {
        lost = node;
      }
    }
    if (lost != null) {
      SimNode gone = lost;
      trace.line(() -> gone + " is gone for good");
      gone.goForGood(dice.chance(0.5));
      network.hangUp(gone, "the node is gone");
    }
  }

  private void shout(SimNode node) {
    int kind = dice.below(UselessMessages.KINDS);
    int count = dice.chance(0.1) ? 3_000 : dice.between(1, 40);
    trace.line(() -> node + " shouts, kind " + kind + ", " + count + " times");
    for (SimConnection line : node.lines()) {
      network.say(line, shouts.of(kind, count));
    }
    if (time.isUnrest()) {
      time.later(dice.below(10) * SECOND + SECOND, () -> shout(node));
    }
  }

  /** A guard pushes what may be the wallet's. */
  private void push(SimNode node) {
    for (SimConnection line : node.lines()) {
      Bytes shown = line.talk.shown;
      if (shown != null) {
        List<Message> pushes = suspicions.pushes(shown);
        trace.line(() -> node + " pushes " + pushes.size() + " suspects");
        network.say(line, pushes);
      }
    }
    if (time.isUnrest()) {
      time.later(suspecting.between(1, 20) * SECOND, () -> push(node));
    }
  }

  // ---------------------------------------------------------------- the user

  private void rescan() {
    if (processes.isListening()) {
      int from = dice.between(0, economy.chain.height());
      trace.line(() -> "the user asks to look again from " + from);
      processes.give(new Input.RescanFrom(new Birthday.AtHeight(from)));
    }
  }

  private void broadcast() {
    if (processes.isListening()) {
      Tx tx = economy.noise();
      trace.line(() -> "the user sends " + TraceText.brief(tx.txid()));
      processes.give(new Input.BroadcastTx(tx));
    }
  }

  private void pay() {
    if (processes.isListening()) {
      processes.pay(economy.payee(), dice.number());
    }
  }

  private void abandon() {
    if (processes.isListening()) {
      processes.abandon(dice.number());
    }
  }

  // ---------------------------------------------------------------- its end

  private void calmDown() {
    trace.line(() -> "it calms down");
    time.calmDown();
    economy.heal(time.seconds());
    for (SimNode node : network.nodes()) {
      node.calmDown();
      if (node.plan.kind() == WorldPlan.Kind.LAGGING) {
        time.later(node.plan.lag().toNanos(), () -> catchUp(node));
      }
    }
    processes.calmedDown();
  }
}
