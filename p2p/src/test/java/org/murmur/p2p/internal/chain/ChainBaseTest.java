package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Chains that begin after a known block: above it they answer as a chain from genesis does, below
 * it they know nothing.
 */
class ChainBaseTest {

  /** The list of checkpoints has it; the packed list has the work of every tenth block only. */
  private static final ChainWork WORK_AT_48384 = ChainWork.ofHex("123d81db55deb");

  private static final HeaderVectors MAIN = HeaderVectors.of(ChainParams.MAINNET, 40_000);

  private static ChainBase base(ChainParams network, int height) {
    return Checkpoints.of(network).bases().stream()
        .filter(base -> base.height() == height)
        .findFirst()
        .orElseThrow();
  }

  private static Headers main(int from, int to) {
    return MAIN.headers().slice(from - 40_000, to - 40_000);
  }

  /** Ten thousand headers of 2010, five retargets among them, from the second block of the grid. */
  @Test
  void mainnetFromABirthdaysBlockPassesAllRules() {
    ChainBase base = base(ChainParams.MAINNET, 40_319);
    assertThat(base.hash()).isEqualTo(MAIN.headers().hash(319));
    assertThat(base.time()).isEqualTo(MAIN.headers().time(320));
    assertThat(base.bits()).isEqualTo(MAIN.headers().bits(320));
    HeaderChain chain = HeaderChain.from(ChainParams.MAINNET, base);
    assertThat(chain.height()).isEqualTo(40_319);
    assertThat(chain.work()).isEqualTo(base.work());
    long now = MAIN.headers().time(9_999);
    for (int from = 40_320; from < 50_000; from += 1_999) {
      int to = Math.min(50_000, from + 1_999);
      assertThat(chain.connect(main(from, to), now))
          .isEqualTo(new Connect.Extended(from - 1, to - from));
    }
    assertThat(chain.tip()).isEqualTo(MAIN.lastHash());
    Checkpoints known = Checkpoints.of(ChainParams.MAINNET);
    for (int i = known.countTo(40_318); known.height(i) < 50_000; i++) {
      assertThat(chain.hashAt(known.height(i))).isEqualTo(known.hash(i));
    }
    assertThat(chain.workAt(48_384)).as("checkpoints/mainnet.csv").isEqualTo(WORK_AT_48384);
  }

  @Test
  void invalidHeadersAboveTheBaseAreRefused() {
    ChainBase base = base(ChainParams.MAINNET, 40_319);
    long now = MAIN.headers().time(9_999);
    Headers first = main(40_320, 42_337);
    for (int field : new int[] {0, BlockHeader.MERKLE_ROOT, BlockHeader.TIME, BlockHeader.NONCE}) {
      assertThat(HeaderChain.from(ChainParams.MAINNET, base).connect(spoilt(first, 0, field), now))
          .isEqualTo(new Connect.Invalid(HeaderFault.BAD_PROOF_OF_WORK, 0));
    }
    // The base has the target of 40,320; the next retarget is computed from that header's time.
    for (int wrong : new int[] {0, 2_016}) {
      assertThat(
              HeaderChain.from(ChainParams.MAINNET, base)
                  .connect(spoilt(first, wrong, BlockHeader.BITS), now))
          .isEqualTo(new Connect.Invalid(HeaderFault.WRONG_BITS, wrong));
    }
    assertThat(HeaderChain.from(ChainParams.MAINNET, base).connect(main(40_321, 40_400), now))
        .isEqualTo(new Connect.Orphan(MAIN.headers().hash(320)));
  }

  /** The time of a base may be computed: no rule reads it. */
  @Test
  void noRuleReadsTheTimeOfABase() {
    ChainBase base = base(ChainParams.MAINNET, 40_319);
    Headers first = main(40_320, 42_400);
    for (long wrong : new long[] {-100_000, 100_000}) {
      ChainBase other =
          new ChainBase(base.height(), base.hash(), base.time() + wrong, base.bits(), base.work());
      assertThat(
              HeaderChain.from(ChainParams.MAINNET, other)
                  .connect(first, MAIN.headers().time(9_999)))
          .isEqualTo(new Connect.Extended(40_319, 2_080));
    }
  }

  private static Headers spoilt(Headers headers, int index, int field) {
    byte[] bytes = headers.toStored().toArray();
    bytes[index * BlockHeader.LENGTH + field] ^= 1;
    return Headers.ofStored(Bytes.wrap(bytes));
  }

  /** A chain of three periods of testnet4's rules, in part at the limit, mined once. */
  private static final List<BlockHeader> TRUNK = trunk(Mining.TEST4_RULES, 6_100);

  private static final int PERIOD = 2_016;

  private static List<BlockHeader> trunk(ChainParams network, int count) {
    NaiveChain naive = new NaiveChain(network);
    List<BlockHeader> headers = new ArrayList<>();
    while (headers.size() < count) {
      NaiveChain.Node tip = naive.tip();
      int spacing = headers.size() % 7 == 3 ? 1_300 : headers.size() % 11 == 5 ? -200 : 500;
      long time = tip.header().time() + spacing;
      BlockHeader next = Mining.mine(tip.header().hash(), 0, time, naive.expectedBits(tip, time));
      headers.add(next);
      naive.connect(List.of(next), time);
    }
    return headers;
  }

  private static ChainBase baseOf(HeaderChain whole, int height) {
    BlockHeader next = TRUNK.get(height);
    return new ChainBase(height, next.previous(), next.time(), next.bits(), whole.workAt(height));
  }

  /** Growth, short and deep reorganisations, commits and reopening, in both chains. */
  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void answersLikeAChainFromGenesis(@ForAll long seed) {
    Random random = new Random(seed);
    long now = TRUNK.get(TRUNK.size() - 1).time() + 100_000;
    int height = PERIOD * (1 + random.nextInt(2)) - 1;
    HeaderChain whole = HeaderChain.ofGenesis(Mining.TEST4_RULES);
    whole.connect(Mining.headers(TRUNK.subList(0, height)), now);
    ChainBase base = baseOf(whole, height);
    Headers[] disk = {Headers.NONE};
    HeaderArchive archive =
        (from, to) -> disk[0].slice(from - base.height() - 1, to - base.height() - 1);
    HeaderChain chain = HeaderChain.restore(Mining.TEST4_RULES, base, archive, base.height());
    int sent = height;
    for (int step = 0; step < 12; step++) {
      List<BlockHeader> batch;
      if (random.nextInt(3) > 0 && sent < TRUNK.size()) {
        int to = Math.min(TRUNK.size(), sent + 1 + random.nextInt(1_500));
        batch = TRUNK.subList(sent, to);
        sent = to;
      } else {
        int depth = Math.min(whole.height() - height, random.nextInt(step % 4 == 0 ? 900 : 20));
        batch = branch(whole, whole.height() - depth, 1 + random.nextInt(depth + 3), random);
      }
      assertThat(chain.connect(Mining.headers(batch), now))
          .isEqualTo(whole.connect(Mining.headers(batch), now));
      if (random.nextInt(3) == 0 && chain.height() > height) {
        disk[0] = chain.headers(height + 1, chain.height() + 1);
        chain.stored(chain.height());
        if (random.nextInt(3) == 0) {
          chain = HeaderChain.restore(Mining.TEST4_RULES, base, archive, chain.height());
          whole = HeaderChain.restore(Mining.TEST4_RULES, whole.headers(1, whole.height() + 1));
        }
      }
      assertSame(chain, whole, height, random);
    }
  }

  /** Headers on an active one, with the targets that the rules demand there. */
  private static List<BlockHeader> branch(HeaderChain whole, int fork, int count, Random random) {
    Headers below = whole.headers(0, fork + 1);
    List<Integer> bits = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    Ancestors grown =
        new Ancestors() {
          @Override
          public int bits(int at) {
            return at <= fork ? below.bits(at) : bits.get(at - fork - 1);
          }

          @Override
          public long time(int at) {
            return at <= fork ? below.time(at) : times.get(at - fork - 1);
          }
        };
    List<BlockHeader> headers = new ArrayList<>();
    Hash256 previous = whole.hashAt(fork);
    for (int at = fork + 1; at <= fork + count; at++) {
      HeaderRules rules = new HeaderRules(Mining.TEST4_RULES.rules(), grown);
      rules.begin(grown, at - 1);
      long time = grown.time(at - 1) + 1 + random.nextInt(900);
      BlockHeader next = Mining.mine(previous, random.nextLong(), time, rules.expectedBits(time));
      headers.add(next);
      bits.add(next.bits());
      times.add(time);
      previous = next.hash();
    }
    return headers;
  }

  private static void assertSame(HeaderChain chain, HeaderChain whole, int base, Random random) {
    assertThat(chain.height()).isEqualTo(whole.height());
    assertThat(chain.tip()).isEqualTo(whole.tip());
    assertThat(chain.work()).isEqualTo(whole.work());
    for (int i = 0; i < 12; i++) {
      int height = base + random.nextInt(whole.height() - base + 1);
      assertThat(chain.hashAt(height)).isEqualTo(whole.hashAt(height));
      assertThat(chain.heightOf(whole.hashAt(height))).isEqualTo(height);
      assertThat(chain.workAt(height)).isEqualTo(whole.workAt(height));
      if (height > base) {
        assertThat(chain.timeAt(height)).isEqualTo(whole.timeAt(height));
        assertThat(chain.headerAt(height)).isEqualTo(whole.headerAt(height));
      }
      if (height >= base + 11) {
        assertThat(chain.medianTimePast(height)).isEqualTo(whole.medianTimePast(height));
        // Times go back and forth: the first block since then may lie below the base by genesis.
        long late = whole.timeAt(height);
        OptionalInt first = whole.firstHeightSince(late);
        assertThat(chain.firstHeightSince(late)).isEqualTo(first);
      } else {
        assertThat(chain.medianTimePast(height)).isLessThanOrEqualTo(whole.medianTimePast(height));
      }
    }
    assertThat(chain.heightOf(whole.hashAt(base - 1))).isEqualTo(-1);
    List<Hash256> locator = whole.locator();
    assertThat(chain.locator()).endsWith(chain.base().hash()).hasSizeLessThan(locator.size() + 2);
    for (Hash256 hash : chain.locator()) {
      assertThat(whole.heightOf(hash)).isGreaterThanOrEqualTo(base);
    }
    assertThat(chain.locatorFrom(whole.hashAt(base))).containsExactly(whole.hashAt(base));
  }

  @Test
  void headersBelowTheBaseAreNotThere() {
    ChainBase base = base(ChainParams.MAINNET, 40_319);
    HeaderChain chain = HeaderChain.from(ChainParams.MAINNET, base);
    assertThat(chain.locator()).containsExactly(base.hash());
    assertThat(chain.recentLocator()).containsExactly(base.hash());
    assertThat(chain.knows(base.hash())).isTrue();
    assertThat(chain.recentHeightOf(base.hash())).isEqualTo(40_319);
    assertThat(chain.hashAt(40_319)).isEqualTo(base.hash());
    assertThat(chain.timeAt(40_319)).isEqualTo(base.time());
    assertThatThrownBy(() -> chain.headerAt(40_319)).isInstanceOf(IndexOutOfBoundsException.class);
    for (int height : new int[] {0, 1, 40_318, 40_320}) {
      assertThatThrownBy(() -> chain.hashAt(height))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("40319 to 40319");
      assertThatThrownBy(() -> chain.timeAt(height)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> chain.workAt(height)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> chain.headers(height, height + 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    long now = MAIN.headers().time(9_999);
    assertThat(chain.connect(main(40_300, 40_310), now)).isInstanceOf(Connect.Orphan.class);
    assertThat(chain.connect(main(40_319, 40_330), now))
        .as("a batch that begins with the base itself")
        .isEqualTo(new Connect.Extended(40_319, 10));
  }

  @Test
  void birthdaysAreAboveTheBase() {
    HeaderChain chain = HeaderChain.from(ChainParams.MAINNET, base(ChainParams.MAINNET, 40_319));
    assertThat(chain.heightOf(new Birthday.AtHeight(5))).hasValue(40_320);
    assertThat(chain.heightOf(new Birthday.AtHeight(50_000))).hasValue(50_000);
    assertThat(chain.heightOf(new Birthday.AtTime(Instant.EPOCH))).hasValue(40_320);
    chain.connect(main(40_320, 41_000), MAIN.headers().time(9_999));
    Instant time = Instant.ofEpochSecond(chain.timeAt(40_900));
    assertThat(chain.heightOf(new Birthday.AtTime(time)).orElseThrow()).isBetween(40_850, 40_900);
  }

  /**
   * With fewer than six times known, no time is too old; after that only one that surely is. The
   * base's own counts as unknown.
   */
  @Test
  void theMedianAboveABaseIsTheLowestThatItCanBe() {
    long[] times = {100, 90, 110, 120, 80, 130, 140, 150, 60, 160, 170, 180};
    Ancestors branch =
        new Ancestors() {
          @Override
          public int lowest() {
            return PERIOD;
          }

          @Override
          public int bits(int height) {
            return 0x1d00ffff;
          }

          @Override
          public long time(int height) {
            return height == PERIOD ? Long.MAX_VALUE : times[height - PERIOD - 1];
          }
        };
    for (int known = 0; known <= times.length; known++) {
      MedianTime median = new MedianTime();
      median.begin(branch, PERIOD + known);
      List<Long> all = new ArrayList<>();
      for (int i = Math.max(0, known - 11); i < known; i++) {
        all.add(times[i]);
      }
      while (all.size() < 11) {
        all.add(-1L); // as early as possible
      }
      all.sort(null);
      assertThat(median.median()).as(known + " known").isEqualTo(all.get(5));
    }
  }

  @Test
  void aBaseEndsAPeriodAndHasATarget() {
    ChainBase base = base(ChainParams.SIGNET, 20_159);
    assertThatThrownBy(() -> at(base, 20_160, base.bits())).hasMessageContaining("multiple of");
    assertThatThrownBy(() -> at(base, -1, base.bits())).hasMessageContaining("multiple of");
    assertThatThrownBy(() -> at(base, 20_159, 0)).hasMessageContaining("bits 0");
    ChainBase genesis = ChainBase.ofGenesis(ChainParams.SIGNET);
    assertThat(genesis.isGenesis()).isTrue();
    assertThat(genesis.work()).isEqualTo(Target.ofBits(0x1e0377ae).work());
  }

  private static ChainBase at(ChainBase base, int height, int bits) {
    return new ChainBase(height, base.hash(), base.time(), bits, base.work());
  }

  @Test
  void storedHeadersOfAnotherBaseAreNotRestored() {
    ChainBase base = base(ChainParams.MAINNET, 40_319);
    HeaderArchive disk = (from, to) -> main(from + 5, to + 5);
    assertThatThrownBy(() -> HeaderChain.restore(ChainParams.MAINNET, base, disk, 41_000))
        .hasMessageContaining("expected the block at height 40319 of mainnet");
  }
}
