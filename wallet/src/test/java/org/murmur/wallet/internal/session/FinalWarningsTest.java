package org.murmur.wallet.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.WalletWarning;

/** The warnings at the end of a report. */
final class FinalWarningsTest {

  @ParameterizedTest
  @CsvSource({
    "testnet4, 86399, false",
    "testnet4, 86401, true",
    "signet, 172800, true",
    "testnet3, 8640000, true",
    "regtest, 8640000, false"
  })
  void anOldTipIsWarnedOf(String network, long age, boolean warned) {
    Instant now = Instant.ofEpochSecond(1_800_000_000);
    Instant time = now.minusSeconds(age);
    WalletWarning expected = new WalletWarning.OldTip(7, time, Duration.ofSeconds(age));
    assertThat(FinalWarnings.oldTip(ChainParams.ofName(network), 7, time, now))
        .isEqualTo(warned ? Optional.of(expected) : Optional.empty());
  }

  private static Participants served(int blocks, NodeAddress... peers) {
    Participants all = new Participants(Set.of());
    for (NodeAddress peer : peers) {
      all.heard(new SyncEvent.PeerReady(peer, "/test/", 0, 9, false));
      all.of(peer).blocks = blocks;
    }
    return all;
  }

  @Test
  void theFiltersOfOneStrangerAreWarnedOf() {
    NodeAddress stranger = new NodeAddress("node.example", 8333);
    NodeAddress other = new NodeAddress("192.0.2.1", 8333);
    NodeAddress own = new NodeAddress("127.0.0.1", 8333);
    Preset compact = new Preset.Compact(1);
    assertThat(FinalWarnings.filtersOfOne(compact, served(9, stranger)))
        .contains(new WalletWarning.FiltersOfOne(stranger));
    assertThat(FinalWarnings.filtersOfOne(compact, served(0, stranger))).isEmpty();
    assertThat(FinalWarnings.filtersOfOne(compact, served(9, stranger, other))).isEmpty();
    assertThat(FinalWarnings.filtersOfOne(compact, served(9, own))).isEmpty();
    assertThat(FinalWarnings.filtersOfOne(Preset.Fast.USUAL, served(9, stranger))).isEmpty();
  }

  /** Its index lags, or what it served is void. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSecondPeerThatDoesNotVouchIsNoComparison(boolean convicted) {
    NodeAddress stranger = new NodeAddress("node.example", 8333);
    NodeAddress other = new NodeAddress("192.0.2.1", 8333);
    Participants peers = served(9, stranger, other);
    peers.of(other).blocks = convicted ? 9 : 0;
    peers.of(other).misbehaviour = convicted ? Optional.of("FALSE_FILTER") : Optional.empty();
    assertThat(FinalWarnings.filtersOfOne(new Preset.Compact(1), peers))
        .contains(new WalletWarning.FiltersOfOne(stranger));
  }
}
