package org.murmur.wallet.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.SizeClass;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.net.HostNames;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.Preset;

class SyncOptionsTest {

  private static final HostNames NAMES = name -> new InetAddress[] {};
  private static final StopSignal SIGNAL = new StopSignal();
  private static final Proxy PROXY = new Proxy("127.0.0.1", 9050);

  /** A mistyped peer is found where it is written, not when the sync begins. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "a b", "a,b", "host:port", "host:0", "host:99999", "[::1", "http://a"})
  void aPeerThatIsNoneIsRefusedAtOnce(String peer) {
    assertThatThrownBy(() -> SyncOptions.connect("127.0.0.1", peer))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Discovery.USUAL.seedNodes(peer))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Peers.of("a").avoiding(List.of(peer)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Preset.Private.USUAL.dismissing(List.of(peer)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "a.example:8333", "127.0.0.1", "[::1]:18444", "::1", "x_y-z.onion:1"})
  void whatMayBeAPeerIsTaken(String peer) {
    assertThat(SyncOptions.connect(peer).peers().at(ChainParams.REGTEST, true).named())
        .containsExactly(NodeAddress.parse(peer, ChainParams.REGTEST.defaultPort()));
  }

  /** Each value differs from its default, and the last derivation must not lose the first. */
  @Test
  void aDerivationKeepsAllOtherValues() {
    Discovery how = Discovery.USUAL.seedNodes("b").dnsSeeds(List.of("c"));
    Preset.Private guarded =
        Preset.Private.USUAL.rate(SizeClass.GENEROUS).onePeer(true).dismissing(List.of("gone"));
    SyncOptions all =
        SyncOptions.connect("a")
            .peers(peers -> peers.discovering(how).avoiding(List.of("d")).connections(2))
            .hostNames(NAMES)
            .stoppedBy(SIGNAL)
            .fromGenesis(true)
            .follow(true)
            .limits(
                limits ->
                    limits
                        .mempoolWait(Duration.ofSeconds(3))
                        .time(Duration.ofSeconds(4))
                        .bytes(6)
                        .broadcastWait(Duration.ofSeconds(7))
                        .search(Duration.ofSeconds(8)))
            .headersOnly(true)
            .checkpoints(Checkpoints.NONE)
            .preset(Preset.Kind.FAST)
            .ifFast(fast -> fast.elements(4).verify(8).spotChecks(9).rate(0.5))
            .ifPrivate(usual -> guarded)
            .proxy(PROXY);
    NodeAddress a = new NodeAddress("a", NodeAddress.USUAL_PORT);
    assertThat(all.peers().named()).containsExactly(a);
    assertThat(all.peers().discovery()).contains(how);
    assertThat(how.seeds()).containsExactly("c");
    assertThat(how.seedNodes()).extracting(NodeAddress::host).containsExactly("b");
    assertThat(all.peers().avoided()).extracting(NodeAddress::host).containsExactly("d");
    assertThat(all.peers().connections()).isEqualTo(2);
    assertThat(all.stop()).contains(SIGNAL);
    assertThat(all.genesis()).isTrue();
    assertThat(all.follow()).isTrue();
    assertThat(all.limits())
        .isEqualTo(
            new Limits(
                Duration.ofSeconds(4),
                6,
                Duration.ofSeconds(3),
                Duration.ofSeconds(7),
                Duration.ofSeconds(8)));
    assertThat(all.headersOnly()).isTrue();
    assertThat(all.checkpoints()).contains(Checkpoints.NONE);
    assertThat(all.preset()).contains(Preset.Kind.FAST);
    assertThat(all.fast()).isEqualTo(new Preset.Fast(0.5, 4, 8, 9, 0));
    assertThat(all.guarded()).isEqualTo(guarded);
    assertThat(guarded.dismissed()).extracting(NodeAddress::host).containsExactly("gone");
    assertThat(guarded.rate()).isEqualTo(SizeClass.GENEROUS);
    assertThat(guarded.onePeer()).isTrue();
    assertThat(all.route()).isEqualTo(Route.DIRECT.names(NAMES).proxy(PROXY));
  }

  @Test
  void aPresetKeepsItsValuesAndASearchWhatIsSetOfIt() {
    SyncOptions compared = SyncOptions.connect("a").ifFast(fast -> fast.verify(2));
    assertThat(compared.preset(Preset.Kind.FAST).fast().verify()).isEqualTo(2);
    Discovery set =
        new Discovery(Optional.empty(), List.of(), Optional.of(Scope.LOCAL), 7, Optional.empty());
    Discovery at = set.at(ChainParams.MAINNET, true);
    assertThat(at.scope()).isEqualTo(set.scope());
    assertThat(at.port()).isEqualTo(7);
  }

  @Test
  void peersThatShallNotBeUsedAreAdded() {
    assertThat(Peers.of("a").avoiding(List.of("b")).avoiding(List.of("c")).avoided())
        .extracting(NodeAddress::host)
        .containsExactlyInAnyOrder("b", "c");
    Preset.Private both = Preset.Private.USUAL.dismissing(List.of("b")).dismissing(List.of("c"));
    assertThat(both.dismissed()).extracting(NodeAddress::host).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void aDerivationDoesNotChangeItsSource() {
    SyncOptions source = SyncOptions.connect("a");
    SyncOptions derived = source.peers(peers -> peers.connections(2));
    assertThat(derived.peers().named()).isEqualTo(source.peers().named());
    assertThat(source.peers().connections()).isZero();
  }

  @Test
  void aNetworkFillsInItsPortAndItsSeeds() {
    Discovery how = Discovery.USUAL.seedNodes("b", "c:1");
    Peers peers = Peers.of("a").discovering(how).avoiding(List.of("d"));
    Peers there = peers.at(ChainParams.MAINNET, true);
    assertThat(there.named()).hasToString("[a:8333]");
    assertThat(there.avoided()).hasToString("[d:8333]");
    assertThat(there.discovery())
        .contains(
            new Discovery(
                Optional.of(ChainParams.MAINNET.dnsSeeds()),
                List.of(new NodeAddress("b", 8333), new NodeAddress("c", 1)),
                Optional.of(Scope.INTERNET.withOnion(true)),
                8333,
                Optional.of(List.of())));
    assertThat(Preset.Private.USUAL.dismissing(List.of("e")).at(8333).dismissed())
        .hasToString("[e:8333]");
    assertThatThrownBy(() -> Peers.of().at(ChainParams.MAINNET, false))
        .hasMessageContaining("no peer to connect to");
    assertThatThrownBy(() -> Peers.found(how.seedNodes("x.onion")).at(ChainParams.MAINNET, false))
        .hasMessageContaining("x.onion:8333 can only be reached through a proxy");
  }

  @Test
  void impossibleValuesAreRefused() {
    Preset.Fast fast = Preset.Fast.USUAL;
    assertThatThrownBy(() -> fast.rate(Double.NaN)).hasMessageContaining("rate NaN");
    assertThatThrownBy(() -> fast.rate(1)).hasMessageContaining("rate 1.0");
    assertThatThrownBy(() -> fast.verify(0)).hasMessageContaining("verify 0");
    assertThatThrownBy(() -> fast.spotChecks(-1)).hasMessageContaining("spot checks -1");
    assertThatThrownBy(() -> fast.elements(1_000_000)).hasMessageContaining("1000000 elements");
    assertThatThrownBy(() -> Preset.Private.USUAL.rate(0.5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Peers.of("a").connections(-1)).hasMessageContaining("connections -1");
    assertThatThrownBy(() -> Limits.USUAL.bytes(-1)).hasMessageContaining("limit of bytes -1");
    assertThatThrownBy(() -> Limits.USUAL.bytes(0)).hasMessageContaining("limit of bytes 0");
    for (Duration none : List.of(Duration.ofSeconds(-1), Duration.ZERO)) {
      assertThatThrownBy(() -> Limits.USUAL.time(none)).hasMessageContaining("more than 0");
      assertThatThrownBy(() -> Limits.USUAL.broadcastWait(none))
          .hasMessageContaining("more than 0");
    }
    assertThat(Limits.USUAL.mempoolWait(Duration.ZERO).mempoolWait()).isZero();
    SyncOptions options = SyncOptions.connect("a");
    assertThatThrownBy(() -> options.ifFast(f -> f.verify(2)).preset(Preset.Kind.PRIVATE))
        .hasMessageContaining("private preset");
    assertThatThrownBy(() -> options.preset(Preset.Kind.PRIVATE).ifFast(f -> f.spotChecks(1)))
        .hasMessageContaining("private preset");
  }
}
