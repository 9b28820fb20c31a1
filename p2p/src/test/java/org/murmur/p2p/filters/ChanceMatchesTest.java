package org.murmur.p2p.filters;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.machine.Payments;
import org.murmur.p2p.machine.SimulatedWallet;
import org.murmur.p2p.peers.Conduct;

/** The test against the filter's own rate: honest peers pass, injectors do not. */
class ChanceMatchesTest {

  private static final Instant START = Instant.ofEpochSecond(1_700_000_000L);

  /**
   * The bound itself: at a false alarm of 5 %, looked at after every one of 20,000 elements, fewer
   * than 5 % of honest peers are accused. With 2,000 peers a fair bound is exceeded by three
   * standard deviations (to 130) with a probability below 0.2 %, and the seed is fixed.
   */
  @Test
  void accusesNoMoreHonestPeersThanItSays() {
    SplittableRandom random = new SplittableRandom(1);
    int accused = 0;
    for (int peer = 0; peer < 2_000; peer++) {
      double rate = Math.pow(10, -4 + 3 * random.nextDouble());
      ChanceMatches test = new ChanceMatches(0.05);
      boolean alarm = false;
      for (int element = 0; element < 20_000 && !alarm; element++) {
        test.tested(1, rate);
        alarm = random.nextDouble() < rate && test.found();
      }
      accused += alarm ? 1 : 0;
    }
    assertThat(accused).isBetween(1, 100);
  }

  @Property(tries = 300)
  void findsWhoeverInjectsThirtyTimesTheRate(
      @ForAll @DoubleRange(min = -9, max = -3) double exponent, @ForAll long seed) {
    double rate = Math.pow(10, exponent);
    SplittableRandom random = new SplittableRandom(seed);
    ChanceMatches test = new ChanceMatches();
    int found = 0;
    boolean alarm = false;
    while (!alarm && found < 1_000) {
      test.tested(1 / (30 * rate), rate * (0.5 + random.nextDouble()));
      found++;
      alarm = test.found();
    }
    assertThat(alarm).isTrue();
  }

  // ---- whole transactions through an honest server's own copy ----

  private static Tx tx(Random random, List<OutPoint> spent) {
    OutPoint input;
    if (!spent.isEmpty() && random.nextInt(3) == 0) {
      input = spent.get(random.nextInt(spent.size()));
    } else {
      input = new OutPoint(Hash256.ofInternal(bytes(random, 32)), random.nextInt(3));
    }
    // Every tenth pays the same busy address.
    Bytes busy = SimulatedWallet.script(5_000);
    Bytes script = random.nextInt(10) == 0 ? busy : p2wpkh(bytes(random, 20));
    return Payments.tx(List.of(input), List.of(script, p2wpkh(bytes(random, 20))));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Bytes p2wpkh(byte[] hash) {
    byte[] script = new byte[22];
    script[1] = 20;
    System.arraycopy(hash, 0, script, 2, 20);
    return Bytes.wrap(script);
  }

  private static BloomFilter filter(WatchedLog log, double rate, int tweak) {
    BloomFilter.Builder builder =
        BloomFilter.builder(
            FilterParameters.of(log.size(), rate, tweak, UpdateFlag.ALL, Rounding.BITCOINJ));
    log.view().forEach(element -> builder.add(element.data()));
    return builder.build();
  }

  /**
   * An honest server under a noisy filter that feeds on itself: everything it sends is explained,
   * although its copy grows by what it relays, busy addresses recur, and coins of chance are spent.
   */
  @Property(tries = 40)
  void anHonestServerIsNeverAccused(
      @ForAll long seed, @ForAll @DoubleRange(min = -6, max = -1.7) double exponent) {
    double rate = Math.pow(10, exponent);
    Random random = new Random(seed);
    WatchedLog log =
        new WatchedLog(
            IntStream.range(0, 50)
                .mapToObj(i -> (Element) new Element.Script(SimulatedWallet.element(i)))
                .toList());
    BloomFilter sent = filter(log, rate, random.nextInt());
    ServerFilter server = new ServerFilter(sent);
    FilterCopy copy = new FilterCopy(sent, null, START);
    Conduct conduct = new Conduct(START);
    List<OutPoint> coins = new ArrayList<>();
    for (int block = 0; block < 40; block++) {
      // A txid, a coin spent and two scripts each: no more than what is looked up, so that the
      // test is as sharp as it can be.
      copy.tested(250 * 4);
      for (int i = 0; i < 250; i++) {
        Tx tx = tx(random, coins);
        if (server.matchAndUpdate(tx)) {
          coins.add(tx.outPoint(0));
          coins.add(tx.outPoint(1));
          assertThat(TxCheck.sent(conduct, tx, copy, true, false, log, START).isRefusal())
              .as("block %d, seed %d", block, seed)
              .isFalse();
        }
      }
    }
  }

  /** Whoever makes up transactions that match by chance is found, were they ever so valid. */
  @Test
  void findsMadeUpTransactionsThatMatchByChance() {
    Random random = new Random(2);
    WatchedLog log = new WatchedLog(List.of(new Element.Script(SimulatedWallet.element(1))));
    // A tiny filter of a high nominal rate, so that hits can be made in a test.
    BloomFilter sent =
        BloomFilter.builder(FilterParameters.of(100, 1e-4, 3, UpdateFlag.ALL, Rounding.BITCOINJ))
            .add(SimulatedWallet.element(1))
            .build();
    BloomFilter.Builder fuller =
        BloomFilter.builder(FilterParameters.of(100, 1e-4, 3, UpdateFlag.ALL, Rounding.BITCOINJ))
            .add(SimulatedWallet.element(1));
    for (int i = 0; i < 60; i++) {
      fuller.add(Bytes.wrap(bytes(random, 20)));
    }
    BloomFilter loaded = fuller.build();
    assertThat(loaded.realisedRate()).isGreaterThan(sent.realisedRate());
    FilterCopy copy = new FilterCopy(loaded, null, START);
    int found = 0;
    FilterCopy.Match last = FilterCopy.Match.CHANCE;
    while (last == FilterCopy.Match.CHANCE && found < 1_000) {
      byte[] hash = bytes(random, 20);
      if (loaded.contains(Bytes.wrap(hash))) {
        found++;
        OutPoint input = new OutPoint(Hash256.ofInternal(bytes(random, 32)), 0);
        last = copy.match(Payments.tx(List.of(input), List.of(p2wpkh(hash))), log, START);
      }
    }
    assertThat(last).isEqualTo(FilterCopy.Match.TOO_MANY);
    assertThat(found).isLessThan(20);
  }

  /** Under a fixed filter no count may be filled up to be seen to stop at what is the wallet's. */
  @Test
  void aFixedFilterTellsNobodyWhoseAMatchIs() {
    Random random = new Random(8);
    WatchedLog log = new WatchedLog(List.of(new Element.Script(SimulatedWallet.element(1))));
    BloomFilter sent =
        BloomFilter.builder(FilterParameters.of(1, 1e-4, 3, UpdateFlag.NONE, Rounding.BITCOINJ))
            .add(SimulatedWallet.element(1))
            .build();
    FilterCopy copy = new FilterCopy(sent, null, START);
    for (int found = 0; found < 100; ) {
      byte[] hash = bytes(random, 20);
      if (sent.contains(Bytes.wrap(hash))) {
        found++;
        assertThat(copy.match(pay(random, p2wpkh(hash)), log, START))
            .isEqualTo(copy.match(pay(random, SimulatedWallet.script(1)), log, START))
            .isEqualTo(FilterCopy.Match.EXPLAINED);
      }
    }
  }

  private static Tx pay(Random random, Bytes script) {
    OutPoint input = new OutPoint(Hash256.ofInternal(bytes(random, 32)), 0);
    return Payments.tx(List.of(input), List.of(script));
  }
}
