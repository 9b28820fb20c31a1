package org.murmur.wallet.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.net.HostNames;
import org.murmur.p2p.net.Proxy;
import org.murmur.wallet.privacy.Preset;

class SyncOptionsTest {

  private static final HostNames NAMES = name -> new InetAddress[] {};
  private static final StopSignal SIGNAL = new StopSignal();
  private static final Proxy PROXY = new Proxy("127.0.0.1", 9050);
  private static final GuardOptions GUARDS =
      new GuardOptions(GuardOptions.USUAL.rate(), true, List.of("gone"));

  /** Each value differs from its default, and the last derivation must not lose the first. */
  /** A mistyped peer is found where it is written, not when the sync begins. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "a b", "a,b", "host:port", "host:0", "host:99999", "[::1", "http://a"})
  void aPeerThatIsNoneIsRefusedAtOnce(String peer) {
    assertThatThrownBy(() -> SyncOptions.connect("127.0.0.1", peer))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "a.example:8333", "127.0.0.1", "[::1]:18444", "::1", "x_y-z.onion:1"})
  void whatMayBeAPeerIsTaken(String peer) {
    assertThat(SyncOptions.connect(peer).peers()).containsExactly(peer);
  }

  @Test
  void aDerivationKeepsAllOtherValues() {
    SyncOptions all =
        SyncOptions.discover()
            .peers(List.of("a"))
            .seedNodes("b")
            .dnsSeeds(List.of("c"))
            .hostNames(NAMES)
            .stoppedBy(SIGNAL)
            .avoiding(List.of("d"))
            .connections(2)
            .fromGenesis(true)
            .follow(true)
            .mempoolWait(Duration.ofSeconds(3))
            .timeout(Duration.ofSeconds(4))
            .rate(0.5)
            .headersOnly(true)
            .maxBytes(6)
            .broadcastWait(Duration.ofSeconds(7))
            .checkpoints(Checkpoints.NONE)
            .verify(8)
            .spotChecks(9)
            .fast()
            .guards(GUARDS)
            .proxy(PROXY);
    assertThat(all.discovers()).isTrue();
    assertThat(all.peers()).containsExactly("a");
    assertThat(all.seedNodes()).containsExactly("b");
    assertThat(all.dnsSeeds()).contains(List.of("c"));
    assertThat(all.hostNames()).isSameAs(NAMES);
    assertThat(all.stopSignal()).contains(SIGNAL);
    assertThat(all.avoided()).containsExactly("d");
    assertThat(all.connections()).isEqualTo(2);
    assertThat(all.fromGenesis()).isTrue();
    assertThat(all.follow()).isTrue();
    assertThat(all.mempoolWait()).isEqualTo(Duration.ofSeconds(3));
    assertThat(all.timeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(all.rate()).isEqualTo(0.5);
    assertThat(all.headersOnly()).isTrue();
    assertThat(all.maxBytes()).isEqualTo(6);
    assertThat(all.broadcastWait()).isEqualTo(Duration.ofSeconds(7));
    assertThat(all.checkpoints()).contains(Checkpoints.NONE);
    assertThat(all.verify()).isEqualTo(8);
    assertThat(all.spotChecks()).isEqualTo(9);
    assertThat(all.preset()).contains(Preset.FAST);
    assertThat(all.guards()).isEqualTo(GUARDS);
    assertThat(all.proxy()).contains(PROXY);
  }

  @Test
  void aDerivationDoesNotChangeItsSource() {
    SyncOptions source = SyncOptions.connect("a");
    assertThat(source.connections(2).peers()).containsExactly("a");
    assertThat(source.connections()).isZero();
  }

  @Test
  void impossibleValuesAreRefused() {
    SyncOptions options = SyncOptions.connect("a");
    assertThatThrownBy(() -> options.rate(Double.NaN)).hasMessageContaining("rate NaN");
    assertThatThrownBy(() -> options.rate(1)).hasMessageContaining("rate 1.0");
    assertThatThrownBy(() -> options.connections(-1)).hasMessageContaining("connections -1");
    assertThatThrownBy(() -> options.maxBytes(-1)).hasMessageContaining("maxBytes -1");
    assertThatThrownBy(() -> options.timeout(Duration.ofSeconds(-1)))
        .hasMessageContaining("durations");
    assertThatThrownBy(() -> options.verify(2).preset(Preset.PRIVATE))
        .hasMessageContaining("private preset");
    assertThatThrownBy(() -> options.preset(Preset.PRIVATE).spotChecks(1))
        .hasMessageContaining("private preset");
  }
}
