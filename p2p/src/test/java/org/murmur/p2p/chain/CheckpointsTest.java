package org.murmur.p2p.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;

/** The packed lists: what they say, and that a list of one's own must leave no wide gap. */
class CheckpointsTest {

  @Test
  void knowsTheEndsOfMainnetsPeriods() {
    Checkpoints known = Checkpoints.of(Network.MAINNET);
    assertThat(known.size()).isEqualTo(436);
    assertThat(known.lastHeight()).isEqualTo(878_976).isEqualTo(436 * ConsensusRules.PERIOD);
    // Block 2016, and block 32256, the first one that was harder than genesis: both well known.
    assertThat(known.height(0)).isEqualTo(2016);
    assertThat(known.hash(0).toDisplay())
        .isEqualTo("00000000a141216a896c54f211301c436e557a8d55900637bbdce14c6c7bddef");
    assertThat(known.hash(15).toDisplay())
        .isEqualTo("000000004f2886a170adb7204cb0c7a824217dd24d11a74423d564c4e0904967");
    assertThat(known.minimumWork())
        .isEqualTo(ChainWork.ofHex("a6e78db05939f5b7a956f47b"))
        .isGreaterThan(ChainWork.of(BigInteger.ONE.shiftLeft(95)));
  }

  @Test
  void everyHashOfARealNetworkReachesTheEasiestTarget() {
    for (Network network : Network.all()) {
      Checkpoints known = Checkpoints.of(network);
      Target limit = Target.of(network.rules().proofOfWorkLimit());
      for (int i = 0; i < known.size(); i++) {
        assertThat(limit.isReachedBy(known.hash(i))).as(network + " " + known.height(i)).isTrue();
      }
      assertThat(known.size() == 0).isEqualTo(network.equals(Network.REGTEST));
    }
  }

  @Test
  void testnet4NamesTheBlocksBeforeThePeriods() {
    Checkpoints known = Checkpoints.of(Network.TESTNET4);
    assertThat(known.height(0)).isEqualTo(2015);
    assertThat(known.lastHeight()).isEqualTo(139_103);
    assertThat(known.minimumWork()).as("not in the list").isEqualTo(ChainWork.ZERO);
  }

  @Test
  void countsThoseUpToAHeight() {
    Checkpoints known =
        Checkpoints.of(
            List.of(new Checkpoint(10, Hash256.ZERO), new Checkpoint(30, Hash256.ZERO)),
            ChainWork.ZERO);
    assertThat(known.countTo(0)).isZero();
    assertThat(known.countTo(9)).isZero();
    assertThat(known.countTo(10)).isEqualTo(1);
    assertThat(known.countTo(29)).isEqualTo(1);
    assertThat(known.countTo(31)).isEqualTo(2);
    assertThat(Checkpoints.NONE.countTo(5)).isZero();
    assertThat(Checkpoints.NONE.lastHeight()).isZero();
  }

  @Test
  void refusesAListThatWouldHoldTooMuchInMemoryOrDescends() {
    assertThatThrownBy(() -> at(Checkpoints.MAX_GAP + 1)).hasMessageContaining("expected it 1 to");
    assertThatThrownBy(() -> at(5, 5)).hasMessageContaining("behind one at 5");
    assertThat(at(Checkpoints.MAX_GAP, 2 * Checkpoints.MAX_GAP).size()).isEqualTo(2);
  }

  private static Checkpoints at(int... heights) {
    List<Checkpoint> checkpoints =
        java.util.Arrays.stream(heights).mapToObj(h -> new Checkpoint(h, Hash256.ZERO)).toList();
    return Checkpoints.of(checkpoints, ChainWork.ZERO);
  }
}
