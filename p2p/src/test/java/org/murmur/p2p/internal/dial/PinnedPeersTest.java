package org.murmur.p2p.internal.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.machine.TestParts;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;

class PinnedPeersTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final NodeAddress GUARD = new NodeAddress("10.0.0.1", 1);
  private static final NodeAddress OTHER = new NodeAddress("10.0.0.2", 1);

  /** World 4 of the private preset: the guard was called again after a minute, by chance. */
  @Test
  void aPeerThatWaitsForRoomDoesNotHideWhenAGuardIsCalledAgain() {
    Preset.Private preset = Preset.Private.USUAL;
    SyncSettings settings =
        SyncSettings.of(List.of(GUARD, OTHER), 1)
            .keyedBy(Bytes.ofHex("c0ffee"))
            .preset(preset)
            .peers(who -> who.connections(1));
    TestParts parts = new TestParts(HeaderChain.ofGenesis(ChainParams.REGTEST), settings).at(NOW);
    Guards guards = new Guards(preset, List.of(), List.of());
    guards.choose(Map.of(FilterRole.SCRIPTS, GUARD));
    Contacts contacts = new Contacts(parts, address -> new Link(1, address));
    Contact guard = contacts.pin(GUARD);
    contacts.pin(OTHER);
    Instant again = NOW.plusSeconds(2);
    guard.attempts().pauseUntil(NOW, again);

    PinnedPeers pinned = new PinnedPeers(parts, guards, contacts, new Redial(parts));
    pinned.call();
    assertThat(parts.roster.isEmpty()).isTrue();
    Alarm alarm = new Alarm(NOW);
    pinned.setAlarm(alarm);
    assertThat(alarm.next()).isEqualTo(again);
  }
}
