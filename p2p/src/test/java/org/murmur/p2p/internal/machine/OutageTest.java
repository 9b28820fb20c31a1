package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** A session that follows stays though no peer is there, and reports it. */
class OutageTest {

  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final List<Integer> told = new ArrayList<>();

  private int warnings() {
    return (int)
        world.events.stream().filter(event -> event instanceof SyncWarning.NobodyReachable).count();
  }

  /** Counts the warnings after this many seconds. */
  private void countAt(int second) {
    world.later(1000L * second, () -> told.add(warnings()));
  }

  private void stopAt(int second) {
    world.later(1000L * second, () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
  }

  @Test
  void aNamedPeerThatIsNotThereIsCalledAgainUntilItIs() {
    node.mine(List.of());
    NodeAddress address = world.add(node);
    world.unreachable.add(address);
    countAt(4);
    countAt(7);
    countAt(290);
    world.later(300_000, () -> world.unreachable.clear());
    stopAt(400);
    SyncSettings settings =
        SyncSettings.of(List.of(address), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
    world.run(settings.follow(true));
    assertThat(told).containsExactly(0, 1, 1);
    assertThat(world.events)
        .contains(new SyncFact.Complete(1, node.chain.tip()))
        .noneMatch(SyncFact.NoUsablePeer.class::isInstance);
    assertThat(world.calls).isBetween(6, 20);
  }

  /** A phone that leaves a tunnel: the system knows it, and the next call is a minute away. */
  @Test
  void retryNowEndsThePause() {
    node.mine(List.of());
    NodeAddress address = world.add(node);
    world.unreachable.add(address);
    List<Integer> calls = new ArrayList<>();
    List<Boolean> complete = new ArrayList<>();
    for (int second : List.of(290, 301, 303)) {
      world.later(
          1000L * second,
          () -> {
            calls.add(world.calls);
            complete.add(world.events.stream().anyMatch(SyncFact.Complete.class::isInstance));
          });
    }
    world.later(300_000, world.unreachable::clear);
    world.later(302_000, () -> world.post(new Input.RetryNow()));
    stopAt(310);
    world.run(named(address).follow(true));
    assertThat(calls.get(1)).as("no call by itself: choose another time").isEqualTo(calls.get(0));
    assertThat(calls.get(2)).isEqualTo(calls.get(1) + 1);
    assertThat(complete).containsExactly(false, false, true);
  }

  @Test
  void itIsReportedAgainAfterAPeerWasThere() {
    node.mine(List.of());
    NodeAddress address = world.add(node);
    world.later(
        20_000,
        () -> {
          world.unreachable.add(address);
          world.cutAll();
        });
    countAt(19);
    countAt(30);
    world.later(60_000, () -> world.unreachable.clear());
    world.later(
        200_000,
        () -> {
          world.unreachable.add(address);
          world.cutAll();
        });
    countAt(230);
    stopAt(240);
    SyncSettings settings =
        SyncSettings.of(List.of(address), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
    world.run(settings.follow(true));
    assertThat(told).containsExactly(0, 1, 2);
  }

  /** No peer is named, no seed answers, and no address is known. */
  @Test
  void withoutInternetItStaysAndSaysSoAndFindsPeersWhenThereIsInternet() {
    node.mine(List.of());
    node.services = Services.NETWORK | Services.BLOOM | Services.WITNESS;
    NodeAddress address = world.add(node, new NodeAddress("20.1.3.4", 18444));
    countAt(20);
    countAt(290);
    world.later(300_000, () -> world.names.put("x5.seed.example", List.of(address)));
    stopAt(500);
    Discovery how =
        new Discovery(
            Optional.of(List.of("seed.example")),
            List.of(),
            Optional.of(Scope.INTERNET),
            18444,
            Optional.empty());
    world.run(
        SyncSettings.of(List.of(), 7)
            .peers(who -> who.connections(1).discovering(how))
            .limits(limits -> limits.mempoolWait(Duration.ZERO))
            .follow(true));
    assertThat(told).containsExactly(1, 1);
    assertThat(world.events)
        .contains(new SyncFact.Complete(1, node.chain.tip()))
        .noneMatch(SyncFact.NoUsablePeer.class::isInstance);
  }

  private SyncSettings named(NodeAddress... addresses) {
    return SyncSettings.of(List.of(addresses), 7)
        .limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  /** Peers are found by names, or by known IP addresses, as in any session but the first. */
  private SyncSettings finding(NodeAddress address) {
    world.names.put("seed.example", List.of(address));
    node.services = Services.NETWORK | Services.BLOOM | Services.WITNESS;
    Discovery how =
        new Discovery(
            Optional.of(List.of("seed.example")),
            List.of(),
            Optional.of(Scope.INTERNET),
            18444,
            Optional.empty());
    return SyncSettings.of(List.of(), 7)
        .peers(who -> who.connections(1).discovering(how))
        .limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  private SyncWarning.NobodyReachable warning() {
    return world.events.stream()
        .filter(SyncEvent.Warning.class::isInstance)
        .map(event -> event)
        .filter(SyncWarning.NobodyReachable.class::isInstance)
        .map(SyncWarning.NobodyReachable.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private void assertStaysUntilItIsOver(SyncSettings settings, Runnable over) {
    node.mine(List.of());
    countAt(4);
    countAt(20);
    countAt(290);
    world.later(300_000, over);
    stopAt(500);
    world.run(settings.follow(true));
    assertThat(told.get(0)).isZero();
    assertThat(told.get(1)).isEqualTo(1);
    assertThat(told.get(2)).as("warnings of one outage: %s", world.events).isEqualTo(1);
    assertThat(world.events)
        .contains(new SyncFact.Complete(1, node.chain.tip()))
        .noneMatch(SyncFact.NoUsablePeer.class::isInstance);
  }

  @Test
  void aProxyThatIsDownFromTheStartIsNamedAndTriedUntilItIsThere() {
    world.proxyIsDown = true;
    SyncSettings settings = named(world.add(node)).proxied(true);
    assertStaysUntilItIsOver(settings, () -> world.proxyIsDown = false);
    assertThat(warning().reason()).contains("the proxy is down");
    assertThat(warning().proxied()).isTrue();
  }

  @Test
  void soItIsWhenNoPeerIsNamed() {
    world.proxyIsDown = true;
    NodeAddress there = world.add(node, new NodeAddress("20.1.3.4", 18444));
    SyncSettings settings = finding(there).proxied(true);
    for (String seed : List.of("x5.seed.example", "xd.seed.example", "seed.example")) {
      world.add(node, new NodeAddress(seed, 18444));
    }
    Endpoint endpoint = there.endpoint().orElseThrow();
    NetworkAddress known =
        new NetworkAddress(
            world.now().getEpochSecond(),
            node.services,
            endpoint.network(),
            endpoint.address(),
            endpoint.port());
    node.knows = List.of(known, known);
    assertStaysUntilItIsOver(settings, () -> world.proxyIsDown = false);
    assertThat(warning().reason()).contains("the proxy is down");
    assertThat(warning().proxied()).isTrue();
  }

  /** As in a public network before the login: a page answers every call, or nothing does. */
  @ParameterizedTest
  @ValueSource(strings = {"", "frame, magic: 50545448"})
  void aCaptiveNetworkIsReportedAndWaitedThrough(String page) {
    world.captive = page;
    assertStaysUntilItIsOver(named(world.add(node)), () -> world.captive = null);
    assertThat(warning().reason()).contains(page.isEmpty() ? "no answer yet" : page);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "frame, magic: 50545448"})
  void soItIsWherePeersAreFound(String page) {
    world.captive = page;
    SyncSettings settings = finding(world.add(node, new NodeAddress("20.1.3.4", 18444)));
    assertStaysUntilItIsOver(settings, () -> world.captive = null);
    assertThat(warning().reason())
        .contains(page.isEmpty() ? "none of the known addresses answers" : "a login page?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "frame, magic: 50545448"})
  void aSyncThatEndsReportsACaptiveNetwork(String page) {
    world.captive = page;
    world.run(named(world.add(node), new NodeAddress("10.0.0.9", 18444)));
    SyncFact.NoUsablePeer end = end();
    assertThat(end.kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
    assertThat(end.obstacles())
        .containsValue(page.isEmpty() ? Obstacle.NO_VERSION : Obstacle.NO_NODE);
    assertThat(end.detail()).contains(page.isEmpty() ? "no version message in 10 seconds" : page);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "frame, magic: 50545448"})
  void soDoesOneThatFindsItsPeers(String page) {
    world.captive = page;
    world.run(finding(world.add(node, new NodeAddress("20.1.3.4", 18444))));
    assertThat(end().kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
    assertThat(end().detail()).contains(page.isEmpty() ? "no peer could be" : "a login page?");
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(15));
  }

  private SyncFact.NoUsablePeer end() {
    return world.events.stream()
        .filter(SyncFact.NoUsablePeer.class::isInstance)
        .map(SyncFact.NoUsablePeer.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSyncThatEndsEndsAsBefore() {
    NodeAddress address = world.add(node);
    world.unreachable.add(address);
    world.run(SyncSettings.of(List.of(address), 7));
    assertThat(world.events).anyMatch(SyncFact.NoUsablePeer.class::isInstance);
    assertThat(warnings()).isZero();
  }
}
