package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** How the machine treats failures of a proxy, and those that a proxy reports. */
class ProxiedMachineTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final NodeAddress NAMED = new NodeAddress("node.example", 1);
  private static final NodeAddress LOCAL = new NodeAddress("10.0.0.2", 1);
  private static final NodeAddress THIRD = new NodeAddress("third.example", 1);

  private final List<SyncEvent> events = new ArrayList<>();
  private final List<Message.Version> said = new ArrayList<>();

  private SyncMachine machine(boolean proxied, NodeAddress... peers) {
    SyncStart start =
        SyncStart.ofNewWallet(
            ChainParams.REGTEST,
            HeaderChain.ofGenesis(ChainParams.REGTEST),
            new Birthday.AtHeight(0),
            OptionalInt.empty());
    SyncMachine machine =
        new SyncMachine(start, SyncSettings.of(List.of(peers), 1).proxied(proxied));
    step(machine, new Input.Tick(), NOW);
    return machine;
  }

  private void step(SyncMachine machine, Input input, Instant now) {
    for (Output output : machine.step(input, now)) {
      if (output instanceof Output.Send send && send.message() instanceof Message.Version version) {
        said.add(version);
      }
      if (output instanceof Output.Emit emit && !(emit.event() instanceof SyncEvent.Progress)) {
        events.add(emit.event());
      }
    }
  }

  private SyncFact.NoUsablePeer end() {
    SyncEvent last = events.get(events.size() - 1);
    assertThat(last).isInstanceOf(SyncFact.NoUsablePeer.class);
    return (SyncFact.NoUsablePeer) last;
  }

  @Test
  void theProxyIsToBlameAndNotThePeer() {
    SyncMachine machine = machine(true, NAMED);
    step(
        machine,
        new Input.ProxyFailed(new Link(1, NAMED), Obstacle.PROXY_DOWN, "the proxy P is down"),
        NOW);
    assertThat(events)
        .contains(new SyncEvent.PeerLost(NAMED, DisconnectReason.DONE, "the proxy P is down"));
    assertThat(end().kind()).isEqualTo(Obstacle.Kind.PROXY);
    assertThat(end().detail()).isEqualTo("node.example:1: the proxy P is down");
    assertThat(end().obstacles()).containsExactly(Map.entry(NAMED, Obstacle.PROXY_DOWN));
  }

  @Test
  void localAddressesAreOfTheProxysMachine() {
    SyncMachine machine = machine(true, LOCAL);
    step(machine, new Input.ConnectFailed(new Link(1, LOCAL), "refused"), NOW);
    assertThat(end().kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
    assertThat(end().detail()).contains("refused (for a proxy", "Tor leads to none of these");
    events.clear();
    step(machine(false, LOCAL), new Input.ConnectFailed(new Link(1, LOCAL), "refused"), NOW);
    assertThat(end().detail()).isEqualTo("10.0.0.2:1: refused");
    events.clear();
    step(machine(true, NAMED), new Input.ConnectFailed(new Link(1, NAMED), "refused"), NOW);
    assertThat(end().detail()).isEqualTo("node.example:1: refused");
  }

  /** Some proxies, ssh -D for one, report a connection before they try it. */
  @Test
  void hangingUpBeforeTheVersionMayBeTheProxys() {
    SyncMachine machine = machine(true, NAMED);
    step(machine, new Input.Connected(new Link(1, NAMED)), NOW);
    step(machine, new Input.Disconnected(new Link(1, NAMED), "closed"), NOW);
    assertThat(end().kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
    assertThat(end().detail()).contains("before its version message (closed)", "through a proxy");
    assertThat(end().obstacles()).containsValue(Obstacle.HANGS_UP_BEHIND_PROXY);
    events.clear();
    machine = machine(false, NAMED);
    step(machine, new Input.Connected(new Link(1, NAMED)), NOW);
    step(machine, new Input.Disconnected(new Link(1, NAMED), "closed"), NOW);
    assertThat(end().kind()).isEqualTo(Obstacle.Kind.WRONG_NETWORK);
    assertThat(end().obstacles()).containsValue(Obstacle.HANGS_UP);
  }

  /** The way to an onion service takes its time; a silent proxy does not get more. */
  @Test
  void patienceIsLongerAndHasAnEnd() {
    Duration patience = SyncSettings.of(List.of(NAMED), 1).proxied(true).connectTimeout();
    assertThat(patience)
        .isGreaterThan(SyncSettings.of(List.of(NAMED), 1).connectTimeout())
        .isLessThanOrEqualTo(Duration.ofMinutes(1));
    SyncMachine machine = machine(true, NAMED);
    step(machine, new Input.Tick(), NOW.plus(patience).minusMillis(1));
    assertThat(events).isEmpty();
    step(machine, new Input.Tick(), NOW.plus(patience));
    assertThat(end().detail())
        .isEqualTo("node.example:1: no connection through the proxy in 30 seconds");
    assertThat(end().obstacles()).containsValue(Obstacle.BEYOND_PROXY);
  }

  @Test
  void aSilentPeerBehindTheProxyIsNamed() {
    SyncMachine machine = machine(true, NAMED);
    step(machine, new Input.Connected(new Link(1, NAMED)), NOW.plusSeconds(20));
    step(machine, new Input.Tick(), NOW.plusSeconds(49));
    assertThat(events).isEmpty();
    step(machine, new Input.Tick(), NOW.plusSeconds(50));
    assertThat(end().detail()).isEqualTo("node.example:1: no version message in 30 seconds");
    assertThat(end().obstacles()).containsValue(Obstacle.NO_VERSION);
  }

  /** Behind a firewall that drops everything no connection is accepted. */
  @Test
  void silenceHasAnObstacleToo() {
    SyncMachine machine = machine(false, NAMED);
    step(machine, new Input.Tick(), NOW.plusSeconds(60));
    assertThat(end().detail()).startsWith("node.example:1: no connection in ");
    assertThat(end().obstacles()).containsValue(Obstacle.NO_CONNECTION);
    events.clear();
    machine = machine(false, NAMED);
    step(machine, new Input.Connected(new Link(1, NAMED)), NOW);
    step(machine, new Input.Tick(), NOW.plusSeconds(60));
    assertThat(end().detail()).startsWith("node.example:1: no version message in ");
    assertThat(end().obstacles()).containsValue(Obstacle.NO_VERSION);
  }

  @Test
  void aMessageOfAnotherNetworkIsNamed() {
    SyncMachine machine = machine(false, NAMED);
    step(machine, new Input.Connected(new Link(1, NAMED)), NOW);
    step(
        machine,
        new Input.Garbled(new Link(1, NAMED), Obstacle.OTHER_NETWORK, "speaks signet"),
        NOW);
    assertThat(end().kind()).isEqualTo(Obstacle.Kind.WRONG_NETWORK);
    assertThat(end().obstacles()).containsValue(Obstacle.OTHER_NETWORK);
  }

  @Test
  void aClientConnectedToItselfHasNoPeer() {
    SyncMachine machine = machine(false, NAMED);
    step(machine, new Input.Connected(new Link(1, NAMED)), NOW);
    Message own =
        new Message.Version(70016, Services.BLOOM, 0, said.get(0).nonce(), "/me/", 0, true);
    step(machine, new Input.Received(new Link(1, NAMED), own, 100), NOW);
    assertThat(end().detail()).contains("connected to ourselves");
    assertThat(end().obstacles()).containsValue(Obstacle.NO_OTHER);
  }

  /**
   * The kind is the worst of all, and each peer has its own obstacle, in the order of their names.
   */
  @Test
  void everyPeerHasItsOwnObstacle() {
    SyncMachine machine = machine(false, LOCAL, NAMED, THIRD);
    Link silent = new Link(3, THIRD);
    step(machine, new Input.Connected(silent), NOW);
    step(machine, new Input.Disconnected(silent, "closed"), NOW);
    step(machine, new Input.ConnectFailed(new Link(1, LOCAL), "refused"), NOW);
    Input unknown = new Input.ConnectFailed(new Link(2, NAMED), Obstacle.UNKNOWN_NAME, "no name");
    step(machine, unknown, NOW);
    assertThat(end().kind()).isEqualTo(Obstacle.Kind.WRONG_NETWORK);
    assertThat(end().obstacles())
        .containsExactly(
            Map.entry(LOCAL, Obstacle.NO_CONNECTION),
            Map.entry(NAMED, Obstacle.UNKNOWN_NAME),
            Map.entry(THIRD, Obstacle.HANGS_UP));
  }

  /** As Core did before version 24: in its initial download it answers no request for headers. */
  @Test
  void aNodeThatIsStillSyncingSaysItsHeightAndNothingElse() {
    SyncMachine machine = machine(false, NAMED);
    Link link = new Link(1, NAMED);
    step(machine, new Input.Connected(link), NOW);
    Message version =
        new Message.Version(
            70015, Services.NETWORK | Services.BLOOM, 0, 5, "/Satoshi:0.21.0/", 1234, true);
    step(machine, new Input.Received(link, version, 100), NOW);
    events.clear();
    step(machine, new Input.Tick(), NOW.plusSeconds(30));
    assertThat(events)
        .contains(
            new SyncEvent.PeerLost(
                NAMED,
                DisconnectReason.STALLED,
                "nothing came for 30 seconds; it was asked for headers and says that its chain ends"
                    + " at height 1234 (a node that is still syncing?)"));
    for (int call = 2; events.stream().noneMatch(SyncFact.NoUsablePeer.class::isInstance); call++) {
      Instant then = NOW.plus(Duration.ofMinutes(call));
      Link next = new Link(call, NAMED);
      step(machine, new Input.Tick(), then);
      step(machine, new Input.Connected(next), then);
      step(machine, new Input.Received(next, version, 100), then);
      step(machine, new Input.Tick(), then.plusSeconds(30));
    }
    assertThat(end().obstacles()).containsExactly(Map.entry(NAMED, Obstacle.NOT_SYNCED));
  }
}
