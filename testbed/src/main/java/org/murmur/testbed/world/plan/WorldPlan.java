package org.murmur.testbed.world.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.lies.AddsJunk;
import org.murmur.regtest.lies.FalseFilterHeaders;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.IndexLags;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.Misdeed;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.lies.OmitsScripts;
import org.murmur.regtest.lies.OtherBlocksFilter;
import org.murmur.regtest.lies.StallsAfter;
import org.murmur.regtest.lies.WrongBlocks;
import org.murmur.regtest.lies.WrongHeader;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;

/**
 * The plan of a world, drawn from its seed.
 *
 * @param history blocks above the common base before the first sync
 * @param unrest how long random faults happen; then the calm begins
 * @param blockPause the mean time between two blocks
 * @param stormAt when {@code storm} blocks come at once
 * @param reorgs depths of reorganisations, in their order
 * @param payments wallet transactions a block, on average
 * @param birthday the wallet's birthday, in blocks above the base
 * @param bornByTime whether the wallet knows its birthday as a time
 * @param verify how many peers must serve each block
 * @param rate false-positive rate of the filters
 * @param connections how many peers at once, before the calm
 * @param follow how often a process stays when it is complete, 0 to 1
 * @param mempool whether unconfirmed transactions are requested
 * @param loss how likely a message is the last of its connection
 * @param crash how likely a step is the last of its process
 * @param tear how likely a process dies while a batch is being written
 * @param stop how likely the user stops a process early
 * @param rescans how many times the user asks for a rescan
 * @param disk the longest time a commit takes
 * @param outages how many times a peer cannot be reached for a while
 * @param file whether the wallet is on a real disk
 * @param spotChecks how many whole blocks each process compares with the filtered ones
 * @param filterElements how many elements one filter holds at most; 0 if as many as fit
 */
public record WorldPlan(
    long seed,
    List<Neighbour> peers,
    int anchor,
    int history,
    Duration unrest,
    Duration blockPause,
    Duration stormAt,
    int storm,
    List<Integer> reorgs,
    double payments,
    int gap,
    int lookAhead,
    int birthday,
    boolean bornByTime,
    int verify,
    double rate,
    int connections,
    double follow,
    boolean mempool,
    double loss,
    double crash,
    double tear,
    double stop,
    int rescans,
    Duration disk,
    int outages,
    boolean file,
    int spotChecks,
    int filterElements) {

  /** Core's INBOUND_INVENTORY_BROADCAST_INTERVAL. */
  private static final Duration STRANGERS_PAUSE = Duration.ofSeconds(5);

  /** Height of the last block that all worlds share. */
  public static final int BASE_HEIGHT = 102;

  /** The deepest reorganisation. */
  static final int MAX_REORG = 50;

  public WorldPlan {
    peers = List.copyOf(peers);
    reorgs = List.copyOf(reorgs);
  }

  /** The kinds of peers. */
  public enum Kind {
    /** Honest. */
    HONEST,
    /** Honest, but learns of blocks late. */
    LAGGING,
    /** Honest, but on a branch with less work. */
    FORKED,
    /** Honest, but on the other branch when two branches of equal work race. */
    RACING,
    /** See {@link Omits}. */
    OMITTING((honest, dice) -> honest.with(new Omits(0.1 + 0.9 * dice.fraction()))),
    /** See {@link Injects}. */
    INJECTING((honest, dice) -> honest.with(new Injects(dice.fraction()))),
    /** Sends many unsolicited messages. */
    NOISY,
    /** See {@link WrongProofs}. */
    CORRUPT((honest, dice) -> honest.with(new WrongProofs(), dice.fraction() / 4)),
    /** See {@link WrongHeader}. */
    BAD_HEADERS((honest, dice) -> honest.with(new WrongHeader(dice.between(1, BASE_HEIGHT + 60)))),
    /** See {@link StallsAfter}. */
    STALLING((honest, dice) -> honest.with(new StallsAfter(dice.below(100)))),
    /** Closes connections. */
    DROPPING((honest, dice) -> honest.droppingAfter(dice.between(1, 120))),
    /** Waits before each message. */
    DRIPPING((honest, dice) -> honest.pausing(Duration.ofMillis(dice.between(1, 800)))),
    /** Does not answer pings. */
    MUTE((honest, dice) -> honest.with(Ignores.PINGS)),
    /** Has headers, serves no blocks. */
    BLOCKLESS((honest, dice) -> honest.with(Ignores.BLOCKS)),
    /** Has no NODE_BLOOM. */
    NO_BLOOM((honest, dice) -> honest.withoutBloom()),
    /** See {@link Misdeed#WITHHELD_TRANSACTIONS}. */
    WITHHOLDING(Misdeed.WITHHELD_TRANSACTIONS),
    /** See {@link Misdeed#LATE_TRANSACTIONS}. */
    LATE(Misdeed.LATE_TRANSACTIONS),
    /** See {@link Misdeed#TRANSACTIONS_AFTER_PONG}. */
    AFTER_PONG(Misdeed.TRANSACTIONS_AFTER_PONG),
    /** See {@link Misdeed#REPLACED_TRANSACTIONS}. */
    REPLACING(Misdeed.REPLACED_TRANSACTIONS),
    /** See {@link Misdeed#UNASKED_TRANSACTIONS}. */
    DOUBLING(Misdeed.UNASKED_TRANSACTIONS),
    /** See {@link Misdeed#REPEATED_TRANSACTION}. */
    REPEATING(Misdeed.REPEATED_TRANSACTION),
    /** See {@link OmitsScripts}: the wallet's. */
    HIDING,
    /** See {@link AddsJunk}. */
    JUNK((honest, dice) -> honest.with(new AddsJunk(dice.between(20, 60)))),
    /** See {@link FalseFilterHeaders}. */
    FALSE_HEADERS(
        (honest, dice) -> honest.with(new FalseFilterHeaders(dice.between(0, BASE_HEIGHT + 60)))),
    /** See {@link OtherBlocksFilter}. */
    OTHER_FILTERS((honest, dice) -> honest.with(new OtherBlocksFilter())),
    /** See {@link IndexLags}: for some requests, or for ever. */
    UNINDEXED(
        (honest, dice) ->
            honest.with(
                new IndexLags(
                    dice.between(1, 40),
                    dice.chance(0.7) ? dice.between(1, 6) : Integer.MAX_VALUE))),
    /** See {@link WrongBlocks}. */
    WRONG_BLOCKS(
        (honest, dice) ->
            honest.with(dice.chance(0.5) ? WrongBlocks.PREVIOUS : WrongBlocks.CHANGED)),
    /** Serves no filters of blocks, as most nodes. */
    NO_FILTERS;

    @SuppressWarnings("ImmutableEnumChecker") // pure functions
    private final BiFunction<Behaviour, Dice, Behaviour> behaving;

    Kind() {
      this((honest, dice) -> honest);
    }

    Kind(Misdeed cheat) {
      this((honest, dice) -> honest.with(cheat, dice.chance(0.3) ? 1 : dice.fraction()));
    }

    Kind(BiFunction<Behaviour, Dice, Behaviour> behaving) {
      this.behaving = behaving;
    }
  }

  /**
   * A peer: how it treats those who connect, how long it takes to make one message, and how much
   * later it learns of a block (zero if at once).
   */
  public record Neighbour(
      Kind kind, Behaviour behaviour, Duration latency, Duration work, Duration lag) {
    /** Whether it sends false filters of blocks, or hashes of such. */
    public boolean lies() {
      return switch (kind) {
        case HIDING, JUNK, FALSE_HEADERS, OTHER_FILTERS -> true;
        default -> false;
      };
    }

    /** Its behaviour, given the wallet's scripts: some leave these out of the filters of blocks. */
    public Behaviour behaviour(Collection<Bytes> wallet) {
      return kind == Kind.HIDING ? behaviour.with(new OmitsScripts(Set.copyOf(wallet))) : behaviour;
    }

    /** The same, serving filters of blocks. */
    Neighbour withFilters() {
      return new Neighbour(kind, behaviour.withCompactFilters(), latency, work, lag);
    }

    /** Whether it is honest, and has the best chain or one with as much work. */
    public boolean isHonest() {
      return kind == Kind.HONEST || kind == Kind.RACING;
    }

    @Override
    public String toString() {
      return kind.name().toLowerCase(Locale.ROOT)
          + " "
          + latency.toMillis()
          + "ms "
          + 1_000_000_000 / work.toNanos()
          + "/s"
          + (lag.isZero() ? "" : " lag " + lag.toSeconds() + "s");
    }
  }

  public static WorldPlan draw(long seed, WorldOptions options) {
    WorldPlan plan = drawAny(seed, options);
    WorldPlan peopled =
        switch (options.preset()) {
          case FAST -> options.witnessed() ? plan.withHonestFilters() : plan;
          case PRIVATE -> Guarding.peopled(plan, options);
          case COMPACT -> FilterPeers.peopled(plan, options);
        };
    WorldPlan cheated = options.cheats() ? Cheats.among(peopled, options) : peopled;
    return options.weather() ? Weather.among(cheated) : cheated;
  }

  /** The same world, whose honest peers serve the filters of blocks. */
  private WorldPlan withHonestFilters() {
    List<Neighbour> all = new ArrayList<>();
    peers.forEach(peer -> all.add(peer.isHonest() ? peer.withFilters() : peer));
    return among(all);
  }

  /** The same world with other peers, so many of which must serve each block. */
  WorldPlan among(List<Neighbour> others, int witnesses, int reachable) {
    return with(others, indexOf(others, Kind.HONEST), witnesses, reachable, 0);
  }

  /** The same world with other peers, the anchor in its old place. */
  WorldPlan among(List<Neighbour> others) {
    return with(others, anchor, verify, connections, spotChecks);
  }

  private WorldPlan with(
      List<Neighbour> others, int honest, int witnesses, int reachable, int spots) {
    return new WorldPlan(
        seed,
        others,
        honest,
        history,
        unrest,
        blockPause,
        stormAt,
        storm,
        reorgs,
        payments,
        gap,
        lookAhead,
        birthday,
        bornByTime,
        witnesses,
        rate,
        reachable,
        follow,
        mempool,
        loss,
        crash,
        tear,
        stop,
        rescans,
        disk,
        outages,
        file,
        spots,
        filterElements);
  }

  private static WorldPlan drawAny(long seed, WorldOptions options) {
    Dice dice = new Dice(seed * 0x9e3779b97f4a7c15L ^ 0x6d75726d7572L);
    int count = options.peers() > 0 ? options.peers() : dice.between(1, WorldOptions.MAX_PEERS);
    int anchor = dice.below(count);
    boolean village = dice.chance(0.15);
    List<Neighbour> peers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Kind kind = village || i == anchor ? Kind.HONEST : kind(dice, options);
      peers.add(neighbour(kind, dice));
    }
    int liars = count(peers, Kind.OMITTING);
    while (liars + 1 > count(peers, Kind.HONEST)) {
      // When the liars are found out and gone, enough peers must be left.
      peers.set(indexOf(peers, Kind.OMITTING), neighbour(Kind.HONEST, dice));
      liars--;
    }
    int honest = count(peers, Kind.HONEST);
    int verify = liars > 0 ? liars + 1 : dice.chance(0.35) ? dice.between(1, honest) : 1;
    List<Integer> reorgs = new ArrayList<>();
    for (int i = dice.chance(0.4) ? 0 : dice.between(1, 4); i > 0; i--) {
      reorgs.add(dice.chance(0.25) ? dice.between(7, MAX_REORG) : dice.between(1, 6));
    }
    int gap = dice.between(3, dice.chance(0.3) ? 20 : 8);
    // With more than some hundred blocks to scan, even one more peer for each block is much work.
    boolean much = dice.chance(0.05);
    int history = much ? dice.between(350, 600) : dice.between(5, dice.chance(0.2) ? 150 : 70);
    Duration unrest = Duration.ofSeconds(dice.between(5, dice.chance(0.2) ? 1200 : 120));
    return new WorldPlan(
        seed,
        peers,
        anchor,
        history,
        unrest,
        Duration.ofMillis(Math.max(unrest.toMillis() / dice.between(1, 20), 500)),
        unrest.multipliedBy(dice.below(1000)).dividedBy(1000),
        dice.chance(0.3) ? dice.between(5, 60) : 0,
        reorgs,
        (0.3 + dice.fraction() * (dice.chance(0.2) ? 4 : 1.7)) / (much ? 5 : 1),
        gap,
        dice.between(1, dice.chance(0.3) ? 2 * gap : gap + 2),
        dice.chance(0.5) ? 1 : dice.between(1, history / 2 + 1),
        dice.chance(0.2),
        verify,
        dice.chance(0.75) ? 1e-9 : dice.chance(0.5) ? 1e-4 : 2e-3,
        dice.chance(0.6) ? count : dice.between(Math.min(verify, count), count),
        dice.chance(0.3) ? 0 : dice.fraction(),
        dice.chance(0.8),
        dice.chance(0.5) ? 0 : Math.pow(10, -1 - 3 * dice.fraction()),
        dice.chance(0.4) ? 0 : Math.pow(10, -1 - 2.5 * dice.fraction()),
        dice.chance(0.5) ? 0 : dice.fraction() / 4,
        dice.chance(0.8) ? 0 : dice.fraction() / 500,
        dice.chance(0.85) ? 0 : dice.between(1, 2),
        dice.chance(0.75) ? Duration.ofMillis(dice.between(0, 40)) : Duration.ofSeconds(3),
        dice.chance(0.5) ? 0 : dice.between(1, 5),
        options.files() > 0 && Math.floorMod(seed, options.files()) == 0,
        dice.chance(0.85) ? 0 : dice.between(1, 6),
        options.smallFilters() ? dice.between(16, 80) : 0);
  }

  static int count(List<Neighbour> peers, Kind kind) {
    return (int) peers.stream().filter(peer -> peer.kind() == kind).count();
  }

  private static int indexOf(List<Neighbour> peers, Kind kind) {
    int index = 0;
    while (peers.get(index).kind() != kind) {
      index++;
    }
    return index;
  }

  static Kind kind(Dice dice, WorldOptions options) {
    int drawn = dice.below(100);
    if (drawn < 40) {
      return Kind.HONEST;
    }
    if (drawn < 46) {
      return options.liars() ? Kind.OMITTING : Kind.HONEST;
    }
    Kind[] others = {
      Kind.LAGGING,
      Kind.FORKED,
      Kind.INJECTING,
      Kind.NOISY,
      Kind.CORRUPT,
      Kind.BAD_HEADERS,
      Kind.STALLING,
      Kind.DROPPING,
      Kind.DRIPPING,
      Kind.MUTE,
      Kind.BLOCKLESS,
      Kind.NO_BLOOM
    };
    return others[dice.below(others.length)];
  }

  public static Neighbour neighbour(Kind kind, Dice dice) {
    long seed = dice.number();
    Behaviour trusting = Behaviour.honest().withSeed(seed);
    // Some treat us as a peer without noban, and announce transactions now and then.
    Behaviour honest =
        (seed & 3) == 0 ? trusting.spreadingAnnouncements(STRANGERS_PAUSE) : trusting;
    Behaviour behaviour = kind.behaving.apply(honest, dice);
    // From next door to the other side of the world, evenly in orders of magnitude.
    Duration latency = Duration.ofNanos((long) (1e6 * Math.pow(10, 2.6 * dice.fraction())));
    // From 20 messages a second to 20,000.
    Duration work = Duration.ofNanos((long) (5e4 * Math.pow(10, 3 * dice.fraction())));
    Duration lag = kind == Kind.LAGGING ? Duration.ofSeconds(dice.between(2, 300)) : Duration.ZERO;
    return new Neighbour(kind, behaviour, latency, work, lag);
  }

  /** Whether every peer holds the same unconfirmed transactions and announces them. */
  public boolean oneMempool() {
    return peers.stream()
        .noneMatch(
            peer ->
                switch (peer.kind()) {
                  case LAGGING, FORKED, RACING, OMITTING, NOISY -> true;
                  default -> false;
                });
  }

  public boolean has(Kind kind) {
    return peers.stream().anyMatch(peer -> peer.kind() == kind);
  }
}
