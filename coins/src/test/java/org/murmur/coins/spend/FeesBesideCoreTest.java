package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fees of wallets with reused addresses and foreign dust, beside those of a node's wallet with its
 * default options. Both draw coins, so the mean of some plans counts.
 */
@Tag("real-node")
final class FeesBesideCoreTest {

  private static final int PLANS = 8;

  private static final int[] FEW_COUNTS = {2, 10, 300};
  private static final int[] COUNTS = {2, 3, 5, 10, 30, 99, 100, 101, 300, 1_000, 3_000};

  /** Sums of the fees. */
  private static final class Sums {

    private int wallets;
    private double ours;
    private double theirs;
    private double worst;

    void add(double our, double their) {
      wallets++;
      ours += our;
      theirs += their;
      worst = Math.max(worst, our / their);
    }

    double ratio() {
      return ours / theirs;
    }

    void print(String name) {
      System.out.printf(
          "%-10s %4d wallets, fees %9.0f of %9.0f: %.3f, worst %.3f%n",
          name, wallets, ours, theirs, ratio(), worst);
    }
  }

  @Test
  void someWalletsPayNoMoreThanTheNodes() {
    randomWallets(24);
  }

  @Test
  @Tag("long")
  void walletsPayNoMoreThanTheNodes() {
    randomWallets(200);
  }

  private static void randomWallets(int count) {
    Map<Long, Sums> byRate = new TreeMap<>();
    Sums all = new Sums();
    SoftAssertions softly = new SoftAssertions();
    try (CoreFees core = new CoreFees()) {
      int first = Integer.getInteger("murmur.wallets.seed", 1);
      for (int seed = first; seed < first + count; seed++) {
        ReusedWallet wallet = ReusedWallet.random(seed);
        double ours = ours(wallet);
        OptionalDouble mean = core.mean(wallet, PLANS);
        if (mean.isEmpty()) {
          System.out.println("the node does not pay: seed " + seed);
          continue;
        }
        double theirs = mean.getAsDouble();
        all.add(ours, theirs);
        long rate = wallet.rate().satPerKvb() / 1_000;
        byRate.computeIfAbsent(rate, r -> new Sums()).add(ours, theirs);
        softly.assertThat(ours).as("seed %d: %s", seed, wallet).isLessThanOrEqualTo(1.2 * theirs);
      }
    }
    byRate.forEach((rate, sums) -> sums.print(rate + " sat/vB"));
    all.print("all");
    softly.assertAll();
    assertThat(all.ratio()).isLessThanOrEqualTo(1.02);
  }

  @Test
  void fewEqualCoinsAtOneAddress() {
    equalCoins(FEW_COUNTS, 1, 100);
  }

  @Test
  @Tag("long")
  void equalCoinsAtOneAddress() {
    equalCoins(COUNTS, 1, 3, 10, 30, 100);
  }

  private static void equalCoins(int[] counts, int... rates) {
    Sums all = new Sums();
    SoftAssertions softly = new SoftAssertions();
    try (CoreFees core = new CoreFees()) {
      for (int count : counts) {
        for (int rate : rates) {
          for (long amount : new long[] {15_000, 150_000, count * 5_000L}) {
            if (amount <= count * 7_500L) {
              ReusedWallet wallet = ReusedWallet.equal(count, 20_000, amount, rate);
              double ours = ours(wallet);
              double theirs = core.mean(wallet, PLANS).orElseThrow();
              all.add(ours, theirs);
              softly.assertThat(ours).as("%s", wallet).isLessThanOrEqualTo(1.05 * theirs);
            }
          }
        }
      }
    }
    all.print("equal");
    softly.assertAll();
  }

  private static double ours(ReusedWallet wallet) {
    return LongStream.range(0, PLANS).map(seed -> wallet.plan(seed).fee()).average().orElseThrow();
  }
}
