package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.core.Block;
import org.bitcoinj.core.StoredBlock;
import org.bitcoinj.core.VerificationException;
import org.bitcoinj.params.BitcoinNetworkParams;
import org.bitcoinj.params.MainNetParams;
import org.bitcoinj.params.TestNet3Params;
import org.bitcoinj.store.BlockStore;
import org.bitcoinj.store.BlockStoreException;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Target;

/** The targets that our rules demand are the ones that bitcoinj accepts, for random periods. */
class BitcoinjDifficultyTest {

  private static final int LIMIT = 0x1d00ffff;

  @Property(tries = 40)
  void agreeOnRetargets(@ForAll long seed) throws BlockStoreException {
    Random random = new Random(seed);
    int bits = randomBits(random);
    Period period = new Period();
    for (int height = 0; height < 2015; height++) {
      period.add(bits, 1_500_000_000 + height);
    }
    long spread = random.nextBoolean() ? 6_000_000 : 1_400_000;
    period.add(bits, 1_500_000_000 + (long) (random.nextDouble() * spread) - 100_000);
    long time = period.time(2015) + 600;
    int ours = ours(ChainParams.MAINNET, period, time);
    MainNetParams bitcoinj = MainNetParams.get();
    assertThat(period.accepted(bitcoinj, ours, time)).isTrue();
    assertThat(period.accepted(bitcoinj, ours - 1, time)).isFalse();
    assertThat(period.accepted(bitcoinj, ours + 1, time)).isFalse();
  }

  @Property(tries = 100)
  void agreeOnTheMinimumDifficultyOfTestnet3(@ForAll long seed) throws BlockStoreException {
    Random random = new Random(seed);
    int hard = randomBits(random);
    Period period = new Period();
    int length = 1 + random.nextInt(60);
    for (int height = 0; height < length; height++) {
      int bits = random.nextInt(3) > 0 ? LIMIT : hard;
      period.add(bits, 1_500_000_000 + height * 600L);
    }
    TestNet3Params bitcoinj = TestNet3Params.get();
    long parentTime = period.time(length - 1);
    for (long delay : new long[] {1, 600, 1199, 1200}) {
      int ours = ours(ChainParams.TESTNET3, period, parentTime + delay);
      assertThat(period.accepted(bitcoinj, ours, parentTime + delay)).isTrue();
      int other = ours == LIMIT ? hard : LIMIT;
      assertThat(period.accepted(bitcoinj, other, parentTime + delay)).isFalse();
    }
    // Later than that bitcoinj accepts any target; Core, whose rule we use, accepts the limit only.
    assertThat(ours(ChainParams.TESTNET3, period, parentTime + 1201)).isEqualTo(LIMIT);
  }

  private static int ours(ChainParams network, Period period, long time) {
    HeaderRules rules = new HeaderRules(network.rules(), period);
    rules.begin(period, period.blocks.size() - 1);
    return rules.expectedBits(time);
  }

  /** A target between the limit and a billion billion times as hard. */
  private static int randomBits(Random random) {
    return Target.of(new BigInteger(224, random).setBit(170).shiftRight(1 + random.nextInt(60)))
        .bits();
  }

  /** Headers from genesis on, without work, in bitcoinj's form. */
  private static final class Period implements Ancestors, BlockStore {

    final List<StoredBlock> blocks = new ArrayList<>();
    private final Map<Sha256Hash, StoredBlock> byHash = new HashMap<>();

    void add(int bits, long time) {
      put(new StoredBlock(block(bits, time), BigInteger.ONE, blocks.size()));
    }

    boolean accepted(BitcoinNetworkParams bitcoinj, int bits, long time)
        throws BlockStoreException {
      try {
        bitcoinj.checkDifficultyTransitions(blocks.get(blocks.size() - 1), block(bits, time), this);
        return true;
      } catch (VerificationException e) {
        return false;
      }
    }

    private Block block(int bits, long time) {
      Sha256Hash previous =
          blocks.isEmpty()
              ? Sha256Hash.ZERO_HASH
              : blocks.get(blocks.size() - 1).getHeader().getHash();
      return new Block(
          1, previous, Sha256Hash.ZERO_HASH, Instant.ofEpochSecond(time), bits, 0, List.of());
    }

    @Override
    public int bits(int height) {
      return (int) blocks.get(height).getHeader().getDifficultyTarget();
    }

    @Override
    public long time(int height) {
      return blocks.get(height).getHeader().time().getEpochSecond();
    }

    @Override
    public void put(StoredBlock block) {
      blocks.add(block);
      byHash.put(block.getHeader().getHash(), block);
    }

    @Override
    public StoredBlock get(Sha256Hash hash) throws BlockStoreException {
      StoredBlock block = byHash.get(hash);
      if (block == null) {
        throw new BlockStoreException("no " + hash);
      }
      return block;
    }

    @Override
    public StoredBlock getChainHead() {
      return blocks.get(blocks.size() - 1);
    }

    @Override
    public void setChainHead(StoredBlock head) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
