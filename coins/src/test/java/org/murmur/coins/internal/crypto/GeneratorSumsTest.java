package org.murmur.coins.internal.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.Test;

/** Sums of many points at once. */
class GeneratorSumsTest {

  /**
   * Cases that a batch must survive although hashes never cause them: equal and opposite points.
   */
  @Test
  void addsPointsThatMeet() {
    int n = GeneratorSums.WORTHWHILE;
    ECPoint[] bases = new ECPoint[n];
    byte[][] scalars = new byte[n][];
    BigInteger[] expected = new BigInteger[n];
    Random random = new Random(7);
    for (int i = 0; i < n; i++) {
      BigInteger base =
          switch (i % 5) {
            case 0 -> BigInteger.valueOf(1 + random.nextInt(255));
            case 1 -> Secp256k1.ORDER.subtract(BigInteger.valueOf(1 + random.nextInt(255)));
            default -> new BigInteger(255, random).add(BigInteger.ONE);
          };
      BigInteger scalar =
          switch (i % 7) {
            case 0 -> BigInteger.ZERO;
            case 1 -> Secp256k1.ORDER.subtract(base);
            case 2 -> base;
            case 3 -> BigInteger.valueOf(random.nextInt(256));
            default -> new BigInteger(255, random);
          };
      bases[i] = Secp256k1.generatorTimes(base).normalize();
      scalars[i] = org.bouncycastle.util.BigIntegers.asUnsignedByteArray(32, scalar);
      expected[i] = base.add(scalar).mod(Secp256k1.ORDER);
    }
    ECPoint[] together = GeneratorSums.together(bases, scalars);
    ECPoint[] oneByOne = GeneratorSums.oneByOne(bases, scalars);
    int infinite = 0;
    for (int i = 0; i < n; i++) {
      ECPoint wanted = Secp256k1.generatorTimes(expected[i]).normalize();
      assertThat(together[i]).as("sum %d", i).isEqualTo(wanted);
      assertThat(oneByOne[i]).as("sum %d", i).isEqualTo(wanted);
      infinite += wanted.isInfinity() ? 1 : 0;
    }
    assertThat(infinite).isPositive();
    assertThatThrownBy(() -> GeneratorSums.of(bases, scalars))
        .isInstanceOf(IllegalStateException.class);
  }
}
