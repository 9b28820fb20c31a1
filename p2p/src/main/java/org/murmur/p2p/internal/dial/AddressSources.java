package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.discovery.DnsQuestion;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.sync.Discovery;

/**
 * Asks DNS seeds for addresses when too few are known: first for nodes with the service of our
 * views, then for any node. The second question follows only if the first did not help, so a client
 * that knows good peers asks no seed.
 *
 * <p>With a proxy no name is looked up. Murmur connects to the seeds' names through the proxy, and
 * asks the node that answers for addresses.
 */
final class AddressSources extends Part<Peer> implements Alarm.Timed {

  /**
   * How long a search waits for one look-up: a resolver tries several servers for some seconds
   * each. A later answer is still used.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * Maximum number of look-ups at a time. {@code internal.net} can do twice as many, since look-ups
   * that were given up may still be running.
   */
  static final int MAX_AT_A_TIME = 8;

  /** A session that follows may ask again after this long. */
  private static final Duration AGAIN = Duration.ofMinutes(10);

  /** Maximum number of names called through a proxy: each leads to a node that knows many. */
  private static final int MAX_BY_NAME = 4;

  private enum Stage {
    UNASKED,
    FILTERED,
    PLAIN
  }

  private final Discovery how;
  private final AddressTable table;
  // All possible questions, by name.
  private final Map<String, DnsQuestion> questions = new LinkedHashMap<>();
  private final Deque<String> waiting = new ArrayDeque<>();
  // Running look-ups, and when they began.
  private final Map<String, Instant> pending = new LinkedHashMap<>();
  private final Set<String> asked = new HashSet<>();
  private final Set<String> answered = new HashSet<>();
  private Stage stage = Stage.UNASKED;
  private Instant since = Instant.EPOCH;

  AddressSources(Part<?> machine, Discovery how, AddressTable table) {
    super(machine);
    this.how = how;
    this.table = table;
    for (String seed : how.seeds()) {
      service.seedBits().forEach(bits -> add(DnsQuestion.filtered(seed, bits)));
      if (service.isWitnessed(settings)) {
        ViewService.COMPACT.seedBits().forEach(bits -> add(DnsQuestion.filtered(seed, bits)));
      }
      add(DnsQuestion.plain(seed));
    }
  }

  private void add(DnsQuestion question) {
    questions.put(question.name(), question);
  }

  /** Whether an answer may come. */
  boolean isPending() {
    return !pending.isEmpty() || !waiting.isEmpty();
  }

  /** Whether there is nothing left to ask. */
  boolean isExhausted() {
    boolean none = how.seeds().isEmpty();
    return none || (stage == Stage.PLAIN && !isPending() && !isDueAgain());
  }

  private boolean isDueAgain() {
    // If no seed answered, perhaps this computer was offline: ask again soon.
    Duration pause = answered.isEmpty() ? Attempts.LONGEST_PAUSE : AGAIN;
    return settings.follow() && !effects.now().isBefore(since.plus(pause));
  }

  int seedsAsked() {
    return asked.size();
  }

  int seedsAnswered() {
    return answered.size();
  }

  /** Asks the next questions. The feeler connects to a seed by its name, through a proxy. */
  void ask(Consumer<NodeAddress> feeler) {
    if (isPending() || isExhausted()) {
      return;
    }
    stage = stage == Stage.UNASKED || stage == Stage.PLAIN ? Stage.FILTERED : Stage.PLAIN;
    since = effects.now();
    List<String> names = new ArrayList<>();
    for (DnsQuestion question : questions.values()) {
      if (question.isFiltered() == (stage == Stage.FILTERED)) {
        names.add(question.name());
      }
    }
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

  private void callByName(List<String> names, Consumer<NodeAddress> feeler) {
    for (int i = 0; i < MAX_BY_NAME && !names.isEmpty(); i++) {
      String name = names.remove(effects.dice().nextInt(names.size()));
      asked.add(seedOf(name));
      feeler.accept(new NodeAddress(name, how.port()));
    }
  }

  /** A peer sent its version message; through a proxy it may be the node behind a seed. */
  void reached(NodeAddress address) {
    if (questions.containsKey(address.host())) {
      answered.add(seedOf(address.host()));
    }
  }

  /** Processes the answer of a look-up; returns whether the input was one. */
  boolean take(Input input) {
    if (input instanceof Input.LookedUp found) {
      pending.remove(found.name());
      DnsQuestion question = questions.get(found.name());
      if (question != null && !found.addresses().isEmpty()) {
        answered.add(question.seed());
        add(found.addresses(), question);
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

  private void add(List<NodeAddress> found, DnsQuestion asked) {
    List<NetworkAddress> addresses = new ArrayList<>();
    for (NodeAddress address : found) {
      address
          .endpoint()
          .ifPresent(
              endpoint ->
                  addresses.add(
                      new NetworkAddress(
                          effects.clock().getEpochSecond(),
                          asked.services(),
                          endpoint.network(),
                          endpoint.address(),
                          endpoint.port())));
    }
    table.add(addresses, NetGroup.ofName(asked.seed()), effects.clock());
  }

  private String seedOf(String name) {
    DnsQuestion question = questions.get(name);
    return question == null ? name : question.seed();
  }

  /** Gives up look-ups that take too long, and starts the next ones. */
  void expire() {
    pending.values().removeIf(at -> !effects.now().isBefore(at.plus(PATIENCE)));
    askNext();
  }

  @Override
  public void setAlarm(Alarm alarm) {
    pending.values().forEach(at -> alarm.at(at.plus(PATIENCE)));
  }
}
