package org.murmur.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.PrivatePreset;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Hostiles;
import org.murmur.regtest.hostile.Stage;

/** The real wallet and every hostile peer, in virtual time. */
class HostilePeersTest {

  static List<Hostile> all() {
    return Hostiles.all();
  }

  private static Stage.Outcome play(Hostile hostile, int honest, UnaryOperator<SyncSettings> change)
      throws Exception {
    Stage.Outcome outcome = Stage.play(hostile, honest, change, new WalletInWorld.Maker());
    Set<DisconnectReason> reasons = outcome.hostileLost();
    assertThat(hostile.goesFor())
        .as("%s: %s", hostile.name(), hostile.sentence())
        .containsAll(reasons.stream().filter(reason -> reason != DisconnectReason.DONE).toList());
    assertThat(outcome.honestLost()).isSubsetOf(DisconnectReason.DONE);
    return outcome;
  }

  private static void assertTruth(Stage.Outcome outcome) {
    assertThat(outcome.complete()).isTrue();
    assertThat(outcome.missed()).isEmpty();
  }

  private static void assertAlone(Hostile hostile, Stage.Outcome outcome) {
    assertThat(outcome.complete()).isEqualTo(hostile.completesAlone());
    if (outcome.complete()) {
      assertThat(outcome.missed()).isEmpty();
    } else {
      assertThat(outcome.hostileLost()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void alone(Hostile hostile) throws Exception {
    assertAlone(hostile, play(hostile, 0, settings -> settings));
  }

  @ParameterizedTest
  @MethodSource("all")
  void besideAnHonestPeer(Hostile hostile) throws Exception {
    assertTruth(play(hostile, 1, settings -> settings));
  }

  @ParameterizedTest
  @MethodSource("all")
  void comparedWithTwoOthers(Hostile hostile) throws Exception {
    assertTruth(play(hostile, 2, settings -> settings.verifiedBy(2)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void asTheOnlyGuard(Hostile hostile) throws Exception {
    assertAlone(
        hostile,
        play(
            hostile,
            0,
            settings ->
                settings.guardedBy(
                    new PrivatePreset(Bytes.ofHex("c0ffee"), SizeClass.THRIFTY, true, Set.of()))));
  }

  @ParameterizedTest
  @MethodSource("all")
  void whileFollowing(Hostile hostile) throws Exception {
    assertTruth(play(hostile, 1, settings -> settings.follow(true)));
  }
}
