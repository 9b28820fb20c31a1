package org.murmur.lab.stats;

/** The beta distribution, behind the exact intervals of {@link Binomial} and {@link Student}. */
final class Beta {

  /** Lanczos' coefficients for g = 7: an error below 10^-15. */
  private static final double[] LANCZOS = {
    0.9999999999998099,
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7
  };

  private static final double G = 7;
  private static final double TINY = 1e-300;
  private static final double PRECISION = 1e-15;

  /** The continued fraction takes about the square root of its larger parameter. */
  private static final int MAX_STEPS = 1_000_000;

  private Beta() {}

  /**
   * Returns the chance of a value up to {@code x}.
   *
   * @param x 0 to 1
   * @param a the first parameter, above 0
   * @param b the second parameter, above 0
   */
  static double distribution(double x, double a, double b) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    double log = logGamma(a + b) - logGamma(a) - logGamma(b);
    double factor = Math.exp(log + a * Math.log(x) + b * Math.log1p(-x));
    // On this side the fraction converges quickly; on the other, that of the complement.
    return x < (a + 1) / (a + b + 2)
        ? factor * fraction(x, a, b) / a
        : 1 - factor * fraction(1 - x, b, a) / b;
  }

  /**
   * Returns the value that is not exceeded with this chance.
   *
   * @param chance 0 to 1
   */
  static double quantile(double chance, double a, double b) {
    double low = 0;
    double high = 1;
    // Until neighbours: the quantile may be very small.
    for (double middle = 0.5; low < middle && middle < high; middle = (low + high) / 2) {
      if (distribution(middle, a, b) < chance) {
        low = middle;
      } else {
        high = middle;
      }
      if (high - low < PRECISION * high) {
        break;
      }
    }
    return (low + high) / 2;
  }

  /** Lentz's method. */
  private static double fraction(double x, double a, double b) {
    double c = 1;
    double d = 1 / away(1 - (a + b) * x / (a + 1));
    double product = d;
    for (int m = 1; m < MAX_STEPS; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / away(1 + even * d);
      c = away(1 + even / c);
      product *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / away(1 + odd * d);
      c = away(1 + odd / c);
      double step = d * c;
      product *= step;
      if (Math.abs(step - 1) < PRECISION) {
        break;
      }
    }
    return product;
  }

  private static double away(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }

  private static double logGamma(double x) {
    if (x < 0.5) {
      return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
    }
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (x - 1 + i);
    }
    double t = x - 1 + G + 0.5;
    return Math.log(2 * Math.PI) / 2 + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }
}
