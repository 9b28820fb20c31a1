package org.murmur.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.testbed.hostile.End;
import org.murmur.testbed.hostile.Expectation;
import org.murmur.testbed.hostile.Hostile;
import org.murmur.testbed.hostile.Hostile.Payment;
import org.murmur.testbed.hostile.Hostiles;
import org.murmur.testbed.hostile.Situation;
import org.murmur.testbed.hostile.Stage;

/** The real wallet and every hostile peer in every situation, in virtual time. */
class HostilePeersTest {

  static List<Arguments> all() {
    List<Arguments> all = new ArrayList<>();
    for (Hostile hostile : Hostiles.all()) {
      for (Situation situation : Situation.values()) {
        all.add(Arguments.of(hostile, situation));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("all")
  void endsAsItMust(Hostile hostile, Situation situation) throws Exception {
    Expectation expected = hostile.expectation();
    Stage.Outcome outcome = Stage.play(hostile, situation, new WalletInWorld.Maker());

    assertThat(outcome.end()).isEqualTo(expected.ends().get(situation));
    if (outcome.end() == End.TRUTH) {
      assertThat(outcome.missed()).isZero();
    }
    assertThat(outcome.made()).as("made up, satoshi").isNotPositive();
    assertThat(outcome.hoped()).as("more than exists").isBetween(0L, Tx.MAX_MONEY);
    if (hostile.name().equals("Forger")) {
      assertThat(outcome.pending()).as("invented spends").isZero();
    }
    assertThat(outcome.batchBytes()).isLessThanOrEqualTo(expected.batchBytes());

    outcome.hostileLost().remove(DisconnectReason.DONE);
    assertThat(outcome.hostileLost()).isSubsetOf(expected.reasons());
    if (expected.dropped().contains(situation)) {
      assertThat(outcome.hostileLost()).isNotEmpty();
    }
    outcome.honestLost().remove(DisconnectReason.DONE);
    assertThat(outcome.honestLost()).isSubsetOf(expected.othersReasons());
    if (situation != Situation.FOLLOWED) {
      assertThat(outcome.took()).isLessThan(expected.within());
    }
    assertThat(outcome.early()).hasSize(outcome.end() == End.LOWER_TIP ? 1 : 0);

    assertThat(outcome.clockBehind() && situation.honest() > 0).isFalse();
    // A guard does not get what the user sends.
    boolean asked = hostile.payment() == Payment.FETCHED && situation != Situation.AS_GUARD;
    assertThat(outcome.fetched()).isEqualTo(asked);
    assertThat(outcome.accepted()).isFalse();
    assertThat(outcome.hidden() && situation.honest() > 0).as("a payment is hidden").isFalse();
  }
}
