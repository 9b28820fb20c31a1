package org.murmur.coins.internal.sign;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.murmur.coins.internal.sign.Payments.Payment;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;

/** Measures the processor time that 100 inputs of each type take; prints milliseconds. */
final class SigningSpeed {

  /** Processor time: other programs do not count. */
  private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

  private static final int INPUTS = 100;
  private static final int ROUNDS = 30;

  private SigningSpeed() {}

  public static void main(String[] args) {
    try (WordKeys keys = Payments.keys()) {
      for (OutputType type : OutputType.values()) {
        Random random = new Random(1);
        List<SpentOutput> spent = new ArrayList<>();
        for (int i = 0; i < INPUTS; i++) {
          spent.add(Payments.coin(new KeyPath(type, 0, false, i), random));
        }
        report(type, Payments.of(spent, random), keys);
      }
    }
  }

  private static void report(OutputType type, Payment payment, PrivateKeys keys) {
    double[] all = new double[ROUNDS];
    double[] derivation = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long start = THREAD.getCurrentThreadCpuTime();
      payment.sign(keys);
      long signed = THREAD.getCurrentThreadCpuTime();
      payment.spent().forEach(output -> keys.privateKey(output.path()));
      derivation[i] = (THREAD.getCurrentThreadCpuTime() - signed) / 1e6;
      all[i] = (signed - start) / 1e6;
    }
    System.out.printf(
        "%-12s first %.0f ms, median %.0f ms, best %.0f ms; of these deriving keys %.0f ms%n",
        type.scriptName(), all[0], median(all), min(all), median(derivation));
  }

  private static double median(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double min(double[] times) {
    return Arrays.stream(times).min().orElseThrow();
  }
}
