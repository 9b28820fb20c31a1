package org.murmur.p2p.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;

/** The packed lists: their content, and that a custom list must leave no wide gap. */
class CheckpointsTest {

  @Test
  void knowsTheEndsOfPeriods() {
    assertEnds(ChainParams.MAINNET, 953_567, "12fa7ecf8d5705e356fd4a680");
    assertEnds(ChainParams.TESTNET3, 5_011_775, "14ce853925a9e33901fa");
    assertEnds(ChainParams.TESTNET4, 139_103, "34a4690fe592dc49c7c");
    assertEnds(ChainParams.SIGNET, 308_447, "b463ea0a4b8");
    // Block 32255, the last one as easy as genesis; rows at the seam of two lists, and a last one.
    assertHash(
        ChainParams.MAINNET,
        32_255,
        "00000000984f962134a7291e3693075ae03e521f0ee33378ec30a334d860034b");
    assertHash(
        ChainParams.MAINNET,
        878_975,
        "000000000000000000006d0b2fecfc61125fe5a7c6387fdca048c4b3cd5ffa84");
    assertHash(
        ChainParams.MAINNET,
        880_991,
        "00000000000000000001651e40ff05e359a13e1740d9c21f400abdc5f1b287c9");
    assertHash(
        ChainParams.MAINNET,
        953_567,
        "00000000000000000001b315e72169bef4867bf780527aa97c625ee9c001dc5d");
    assertHash(
        ChainParams.TESTNET3,
        5_011_775,
        "000000000000041b511bf0b926371d5045f70bbc30d36b66f1c84ed30d765886");
    assertHash(
        ChainParams.TESTNET4,
        139_103,
        "000000000001fa52cf7346a418640560743e051f8096a21ca452f3569bfe4f9e");
    assertHash(
        ChainParams.SIGNET,
        308_447,
        "0000000fce481bd689af96794ea36ad8e80bc4635f068104aeff53bc17326ecf");
  }

  /** Both lists of a network name the last blocks of periods. */
  @ParameterizedTest
  @ValueSource(strings = {"mainnet", "signet"})
  void hasEveryRowOfTheLists(String network) throws IOException {
    List<String> hashes = new ArrayList<>();
    TargetTest.rows(network).forEach(row -> hashes.add(row[2]));
    TargetTest.rows(network + "-ends").forEach(row -> hashes.add(row[1]));
    Checkpoints known = Checkpoints.of(ChainParams.ofName(network));
    assertThat(IntStream.range(0, known.size()).mapToObj(i -> known.hash(i).toDisplay()))
        .containsExactlyElementsOf(hashes);
  }

  private static void assertEnds(ChainParams network, int last, String work) {
    Checkpoints known = Checkpoints.of(network);
    assertThat(known.height(0)).isEqualTo(2_015);
    assertThat(known.lastHeight()).isEqualTo(last).isEqualTo(2_016 * known.size() - 1);
    assertThat(known.minimumWork()).isEqualTo(ChainWork.ofHex(work));
  }

  private static void assertHash(ChainParams network, int height, String hash) {
    Checkpoints known = Checkpoints.of(network);
    assertThat(known.hash(known.countTo(height) - 1)).isEqualTo(Hash256.ofDisplay(hash));
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

  /** The last blocks of every tenth period, as far as the lists have the target after them. */
  @Test
  void chainsMayBeginAfterEveryTenthPeriod() {
    assertThat(Checkpoints.of(ChainParams.MAINNET).bases()).hasSize(47);
    assertThat(Checkpoints.of(ChainParams.TESTNET3).bases()).hasSize(179);
    assertThat(Checkpoints.of(ChainParams.SIGNET).bases()).hasSize(11);
    assertThat(Checkpoints.of(ChainParams.TESTNET4).bases()).as("hashes only").isEmpty();
    for (ChainParams network : ChainParams.all()) {
      Checkpoints known = Checkpoints.of(network);
      List<ChainBase> bases = known.bases();
      for (int i = 0; i < bases.size(); i++) {
        ChainBase base = bases.get(i);
        assertThat(base.height()).isEqualTo(20_160 * (i + 1) - 1);
        assertThat(base.hash()).isEqualTo(known.hash(known.countTo(base.height()) - 1));
        assertThat(Target.ofBits(base.bits()).value())
            .isLessThanOrEqualTo(network.rules().proofOfWorkLimit());
        assertThat(known.minimumWork()).isGreaterThan(base.work());
        if (i > 0) {
          assertThat(base.time()).isGreaterThan(bases.get(i - 1).time());
          assertThat(base.work()).isGreaterThan(bases.get(i - 1).work());
        }
      }
    }
    // From rows of the lists: hash, time and bits as they stand there; aa83470b0222 without the
    // row's own work.
    assertThat(Checkpoints.of(ChainParams.MAINNET).bases().get(1))
        .isEqualTo(
            new ChainBase(
                40_319,
                Hash256.ofDisplay(
                    "000000008135b689ad1557d4e148a8b9e58e2c4a67240fc87962abb69710231a"),
                1_266_191_579,
                0x1c654657,
                ChainWork.ofHex("aa80bfeea100")));
  }

  /** The rows of mainnet's list, and packed bases of the same heights. */
  @Test
  void computedTimesAreTwoHoursOffAtMost() throws IOException {
    List<String[]> rows = TargetTest.rows("mainnet");
    for (int from = 100; from < rows.size() - 37; from++) {
      long time = Long.parseLong(rows.get(from)[3]);
      for (int i = from; i < from + 37; i++) {
        time += seconds(bits(rows.get(i)), bits(rows.get(i + 1)));
      }
      assertThat(time - Long.parseLong(rows.get(from + 37)[3])).isBetween(-7_200L, 7_200L);
    }
    // The packed ones go on from the last row in the same way: ten periods are 140 days or so.
    List<ChainBase> bases = Checkpoints.of(ChainParams.MAINNET).bases();
    for (int i = 43; i < bases.size(); i++) {
      assertThat(bases.get(i).time() - bases.get(i - 1).time())
          .isBetween(130 * 86_400L, 150 * 86_400L);
    }
  }

  private static int bits(String[] row) {
    return Integer.parseUnsignedInt(row[4], 16);
  }

  private static long seconds(int bits, int next) {
    return Target.ofBits(next)
            .value()
            .multiply(BigInteger.valueOf(ConsensusRules.PERIOD_SECONDS))
            .divide(Target.ofBits(bits).value())
            .longValueExact()
        + ConsensusRules.BLOCK_SECONDS;
  }

  @Test
  void theBaseLiesBelowTheBirthday() {
    Checkpoints known = Checkpoints.of(ChainParams.MAINNET);
    assertThat(height(known, new Birthday.AtHeight(0))).isZero();
    assertThat(height(known, new Birthday.AtHeight(20_159))).isZero();
    assertThat(height(known, new Birthday.AtHeight(20_160))).isEqualTo(20_159);
    assertThat(height(known, new Birthday.AtHeight(850_000))).isEqualTo(846_719);
    assertThat(height(known, new Birthday.AtHeight(Integer.MAX_VALUE))).isEqualTo(947_519);
    ChainBase second = known.bases().get(1);
    assertThat(height(known, dated(second.time() + 86_399))).isEqualTo(20_159);
    assertThat(height(known, dated(second.time() + 86_400))).isEqualTo(40_319);
    assertThat(height(known, dated(0))).isZero();
    assertThat(height(known, new Birthday.AtTime(Instant.parse("2030-01-01T00:00:00Z"))))
        .isEqualTo(947_519);
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
    List<Checkpoint> known = List.of(new Checkpoint(20_159, base.hash()));
    assertThat(Checkpoints.of(known, ChainWork.ZERO, List.of(base)).bases()).containsExactly(base);
    assertThatThrownBy(() -> Checkpoints.of(known, ChainWork.ZERO, List.of(base, base)))
        .hasMessageContaining("ascending");
    List<Checkpoint> other = List.of(new Checkpoint(20_159, Hash256.ZERO));
    assertThatThrownBy(() -> Checkpoints.of(other, ChainWork.ZERO, List.of(base)))
        .hasMessageContaining("base at height 20159");
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
