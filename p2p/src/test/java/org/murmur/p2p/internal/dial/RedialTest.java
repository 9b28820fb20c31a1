package org.murmur.p2p.internal.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.machine.TestParts;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/** One rule decides for pinned and for found contacts when they are called again. */
class RedialTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final Endpoint SOMEWHERE = Endpoint.parse("20.1.1.1", 8333).orElseThrow();

  private static Contact contact(boolean pinned) {
    Attempts attempts = new Attempts();
    return pinned
        ? Contact.pinned(NodeAddress.of(SOMEWHERE))
        : Contact.found(SOMEWHERE, false, () -> attempts);
  }

  private static @Nullable Duration pause(Redial redial, Contact contact, Refusal lost) {
    contact.lost = lost;
    redial.plan(contact);
    Instant at = contact.callAt();
    return at == null ? null : Duration.between(NOW, at);
  }

  private static Redial redial(boolean follow) {
    SyncSettings settings = SyncSettings.of(List.of(), 1).follow(follow);
    return new Redial(new TestParts(HeaderChain.ofGenesis(ChainParams.REGTEST), settings).at(NOW));
  }

  private static Refusal lost(DisconnectReason reason) {
    return new Refusal(reason, "");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aOneOffSyncCallsAnAnsweringPeerAgainButNotForEver(boolean pinned) {
    Redial redial = redial(false);
    Contact contact = contact(pinned);
    contact.attempts().called();
    assertThat(pause(redial, contact, lost(DisconnectReason.DONE))).as("no answer").isNull();
    contact.answered = true;
    assertThat(pause(redial, contact, lost(DisconnectReason.DONE)))
        .isEqualTo(Attempts.pauseAfter(1));
    while (contact.attempts().calls() < Attempts.MAX_CALLS) {
      contact.attempts().called();
    }
    assertThat(pause(redial, contact, lost(DisconnectReason.DONE))).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aOneOffSyncGivesUpAPeerThatStalledDuringTwoWholeConnections(boolean pinned) {
    Redial redial = redial(false);
    Contact contact = contact(pinned);
    contact.answered = true;
    contact.attempts().called();
    // A damaged length may be the cause. A found peer is replaced.
    assertThat(pause(redial, contact, lost(DisconnectReason.STALLED)))
        .isEqualTo(pinned ? Attempts.pauseAfter(1) : null);
    contact.attempts().called();
    assertThat(pause(redial, contact, lost(DisconnectReason.STALLED))).isNull();
    contact.attempts().useful();
    assertThat(pause(redial, contact, lost(DisconnectReason.STALLED)))
        .isEqualTo(Attempts.pauseAfter(0));
  }

  /** A damaged length of its version message may be the cause. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aOneOffSyncCallsOnlyANamedPeerAgainThatSentNoVersion(boolean pinned) {
    Redial redial = redial(false);
    Contact contact = contact(pinned);
    Refusal mute = new Refusal(DisconnectReason.CONNECT_TIMEOUT, Obstacle.NO_VERSION, "");
    contact.attempts().called();
    assertThat(pause(redial, contact, mute)).as("perhaps no node").isNull();
    contact.remember(new CommitBatch.PeerFacts(contact.address, 0, "", 0, 0, 0, false, ""));
    assertThat(pause(redial, contact, mute)).isEqualTo(pinned ? Attempts.pauseAfter(1) : null);
    contact.attempts().called();
    assertThat(pause(redial, contact, mute)).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aOneOffSyncGivesUpAPeerThatRefusesTheSameBlocksTwice(boolean pinned) {
    Redial redial = redial(false);
    Contact contact = contact(pinned);
    contact.answered = true;
    contact.refusedBlocks(7);
    assertThat(pause(redial, contact, lost(DisconnectReason.DONE))).isNotNull();
    contact.refusedBlocks(8);
    assertThat(pause(redial, contact, lost(DisconnectReason.DONE))).isNotNull();
    contact.refusedBlocks(8);
    assertThat(pause(redial, contact, lost(DisconnectReason.DONE))).isNull();
  }

  @ParameterizedTest
  @EnumSource(DisconnectReason.class)
  void aSessionThatFollowsPostponesAFoundPeerByAMinute(DisconnectReason reason) {
    assertThat(pause(redial(true), contact(false), lost(reason))).isEqualTo(Attempts.LONGEST_PAUSE);
  }

  @Test
  void aSessionThatFollowsCallsAPinnedPeerAgainAfterItsBackOff() {
    Redial redial = redial(true);
    Contact contact = contact(true);
    contact.backOff(DisconnectReason.BAD_PROOF, NOW);
    assertThat(pause(redial, contact, lost(DisconnectReason.BAD_PROOF)))
        .as("no peer was ever ready")
        .isNull();
    redial.ready();
    assertThat(pause(redial, contact, lost(DisconnectReason.BAD_PROOF)))
        .as("unless others can take its place")
        .isEqualTo(Attempts.LONGEST_PAUSE);
    assertThat(pause(redial, contact, lost(DisconnectReason.NO_BLOOM))).isNull();
    assertThat(pause(redial, contact, lost(DisconnectReason.LACKS_BLOCKS)))
        .isEqualTo(Attempts.pauseAfter(0));
  }

  @Test
  void aSessionThatFollowsKeepsCallingAPinnedPeerThatWasNeverReached() {
    Refusal refused = new Refusal(DisconnectReason.DONE, Obstacle.NO_CONNECTION, "refused");
    Refusal hungUp = new Refusal(DisconnectReason.DONE, Obstacle.HANGS_UP, "hung up");
    assertThat(pause(redial(true), contact(true), refused)).isEqualTo(Attempts.pauseAfter(0));
    assertThat(pause(redial(true), contact(true), hungUp)).isNull();
  }
}
