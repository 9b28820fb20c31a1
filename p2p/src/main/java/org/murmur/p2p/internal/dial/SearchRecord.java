package org.murmur.p2p.internal.dial;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncFact;

/**
 * Records the results of calls in the table and in {@link Line}, and gives the result of the whole
 * search in figures and in words.
 *
 * <p>{@code AddressTable} counts its addresses. This class counts the few others: host names and
 * addresses from the settings.
 */
final class SearchRecord extends Part<Peer> {

  /** Maximum number of lost scanners in the explanation. */
  private static final int MAX_NAMED = 5;

  private static final String LOGIN_PAGE =
      "something other than a node answers: does this network ask for a login page?";

  private static final String ANOTHER_NETWORK = "a node of another network answers";

  private final Discovery how;
  private final Redial redial;
  private final AddressTable table;
  private final AddressSources sources;
  private final Line line;
  // Built-in nodes that were asked for addresses.
  private final Set<NodeAddress> entries = new HashSet<>();
  private final Set<NodeAddress> calledOutside = new HashSet<>();
  // With their services.
  private final Map<NodeAddress, Long> reachedOutside = new HashMap<>();
  // The scanners lost last, and why.
  private final Map<NodeAddress, String> lost = new LinkedHashMap<>();
  private boolean lostOthers;
  private Input.@Nullable ProxyFailed proxyFailure;
  // The answer of something that is no peer of this network, for people; empty if none.
  private String wrongAnswer = "";
  private int mostKnown;
  private int announcers;

  SearchRecord(
      Part<?> machine,
      Discovery how,
      Redial redial,
      AddressTable table,
      AddressSources sources,
      Line line) {
    super(machine);
    this.how = how;
    this.redial = redial;
    this.table = table;
    this.sources = sources;
    this.line = line;
  }

  /** A peer or feeler is called, perhaps by a host name. */
  void called(NodeAddress address) {
    line.called();
    int counted = table.called();
    boolean noted =
        address.endpoint().map(endpoint -> table.called(endpoint, effects.clock())).orElse(false);
    if (!noted) {
      calledOutside.add(address);
    } else if (table.called() > counted) {
      calledOutside.remove(address);
    }
  }

  /** A version message came. */
  void reached(NodeAddress address, long services) {
    sources.reached(address);
    // A built-in node comes into the table only if a node announces it.
    boolean builtIn = entries.contains(address) && calledOutside.contains(address);
    boolean noted =
        !builtIn
            && address
                .endpoint()
                .map(endpoint -> table.reached(endpoint, services, effects.clock()))
                .orElse(false);
    if (!noted) {
      reachedOutside.put(address, services);
    }
  }

  /** A peer sent addresses for the first time. */
  void announced() {
    announcers++;
  }

  /** A built-in node is asked for addresses. */
  void entryAsked(NodeAddress address) {
    entries.add(address);
  }

  /** A feeler failed. */
  void failed(Endpoint endpoint, DisconnectReason reason, Obstacle obstacle) {
    failed(endpoint, reason, obstacle, table.attempts(endpoint).wasReached());
    notTried(endpoint);
  }

  /** A feeler was not tried, because the proxy failed. */
  void notTried(Endpoint endpoint) {
    redial.postpone(table.attempts(endpoint));
  }

  /** A found peer was lost. */
  void lost(Contact contact, Endpoint endpoint, Peer peer) {
    Refusal why = contact.lost;
    table.measured(endpoint, peer.latencyMillis());
    if (why.obstacle().kind() != Obstacle.Kind.PROXY && !contact.isExcused()) {
      failed(endpoint, why.reason(), why.obstacle(), peer.isReady());
    }
    if (service.isFrom(peer)) {
      lostScanner(contact.address, why.detail());
    }
  }

  private void failed(
      Endpoint endpoint, DisconnectReason reason, Obstacle obstacle, boolean reached) {
    if (reason == DisconnectReason.NO_NODE) {
      wrongAnswer(obstacle);
    }
    if (reason.isMisbehaviour()) {
      discourage(endpoint, reason);
    } else if (!reached) {
      line.failed(endpoint, effects.now());
    }
  }

  /** Bans an address that misbehaved for the length of its back-off. */
  void discourage(Endpoint endpoint, DisconnectReason reason) {
    table.banned(endpoint, reason.name(), effects.clock().plus(reason.backOff()));
  }

  private void lostScanner(NodeAddress address, String why) {
    lost.remove(address);
    lost.put(address, why);
    Iterator<NodeAddress> oldest = lost.keySet().iterator();
    if (lost.size() > MAX_NAMED) {
      oldest.next();
      oldest.remove();
      lostOthers = true;
    }
  }

  /**
   * Something that is no peer of this network answered a call. A login page answers every call, and
   * a node of another network is one of many, so the page is reported first.
   */
  private void wrongAnswer(Obstacle obstacle) {
    boolean page = obstacle != Obstacle.OTHER_NETWORK || wrongAnswer.equals(LOGIN_PAGE);
    wrongAnswer = page ? LOGIN_PAGE : ANOTHER_NETWORK;
  }

  /** The reason why no peer can be reached, for people; empty if unknown. */
  String blocker() {
    return proxyFailure == null ? wrongAnswer : proxyFailure.why();
  }

  /** A peer or feeler sent something, so peers can be reached, and our line works. */
  void heard() {
    proxyFailure = null;
    wrongAnswer = "";
    line.heard(effects.now(), (endpoint, at) -> table.failed(endpoint, effects.onTheClock(at)));
  }

  void proxyFailed(Input.ProxyFailed failed) {
    proxyFailure = failed;
  }

  /** Updates the maximum number of known addresses. */
  void look() {
    mostKnown = Math.max(mostKnown, table.size());
  }

  /** The number of addresses remembered outside the table. */
  int remembered() {
    return calledOutside.size() + reachedOutside.size() + entries.size() + lost.size();
  }

  /** Returns the figures, with the number of feelers that received addresses. */
  SyncFact.PeerSearch figures(int feelers) {
    return new SyncFact.PeerSearch(
        Math.max(mostKnown, table.size()),
        table.called() + calledOutside.size(),
        reached(0),
        reached(service.withAllBlocks()),
        reached(Services.COMPACT_FILTERS),
        sources.seedsAsked(),
        sources.seedsAnswered(),
        entries.size(),
        announcers + feelers);
  }

  private int reached(long services) {
    long outside =
        reachedOutside.values().stream().filter(bits -> Services.has(bits, services)).count();
    return table.reached(services) + (int) outside;
  }

  /** The worst kind of obstacle. */
  Obstacle.Kind kind(SyncFact.PeerSearch search) {
    if (search.reached() == 0) {
      return proxyFailure == null ? Obstacle.Kind.UNREACHABLE : Obstacle.Kind.PROXY;
    }
    return search.filtering() == 0 && !settings.headersOnly()
        ? service.obstacle().kind()
        : Obstacle.Kind.LOST;
  }

  /**
   * The obstacle at the proxy, if it kept us from all peers; those of single peers are too many.
   */
  Map<NodeAddress, Obstacle> obstacles(SyncFact.PeerSearch search) {
    Input.ProxyFailed failed = blamedProxy(search);
    return failed == null ? Map.of() : Map.of(failed.link().address(), failed.obstacle());
  }

  private Input.@Nullable ProxyFailed blamedProxy(SyncFact.PeerSearch search) {
    return search.reached() == 0 ? proxyFailure : null;
  }

  /** The obstacle and the figures, for people. */
  String explanation(SyncFact.PeerSearch search) {
    Input.ProxyFailed failed = blamedProxy(search);
    if (failed != null) {
      return failed.why();
    }
    Obstacle.Kind kind = kind(search);
    String what =
        switch (kind) {
          case UNREACHABLE -> "no peer could be reached";
          case LOST -> "no usable peer is left";
          default -> "no peer serves " + service.bip() + " (" + service.flag() + ")";
        };
    return what
        + ": "
        + count(search.known(), "address", "addresses")
        + " known, "
        + search.called()
        + (settings.proxied() ? " called through the proxy, " : " called, ")
        + search.reached()
        + " reached, "
        + search.filtering()
        + " of these with "
        + service.flag()
        + (service.equals(ViewService.COMPACT)
            ? ""
            : ", " + search.compact() + " with " + ViewService.COMPACT.flag())
        + "; "
        + seeds(search)
        + (search.entryNodes() == 0
            ? ""
            : ", " + count(search.entryNodes(), "built-in node", "built-in nodes") + " asked")
        + ", "
        + count(search.sharedAddresses(), "peer", "peers")
        + " sent addresses"
        + (wrongAnswer.isEmpty() ? "" : "; " + wrongAnswer)
        + gone();
  }

  private String seeds(SyncFact.PeerSearch search) {
    return search.seedsAsked() == 0
        ? "0 of "
            + count(how.seeds().size(), "DNS seed", "DNS seeds")
            + (how.seeds().isEmpty() ? " answered" : " asked")
        : search.seedsAnswered()
            + " of "
            + count(search.seedsAsked(), "DNS seed", "DNS seeds")
            + " answered";
  }

  private String gone() {
    List<String> gone = new ArrayList<>();
    lost.forEach((address, why) -> gone.add(address + ": " + why));
    return gone.isEmpty()
        ? ""
        : ". Lost peers: " + String.join("; ", gone) + (lostOthers ? "; and others earlier" : "");
  }

  private static String count(int count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
