package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.discovery.DnsSeeds;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.wire.NetworkAddress;

/**
 * Where addresses come from when too few are known: first DNS seeds that are asked for nodes which
 * serve BIP-0037, then the same seeds for any. Each only if the one before was not enough, so that
 * a client which knows good peers asks no DNS at all.
 *
 * <p>Beside a proxy nothing is looked up: the seeds' names are called through it, and whoever
 * answers there is asked for addresses.
 */
final class AddressSources {

  /** How long a look-up may take: a resolver tries several servers for some seconds each. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** After this long a session that stays may ask again. */
  private static final Duration AGAIN = Duration.ofMinutes(10);

  /** Names called through a proxy at a time: each leads to one node, which knows a thousand. */
  private static final int MOST_BY_NAME = 4;

  private enum Stage {
    UNASKED,
    FILTERED,
    PLAIN
  }

  private final Session session;
  private final Discovery how;
  private final AddressTable table;
  private final Scouts scouts;
  private final Map<String, DnsSeeds.Question> pending = new LinkedHashMap<>();
  private final Set<String> answered = new HashSet<>();
  private Stage stage = Stage.UNASKED;
  private Instant since = Instant.EPOCH;

  AddressSources(Session session, Discovery how, AddressTable table, Scouts scouts) {
    this.session = session;
    this.how = how;
    this.table = table;
    this.scouts = scouts;
  }

  /** Whether answers are awaited. */
  boolean isPending() {
    return !pending.isEmpty();
  }

  /** Whether there is nothing left to ask. */
  boolean isExhausted() {
    boolean none = how.seeds().isEmpty();
    return none || (stage == Stage.PLAIN && pending.isEmpty() && !isDueAgain());
  }

  private boolean isDueAgain() {
    return session.settings.follow() && !session.now.isBefore(since.plus(AGAIN));
  }

  int seedsAsked() {
    return stage == Stage.UNASKED ? 0 : how.seeds().size();
  }

  int seedsAnswered() {
    return answered.size();
  }

  /** Asks whoever is to be asked next. */
  void ask() {
    if (isPending() || isExhausted()) {
      return;
    }
    stage = stage == Stage.UNASKED || stage == Stage.PLAIN ? Stage.FILTERED : Stage.PLAIN;
    since = session.now;
    List<DnsSeeds.Question> questions =
        stage == Stage.FILTERED ? DnsSeeds.filtered(how.seeds()) : DnsSeeds.plain(how.seeds());
    if (session.settings.proxied()) {
      callByName(questions);
      return;
    }
    for (DnsSeeds.Question question : questions) {
      pending.put(question.name(), question);
      session.output(new Output.LookUp(question.name(), how.port()));
    }
  }

  private void callByName(List<DnsSeeds.Question> questions) {
    List<DnsSeeds.Question> some = new ArrayList<>(questions);
    for (int i = 0; i < MOST_BY_NAME && !some.isEmpty(); i++) {
      DnsSeeds.Question question = some.remove(session.dice.nextInt(some.size()));
      scouts.call(new PeerAddress(question.name(), how.port()));
    }
  }

  /** Takes an answer; returns whether it was one. */
  boolean take(Input input) {
    if (input instanceof Input.LookedUp found) {
      DnsSeeds.Question question = pending.remove(found.name());
      if (question != null && !found.addresses().isEmpty()) {
        answered.add(seedOf(question));
        List<NetworkAddress> told = new ArrayList<>();
        for (PeerAddress address : found.addresses()) {
          address
              .endpoint()
              .ifPresent(
                  endpoint ->
                      told.add(
                          new NetworkAddress(
                              session.clock().getEpochSecond(),
                              question.services(),
                              endpoint.network(),
                              endpoint.address(),
                              endpoint.port())));
        }
        table.add(told, NetGroup.ofName(seedOf(question)), session.clock());
      }
      return true;
    }
    if (input instanceof Input.LookUpFailed failed) {
      pending.remove(failed.name());
      return true;
    }
    return false;
  }

  private String seedOf(DnsSeeds.Question question) {
    for (String seed : how.seeds()) {
      if (question.name().endsWith(seed)) {
        return seed;
      }
    }
    return question.name();
  }

  /** What was not answered by now will not be. */
  void expire() {
    if (isPending() && !session.now.isBefore(since.plus(PATIENCE))) {
      pending.clear();
    }
  }

  @Nullable Instant due() {
    return isPending() ? since.plus(PATIENCE) : null;
  }
}
