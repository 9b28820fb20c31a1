package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.chain.Target;

/**
 * The rules on real headers from the middle of chains, and on the same headers with one error.
 * Their hashes are not searched again: each check gets the true header's hash unless the proof of
 * work is to fail.
 */
class HeaderRulesTest {

  private static final HeaderVectors MAIN = HeaderVectors.of(ChainParams.MAINNET, 40_000);
  private static final HeaderVectors TEST3 = HeaderVectors.of(ChainParams.TESTNET3, 0);
  private static final HeaderVectors TEST4 = HeaderVectors.of(ChainParams.TESTNET4, 145_142);
  private static final HeaderVectors SIGNET = HeaderVectors.of(ChainParams.SIGNET, 0);

  private static final long[] CHECKPOINT_38304 = {1_265_319_794, 0x1d008cc3};

  @Test
  void mainnetFollowsItsRetargets() {
    Map<Integer, long[]> bases = retargetBases(MAIN);
    assertThat(bases.get(38_304)).as("checkpoints/mainnet.csv").isEqualTo(CHECKPOINT_38304);
    Walk walk = new Walk(MAIN, 40_010, bases);
    int retargets = 0;
    for (int height = 40_011; height <= 49_999; height++) {
      int before = MAIN.headers().bits(height - 1 - 40_000);
      int bits = MAIN.headers().bits(height - 40_000);
      if (height % 2016 == 0) {
        assertThat(walk.check(height, before, BlockHeader.BITS)).isEqualTo(HeaderFault.WRONG_BITS);
        retargets++;
      }
      assertThat(walk.check(height, bits + 1, BlockHeader.BITS)).isEqualTo(HeaderFault.WRONG_BITS);
      assertThat(walk.check(height, bits - 1, BlockHeader.BITS)).isEqualTo(HeaderFault.WRONG_BITS);
      assertThat(walk.accept(height)).isNull();
    }
    assertThat(retargets).isEqualTo(MAIN.facts().get("retargets").size()).isEqualTo(5);
  }

  @Test
  void signetFollowsItsRetarget() {
    Walk walk = new Walk(SIGNET, 0, Map.of());
    for (int height = 1; height <= 2016; height++) {
      assertThat(walk.check(height, 0x1e0377ad, BlockHeader.BITS))
          .isEqualTo(HeaderFault.WRONG_BITS);
      assertThat(walk.accept(height)).isNull();
    }
    assertThat(SIGNET.headers().bits(2016)).isEqualTo(0x1e012fa7);
  }

  @Test
  void anotherNonceProvesNothing() {
    Walk walk = new Walk(MAIN, 40_010, Map.of());
    for (int height = 40_011; height < 40_300; height++) {
      assertThat(walk.checkWithItsHash(height, 12345, BlockHeader.NONCE))
          .isEqualTo(HeaderFault.BAD_PROOF_OF_WORK);
      assertThat(walk.accept(height)).isNull();
    }
  }

  @Test
  void timesMustPassTheMedianOfElevenAndNotTheNextTwoHours() {
    Walk walk = new Walk(MAIN, 40_010, Map.of());
    for (int height = 40_011; height < 40_300; height++) {
      long[] times = new long[11];
      for (int i = 0; i < 11; i++) {
        times[i] = MAIN.headers().time(height - 1 - i - 40_000);
      }
      Arrays.sort(times);
      int median = (int) times[5];
      assertThat(walk.check(height, median, BlockHeader.TIME)).isEqualTo(HeaderFault.TIME_TOO_OLD);
      assertThat(walk.checkOn(height, median + 1, median + 1 - 7200)).isNull();

      walk = new Walk(MAIN, height - 1, Map.of());
      int time = (int) MAIN.headers().time(height - 40_000);
      assertThat(walk.checkOn(height, time, time - 7201)).isEqualTo(HeaderFault.TIME_TOO_NEW);
      assertThat(walk.accept(height)).isNull();
    }
  }

  /** The first headers of testnet3 came in a storm: all at the limit, none after twenty minutes. */
  @Test
  void testnet3GivesTheLimitAfterTwentyMinutesOnly() {
    Walk hard = new Walk(TEST3, 0, Map.of());
    for (int height = 1; height < 547; height++) {
      assertThat(hard.check(height, 0x1c7fffff, BlockHeader.BITS))
          .isEqualTo(HeaderFault.WRONG_BITS);
      assertThat(hard.accept(height)).isNull();
    }
  }

  /** Eight headers at the limit, each more than twenty minutes late, then a hard one. */
  @Test
  void testnet4WalksBackToTheLastHardTarget() {
    Walk walk = new Walk(TEST4, 145_142, retargetBases(TEST4));
    for (int height = 145_143; height < 145_151; height++) {
      int parentTime = (int) TEST4.headers().time(height - 1 - 145_142);
      assertThat(TEST4.headers().bits(height - 145_142)).isEqualTo(0x1d00ffff);
      assertThat(walk.check(height, parentTime + 1200, BlockHeader.TIME))
          .as("not late enough for the limit")
          .isEqualTo(HeaderFault.WRONG_BITS);
      assertThat(walk.check(height, 0x190228f4, BlockHeader.BITS))
          .as("late, so it must have the limit")
          .isEqualTo(HeaderFault.WRONG_BITS);
      assertThat(walk.accept(height)).isNull();
    }
    assertThat(TEST4.headers().bits(145_151 - 145_142)).isEqualTo(0x190228f4);
    assertThat(walk.check(145_151, 0x1d00ffff, BlockHeader.BITS))
        .as("the hard one may not have the limit")
        .isEqualTo(HeaderFault.WRONG_BITS);
    assertThat(walk.accept(145_151)).isNull();
    assertThat(walk.accept(145_152)).as("the retarget").isNull();
  }

  /** The attack: the last header of a period far ahead, the next period back in time. */
  @Test
  void testnet4ForbidsTheTimewarp() {
    Ancestors warped = period(0x1d00ffff, 2 * 1_209_600);
    long parentTime = warped.time(2015);
    assertThat(onPeriod(ChainParams.TESTNET4, warped, parentTime - 601, 0x1d00ffff))
        .isEqualTo(HeaderFault.TIMEWARP);
    assertThat(onPeriod(ChainParams.TESTNET4, warped, parentTime - 600, 0x1d00ffff)).isNull();
    assertThat(onPeriod(ChainParams.TESTNET3, warped, parentTime - 601, 0x1d00ffff)).isNull();
    assertThat(onPeriod(ChainParams.MAINNET, warped, parentTime - 601, 0x1d00ffff)).isNull();
  }

  /**
   * BIP-0094 starts from the period's first target; without it the last one, an exception, counts.
   */
  @Test
  void testnet4RetargetsFromThePeriodsFirstHeader() {
    Ancestors exact = period(0x190228f4, 1_209_600);
    assertThat(onPeriod(ChainParams.TESTNET4, exact, 1_209_601, 0x190228f4)).isNull();
    assertThat(onPeriod(ChainParams.TESTNET3, exact, 1_209_601, 0x1d00ffff)).isNull();
    assertThat(onPeriod(ChainParams.TESTNET4, exact, 1_209_601, 0x1d00ffff))
        .isEqualTo(HeaderFault.WRONG_BITS);
    assertThat(onPeriod(ChainParams.TESTNET3, exact, 1_209_601, 0x190228f4))
        .isEqualTo(HeaderFault.WRONG_BITS);
  }

  /**
   * The last header of a period may be an exception; the first one never is, however late it comes:
   * it has what the retarget gives (Core's GetNextWorkRequired looks at the period first).
   */
  @Test
  void aPeriodsFirstHeaderIsNoException() {
    for (ChainParams network : List.of(ChainParams.TESTNET3, ChainParams.TESTNET4)) {
      Ancestors hard = steady(0x190228f4);
      for (long late : new long[] {1, 1_201, 7_000, 1_000_000}) {
        long time = hard.time(2_015) + late;
        // One interval short of the period's 2,016: a little harder than before.
        assertThat(onPeriod(network, hard, time, 0x190228f4)).isEqualTo(HeaderFault.WRONG_BITS);
        assertThat(onPeriod(network, hard, time, 0x1d00ffff)).isEqualTo(HeaderFault.WRONG_BITS);
        assertThat(onPeriod(network, hard, time, retargeted(0x190228f4, 2_015 * 600))).isNull();
      }
    }
  }

  /** A whole period at the limit: the next one starts from that, on both test networks. */
  @Test
  void aStormAtTheLimitLeavesTheLimitOrAQuarterOfIt() {
    for (ChainParams network : List.of(ChainParams.TESTNET3, ChainParams.TESTNET4)) {
      Ancestors storm = every(1, 0x1d00ffff);
      long time = storm.time(2_015) + 1;
      assertThat(onPeriod(network, storm, time, 0x1d00ffff)).isEqualTo(HeaderFault.WRONG_BITS);
      assertThat(onPeriod(network, storm, time, 0x1c3fffc0)).isNull();
      Ancestors slow = every(1_300, 0x1d00ffff);
      assertThat(onPeriod(network, slow, slow.time(2_015) + 1_300, 0x1d00ffff)).isNull();
    }
  }

  /** The formula of Core's CalculateNextWorkRequired, with other numbers. */
  private static int retargeted(int bits, long seconds) {
    BigInteger next =
        Target.ofBits(bits)
            .value()
            .multiply(BigInteger.valueOf(seconds))
            .divide(BigInteger.valueOf(1_209_600));
    return Target.of(next).bits();
  }

  private static Ancestors steady(int bits) {
    return every(600, bits);
  }

  private static Ancestors every(int seconds, int bits) {
    return new Ancestors() {
      @Override
      public int bits(int height) {
        return bits;
      }

      @Override
      public long time(int height) {
        return (long) height * seconds;
      }
    };
  }

  /** A period whose retarget gave the limit does not look back into the one before. */
  @Test
  void theWalkBackEndsAtThePeriodsFirstHeader() {
    int quarter = 0x1c3fffc0; // four times as hard as the limit
    Ancestors slow =
        new Ancestors() {
          @Override
          public int bits(int height) {
            return height < 2016 ? quarter : 0x1d00ffff;
          }

          @Override
          public long time(int height) {
            return height < 2016 ? height * 2500L : 2016 * 2500L + height - 2016;
          }
        };
    HeaderRules rules = new HeaderRules(ChainParams.TESTNET3.rules(), slow);
    rules.begin(slow, 2015);
    byte[] zero = new byte[Hash256.LENGTH]; // reaches every target
    for (int height = 2016; height < 2020; height++) {
      byte[] header =
          BlockHeader.of(1, Hash256.ZERO, Hash256.ZERO, slow.time(height), 0x1d00ffff, 0)
              .bytes()
              .toArray();
      assertThat(rules.check(header, 0, zero, 0, slow.time(height))).isNull();
      HeaderRules begun = new HeaderRules(ChainParams.TESTNET3.rules(), slow);
      begun.begin(slow, height);
      assertThat(begun.expectedBits(slow.time(height) + 1)).isEqualTo(0x1d00ffff);
    }
  }

  /** Headers ten minutes apart, except the last one, which is an exception at the limit. */
  private static Ancestors period(int bits, long lastTime) {
    return new Ancestors() {
      @Override
      public int bits(int height) {
        return height == 2015 ? 0x1d00ffff : bits;
      }

      @Override
      public long time(int height) {
        return height == 2015 ? lastTime : height * 600L;
      }
    };
  }

  /** Checks a header at height 2016 whose hash reaches every target. */
  private static @Nullable HeaderFault onPeriod(
      ChainParams network, Ancestors period, long time, int bits) {
    HeaderRules rules = new HeaderRules(network.rules(), period);
    rules.begin(period, 2015);
    BlockHeader header = BlockHeader.of(1, Hash256.ZERO, Hash256.ZERO, time, bits, 0);
    return rules.check(header.bytes().toArray(), 0, new byte[Hash256.LENGTH], 0, time);
  }

  /** Time and bits of the first headers of periods that begin below the file. */
  private static Map<Integer, long[]> retargetBases(HeaderVectors vector) {
    Map<Integer, long[]> bases = new HashMap<>();
    for (JsonNode retarget : vector.facts().get("retargets")) {
      int height = retarget.get("height").asInt();
      int first = height - ConsensusRules.PERIOD;
      if (first < vector.firstHeight()) {
        long last = vector.headers().time(height - 1 - vector.firstHeight());
        long bits = Long.parseLong(retarget.get("bits_of_first").asText(), 16);
        bases.put(first, new long[] {last - retarget.get("timespan").asLong(), bits});
      }
    }
    return bases;
  }

  /** Follows a file, header by header. */
  private static final class Walk implements Ancestors {

    private final HeaderVectors vector;
    private final Map<Integer, long[]> below;
    private final HeaderRules rules;
    private int height;

    Walk(HeaderVectors vector, int height, Map<Integer, long[]> below) {
      this.vector = vector;
      this.below = below;
      this.height = height;
      this.rules = new HeaderRules(vector.network().rules(), this);
      rules.begin(this, height);
    }

    /** Checks the true header and continues with it if it is valid. */
    @Nullable HeaderFault accept(int next) {
      assertThat(next).isEqualTo(height + 1);
      HeaderFault reason =
          check(header(next), vector.headers().hash(index(next)), Long.MAX_VALUE / 2);
      height = next;
      return reason;
    }

    /** Checks the header with another value at an offset, as if its hash were still the same. */
    @Nullable HeaderFault check(int next, int value, int offset) {
      byte[] header = header(next);
      LittleEndian.putInt32(header, offset, value);
      return undone(check(header, vector.headers().hash(index(next)), Long.MAX_VALUE / 2));
    }

    /** Checks the header with another time at a given hour. */
    @Nullable HeaderFault checkOn(int next, int time, long now) {
      byte[] header = header(next);
      LittleEndian.putInt32(header, BlockHeader.TIME, time);
      return undone(check(header, vector.headers().hash(index(next)), now));
    }

    /** Checks the header with another value at an offset, and the hash that it then has. */
    @Nullable HeaderFault checkWithItsHash(int next, int value, int offset) {
      byte[] header = header(next);
      LittleEndian.putInt32(header, offset, value);
      Hash256 hash = BlockHeader.of(Bytes.of(header)).hash();
      return undone(check(header, hash, Long.MAX_VALUE / 2));
    }

    @Override
    public int bits(int at) {
      if (at < vector.firstHeight()) {
        long[] known = below.get(at);
        return known == null ? 0x190228f4 : (int) known[1];
      }
      return vector.headers().bits(index(at));
    }

    /** Below the file, where only the median looks: ten minutes apart. */
    @Override
    public long time(int at) {
      if (at < vector.firstHeight()) {
        long[] known = below.get(at);
        return known == null
            ? vector.headers().time(0) - 600L * (vector.firstHeight() - at)
            : known[0];
      }
      return vector.headers().time(index(at));
    }

    private @Nullable HeaderFault check(byte[] header, Hash256 hash, long now) {
      return rules.check(header, 0, hash.toInternal(), 0, now);
    }

    /** The rules have advanced if they found it valid: back. */
    private @Nullable HeaderFault undone(@Nullable HeaderFault reason) {
      if (reason == null) {
        rules.begin(this, height);
      }
      return reason;
    }

    private byte[] header(int at) {
      return vector.headers().header(index(at)).toArray();
    }

    private int index(int at) {
      return at - vector.firstHeight();
    }
  }
}
