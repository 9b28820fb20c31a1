package org.murmur.p2p.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;

/** The packed lists: their content, and that a custom list must leave no wide gap. */
class CheckpointsTest {

  @Test
  void knowsTheEndsOfMainnetsPeriods() {
    Checkpoints known = Checkpoints.of(ChainParams.MAINNET);
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
    for (ChainParams network : ChainParams.all()) {
      Checkpoints known = Checkpoints.of(network);
      Target limit = Target.of(network.rules().proofOfWorkLimit());
      for (int i = 0; i < known.size(); i++) {
        assertThat(limit.isReachedBy(known.hash(i))).as(network + " " + known.height(i)).isTrue();
      }
      assertThat(known.size() == 0).isEqualTo(network.equals(ChainParams.REGTEST));
    }
  }

  @Test
  void testnet4NamesTheBlocksBeforeThePeriods() {
    Checkpoints known = Checkpoints.of(ChainParams.TESTNET4);
    assertThat(known.height(0)).isEqualTo(2015);
    assertThat(known.lastHeight()).isEqualTo(139_103);
    assertThat(known.minimumWork())
        .as("Core's nMinimumChainWork")
        .isEqualTo(ChainWork.ofHex("034a4690fe592dc49c7c"));
    assertThat(known.bases()).as("the list has no headers").isEmpty();
  }

  /** The first blocks of every tenth period, and the last of them, as the lists have them. */
  @Test
  void chainsMayBeginAtEveryTenthPeriod() {
    for (ChainParams network :
        List.of(ChainParams.MAINNET, ChainParams.TESTNET3, ChainParams.SIGNET)) {
      Checkpoints known = Checkpoints.of(network);
      List<ChainBase> bases = known.bases();
      assertThat(bases).hasSize(known.size() / 10);
      for (int i = 0; i < bases.size(); i++) {
        ChainBase base = bases.get(i);
        assertThat(base.height()).isEqualTo(20_160 * (i + 1));
        assertThat(base.hash()).isEqualTo(known.hash(known.countTo(base.height()) - 1));
        Target target = Target.ofBits(base.bits());
        assertThat(target.isReachedBy(base.hash())).isTrue();
        assertThat(target.value()).isLessThanOrEqualTo(network.rules().proofOfWorkLimit());
        if (i > 0) {
          assertThat(base.time()).isGreaterThan(bases.get(i - 1).time());
          assertThat(base.work()).isGreaterThan(bases.get(i - 1).work());
        }
      }
      assertThat(known.minimumWork()).isGreaterThan(bases.get(bases.size() - 1).work());
    }
    // Rows of the lists.
    assertThat(Checkpoints.of(ChainParams.MAINNET).bases().get(1))
        .isEqualTo(
            new ChainBase(
                40_320,
                Hash256.ofDisplay(
                    "0000000045861e169b5a961b7034f8de9e98022e7a39100dde3ae3ea240d7245"),
                Hash256.ofDisplay(
                    "000000008135b689ad1557d4e148a8b9e58e2c4a67240fc87962abb69710231a"),
                1_266_191_579,
                0x1c654657,
                ChainWork.ofHex("aa83470b0222")));
    assertThat(Checkpoints.of(ChainParams.SIGNET).bases().get(0).height()).isEqualTo(20_160);
  }

  @Test
  void theBaseLiesBelowTheBirthday() {
    Checkpoints known = Checkpoints.of(ChainParams.MAINNET);
    assertThat(height(known, new Birthday.AtHeight(0))).isZero();
    assertThat(height(known, new Birthday.AtHeight(20_160))).isZero();
    assertThat(height(known, new Birthday.AtHeight(20_161))).isEqualTo(20_160);
    assertThat(height(known, new Birthday.AtHeight(850_000))).isEqualTo(846_720);
    assertThat(height(known, new Birthday.AtHeight(Integer.MAX_VALUE))).isEqualTo(866_880);
    ChainBase second = known.bases().get(1);
    assertThat(height(known, dated(second.time() + 86_399))).isEqualTo(20_160);
    assertThat(height(known, dated(second.time() + 86_400))).isEqualTo(40_320);
    assertThat(height(known, dated(0))).isZero();
    assertThat(height(known, new Birthday.AtTime(Instant.parse("2030-01-01T00:00:00Z"))))
        .isEqualTo(866_880);
    assertThat(Checkpoints.NONE.baseFor(ChainParams.MAINNET, new Birthday.AtHeight(850_000)))
        .isEqualTo(ChainBase.ofGenesis(ChainParams.MAINNET));
  }

  private static int height(Checkpoints known, Birthday birthday) {
    return known.baseFor(ChainParams.MAINNET, birthday).height();
  }

  private static Birthday dated(long seconds) {
    return new Birthday.AtTime(Instant.ofEpochSecond(seconds));
  }

  @Test
  void aBaseMustBeACheckpoint() {
    ChainBase base = Checkpoints.of(ChainParams.MAINNET).bases().get(0);
    List<Checkpoint> known = List.of(new Checkpoint(20_160, base.hash()));
    assertThat(Checkpoints.of(known, ChainWork.ZERO, List.of(base)).bases()).containsExactly(base);
    assertThatThrownBy(() -> Checkpoints.of(known, ChainWork.ZERO, List.of(base, base)))
        .hasMessageContaining("ascending");
    List<Checkpoint> other = List.of(new Checkpoint(20_160, Hash256.ZERO));
    assertThatThrownBy(() -> Checkpoints.of(other, ChainWork.ZERO, List.of(base)))
        .hasMessageContaining("base at height 20160");
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
