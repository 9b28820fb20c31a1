package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.discovery.Attempts;
import org.murmur.p2p.discovery.DnsSeeds;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.NetworkAddress;

/**
 * Where addresses come from when too few are known: first DNS seeds that are asked for nodes which
 * serve BIP-0037, then the same seeds for any. Each only if the one before was not enough, so that
 * a client which knows good peers asks no DNS at all.
 *
 * <p>With a proxy no name is looked up: the seeds' names are called through it, and the node that
 * answers is asked for addresses.
 */
public final class AddressSources {

  /**
   * How long one look-up is waited for: a resolver tries several servers for some seconds each. An
   * answer that comes later is still taken.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * Look-ups at a time, so that each has its own time. The shell can do twice as many: those that
   * were given up may hang on.
   */
  public static final int MAX_AT_A_TIME = 8;

  /** After this long a session that stays may ask again. */
  private static final Duration AGAIN = Duration.ofMinutes(10);

  /** Names called through a proxy at a time: each leads to one node, which knows a thousand. */
  private static final int MAX_BY_NAME = 4;

  private enum Stage {
    UNASKED,
    FILTERED,
    PLAIN
  }

  private final Effects effects;
  private final SyncSettings settings;
  private final Discovery how;
  private final AddressTable table;
  // All questions there are, by name.
  private final Map<String, Asked> questions = new HashMap<>();
  private final Deque<String> waiting = new ArrayDeque<>();
  // Asked, and since when.
  private final Map<String, Instant> pending = new LinkedHashMap<>();
  private final Set<String> asked = new HashSet<>();
  private final Set<String> answered = new HashSet<>();
  private Stage stage = Stage.UNASKED;
  private Instant since = Instant.EPOCH;

  /** A question, and the seed it is put to. */
  private record Asked(DnsSeeds.Question question, String seed) {}

  AddressSources(Effects effects, SyncSettings settings, Discovery how, AddressTable table) {
    this.effects = effects;
    this.settings = settings;
    this.how = how;
    this.table = table;
    for (String seed : how.seeds()) {
      List<DnsSeeds.Question> all = new ArrayList<>(DnsSeeds.filtered(List.of(seed)));
      all.addAll(DnsSeeds.plain(List.of(seed)));
      all.forEach(question -> questions.put(question.name(), new Asked(question, seed)));
    }
  }

  /** Whether answers are awaited. */
  boolean isPending() {
    return !pending.isEmpty() || !waiting.isEmpty();
  }

  /** Whether there is nothing left to ask. */
  boolean isExhausted() {
    boolean none = how.seeds().isEmpty();
    return none || (stage == Stage.PLAIN && !isPending() && !isDueAgain());
  }

  private boolean isDueAgain() {
    // Seeds that did not answer at all are asked again soon: perhaps this end was not connected.
    Duration pause = answered.isEmpty() ? Attempts.LONGEST_PAUSE : AGAIN;
    return settings.follow() && !effects.now().isBefore(since.plus(pause));
  }

  int seedsAsked() {
    return asked.size();
  }

  int seedsAnswered() {
    return answered.size();
  }

  /**
   * Asks the next ones.
   *
   * @param feeler calls a seed by its name, through a proxy
   */
  void ask(Consumer<PeerAddress> feeler) {
    if (isPending() || isExhausted()) {
      return;
    }
    stage = stage == Stage.UNASKED || stage == Stage.PLAIN ? Stage.FILTERED : Stage.PLAIN;
    since = effects.now();
    List<String> names = new ArrayList<>();
    (stage == Stage.FILTERED ? DnsSeeds.filtered(how.seeds()) : DnsSeeds.plain(how.seeds()))
        .forEach(question -> names.add(question.name()));
    if (settings.proxied()) {
      callByName(names, feeler);
    } else {
      waiting.addAll(names);
      askNext();
    }
  }

  private void askNext() {
    while (pending.size() < MAX_AT_A_TIME && !waiting.isEmpty()) {
      String name = waiting.remove();
      pending.put(name, effects.now());
      asked.add(seedOf(name));
      effects.output(new Output.LookUp(name, how.port()));
    }
  }

  private void callByName(List<String> names, Consumer<PeerAddress> feeler) {
    for (int i = 0; i < MAX_BY_NAME && !names.isEmpty(); i++) {
      String name = names.remove(effects.dice().nextInt(names.size()));
      asked.add(seedOf(name));
      feeler.accept(new PeerAddress(name, how.port()));
    }
  }

  /** A peer called by name sent its version message: perhaps a seed, through a proxy. */
  void reached(PeerAddress address) {
    if (questions.containsKey(address.host())) {
      answered.add(seedOf(address.host()));
    }
  }

  /** Takes an answer; returns whether it was one. */
  boolean take(Input input) {
    if (input instanceof Input.LookedUp found) {
      pending.remove(found.name());
      Asked to = questions.get(found.name());
      if (to != null && !found.addresses().isEmpty()) {
        answered.add(to.seed());
        takeIn(found.addresses(), to);
      }
      askNext();
      return true;
    }
    if (input instanceof Input.LookUpFailed failed) {
      pending.remove(failed.name());
      askNext();
      return true;
    }
    return false;
  }

  private void takeIn(List<PeerAddress> found, Asked to) {
    List<NetworkAddress> told = new ArrayList<>();
    for (PeerAddress address : found) {
      address
          .endpoint()
          .ifPresent(
              endpoint ->
                  told.add(
                      new NetworkAddress(
                          effects.clock().getEpochSecond(),
                          to.question().services(),
                          endpoint.network(),
                          endpoint.address(),
                          endpoint.port())));
    }
    table.add(told, NetGroup.ofName(to.seed()), effects.clock());
  }

  private String seedOf(String name) {
    Asked to = questions.get(name);
    return to == null ? name : to.seed();
  }

  /** What was not answered by now is not waited for. */
  void expire() {
    pending.values().removeIf(at -> !effects.now().isBefore(at.plus(PATIENCE)));
    askNext();
  }

  @Nullable Instant due() {
    // The first one was asked first.
    for (Instant at : pending.values()) {
      return at.plus(PATIENCE);
    }
    return null;
  }
}
