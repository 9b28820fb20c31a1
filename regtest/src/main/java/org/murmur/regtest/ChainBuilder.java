package org.murmur.regtest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.Signer;

/**
 * Builds chains from a seed: the same seed and settings always give the same bytes.
 *
 * <p>The first 100 blocks are empty, since coinbases have to mature. Then a few of them are fanned
 * out into <em>lanes</em>: coins locked to a script that needs no signature. Each transaction of a
 * lane spends its predecessor and pays a foreign script. So blocks of hundreds of transactions,
 * which a real node accepts, take next to no time. A wallet's payments come from lanes too; what it
 * spends is signed by its own {@link Signer}.
 */
public final class ChainBuilder {

  /** 1 January 2024, so that birthdays in tests are plausible dates. */
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final long seed;
  private int blocks = 150;
  private int transactionsPerBlock = 10;
  private Instant start = START;
  private @Nullable Instant end;
  private Duration spacing = Duration.ofMinutes(10);
  private @Nullable WalletPlan plan;

  private ChainBuilder(long seed) {
    this.seed = seed;
  }

  /**
   * Starts with 150 blocks of 10 transactions, ten minutes apart from the beginning of 2024.
   * Everything random is drawn from the seed.
   */
  public static ChainBuilder ofSeed(long seed) {
    return new ChainBuilder(seed);
  }

  /** Sets the number of blocks above the genesis block. */
  public ChainBuilder blocks(int count) {
    this.blocks = count;
    return this;
  }

  /**
   * Sets the transactions of a block besides the coinbase, those of the wallet included, once there
   * are mature coins.
   */
  public ChainBuilder transactionsPerBlock(int count) {
    this.transactionsPerBlock = count;
    return this;
  }

  /**
   * Sets the time of the genesis block's successor less one spacing: after 2 February 2011, the
   * date of regtest's genesis block.
   */
  public ChainBuilder startingAt(Instant time) {
    this.start = time;
    this.end = null;
    return this;
  }

  /** Sets the time of the last block. Nodes do not accept one much later than now. */
  public ChainBuilder endingAt(Instant time) {
    this.end = time;
    return this;
  }

  /** Sets the time between blocks, at least a second. */
  public ChainBuilder spacing(Duration time) {
    this.spacing = time;
    return this;
  }

  public ChainBuilder wallet(WalletPlan wallet) {
    this.plan = wallet;
    return this;
  }

  /**
   * Builds the chain. Throws {@link IllegalArgumentException} if it is too short for the wallet's
   * plan.
   */
  public BuiltChain build() {
    long step = spacing.toSeconds();
    long first = (end == null ? start.getEpochSecond() : end.getEpochSecond() - blocks * step);
    ChainScript script = new ChainScript(new Dice(seed), blocks, transactionsPerBlock, plan);
    Chain chain = Chain.ofGenesis();
    for (int height = 1; height <= blocks; height++) {
      ChainScript.Draft draft = script.next(height);
      chain.append(
          BlockAssembly.next(
              chain,
              first + height * step,
              draft.coinbaseScript(),
              draft.fees(),
              0,
              draft.transactions()));
      script.mined(height, chain.tip().tx(0));
    }
    List<Bytes> scripts = new ArrayList<>();
    if (plan != null) {
      scripts.addAll(plan.receive());
      scripts.addAll(plan.change());
    }
    return new BuiltChain(chain, WalletTruth.scan(chain, scripts));
  }
}
