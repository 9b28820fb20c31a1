package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** Whom a session calls, given the record of earlier ones. */
class DialerTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final NodeAddress LIAR = new NodeAddress("10.0.0.1", 1);
  private static final NodeAddress OTHER = new NodeAddress("10.0.0.2", 1);

  private final List<Output> outputs = new ArrayList<>();

  private static CommitBatch.PeerFacts facts(String misbehaviour, Duration ago) {
    long then = NOW.minus(ago).getEpochSecond();
    return new CommitBatch.PeerFacts(LIAR, 0, "/liar/", 0, -1, then, false, misbehaviour);
  }

  private SyncMachine machine(CommitBatch.PeerFacts facts, NodeAddress... peers) {
    SyncStart start =
        new SyncStart(
            ChainParams.REGTEST,
            HeaderChain.ofGenesis(ChainParams.REGTEST),
            new Birthday.AtHeight(0),
            OptionalInt.empty(),
            List.of(),
            List.of(),
            List.of(),
            List.of(facts),
            1,
            1,
            List.of(),
            List.of(),
            HeaderSource.NONE);
    SyncMachine machine = new SyncMachine(start, SyncSettings.of(List.of(peers), 1));
    step(machine, new Input.Tick(), NOW);
    return machine;
  }

  private void step(SyncMachine machine, Input input, Instant now) {
    outputs.addAll(machine.step(input, now));
  }

  private List<NodeAddress> called() {
    List<NodeAddress> called = new ArrayList<>();
    for (Output output : outputs) {
      if (output instanceof Output.Connect connect) {
        called.add(connect.link().address());
      }
    }
    return called;
  }

  private List<SyncEvent> events() {
    List<SyncEvent> events = new ArrayList<>();
    for (Output output : outputs) {
      if (output instanceof Output.Emit emit && !(emit.event() instanceof SyncEvent.Progress)) {
        events.add(emit.event());
      }
    }
    return events;
  }

  @ParameterizedTest
  @EnumSource
  void aMisbehavingPeerIsNotCalledDuringItsBackOff(DisconnectReason reason) {
    Duration almost = reason.backOff().minusSeconds(1);
    machine(facts(reason.name(), almost), LIAR, OTHER);
    if (!reason.isMisbehaviour()) {
      assertThat(called()).containsExactly(LIAR, OTHER);
      return;
    }
    assertThat(called()).containsExactly(OTHER);
    assertThat(events()).contains(new SyncWarning.PeerInBackOff(LIAR, reason, NOW.plusSeconds(1)));
    outputs.clear();
    machine(facts(reason.name(), reason.backOff()), LIAR, OTHER);
    assertThat(called()).containsExactly(LIAR, OTHER);
    assertThat(events()).isEmpty();
  }

  @Test
  void isCalledWithinTheSessionWhenItsBackOffIsOver() {
    SyncMachine machine = machine(facts("SLOW", Duration.ofMinutes(9)), LIAR, OTHER);
    assertThat(called()).containsExactly(OTHER);
    step(machine, new Input.Connected(new Link(1, OTHER)), NOW.plusSeconds(1));
    step(machine, new Input.Tick(), NOW.plusSeconds(5));
    assertThat(called()).containsExactly(OTHER);
    step(machine, new Input.Tick(), NOW.plusSeconds(60));
    assertThat(called()).containsExactly(OTHER, LIAR);
  }

  /** The clock was a month ahead when the misbehaviour was recorded. */
  @Test
  void aBackOffThatLiesInTheFutureIsNoLongerThanFromNowOn() {
    SyncMachine machine = machine(facts("SLOW", Duration.ofDays(-30)), LIAR, OTHER);
    assertThat(called()).containsExactly(OTHER);
    Instant over = NOW.plus(DisconnectReason.SLOW.backOff());
    assertThat(events()).contains(new SyncWarning.PeerInBackOff(LIAR, DisconnectReason.SLOW, over));
    assertThat(machine.isStopped()).isFalse();
  }

  @Test
  void noBackOffIsLongerThanTheTableOfAddressesBelieves() {
    for (DisconnectReason reason : DisconnectReason.values()) {
      assertThat(reason.backOff().toSeconds()).isLessThanOrEqualTo(KnownAddress.LONGEST_BAN);
    }
  }

  @Test
  void isCalledWhenThereIsNoOtherPeerAndTheMessageSaysWhy() {
    machine(facts("BAD_PROOF", Duration.ofHours(1)), LIAR);
    assertThat(called()).containsExactly(LIAR);
    assertThat(events())
        .singleElement()
        .isInstanceOfSatisfying(
            SyncEvent.Warning.class,
            warning ->
                assertThat(warning)
                    .isEqualTo(
                        new SyncWarning.MisbehavedPeerCalled(
                            LIAR,
                            DisconnectReason.BAD_PROOF,
                            Instant.parse("2023-11-15T21:13:20Z"))));
  }

  @Test
  void isCalledWhenNoOtherPeerAnswers() {
    SyncMachine machine = machine(facts("BAD_PROOF", Duration.ofHours(1)), LIAR, OTHER);
    step(machine, new Input.ConnectFailed(new Link(1, OTHER), "refused"), NOW.plusSeconds(1));
    assertThat(called()).containsExactly(OTHER, LIAR);
    assertThat(events()).anyMatch(SyncEvent.Warning.class::isInstance);
    assertThat(events()).noneMatch(SyncFact.NoUsablePeer.class::isInstance);
  }

  @Test
  void forgetsAReasonThatItDoesNotKnow() {
    machine(facts("SOMETHING_OF_ANOTHER_VERSION", Duration.ZERO), LIAR, OTHER);
    assertThat(called()).containsExactly(LIAR, OTHER);
  }
}
