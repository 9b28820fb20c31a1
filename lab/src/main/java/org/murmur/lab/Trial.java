package org.murmur.lab;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.regtest.chain.Dice;

/**
 * One trial of an experiment, and its random numbers. They depend only on the seed, the
 * experiment's name and the trial's number.
 */
public record Trial(String experiment, long seed, int number) {

  /** Returns this trial's random numbers, from the start at each call, for one thread. */
  public Dice dice() {
    return dice("");
  }

  /** Returns random numbers of this trial that are independent of its others, for one thread. */
  public Dice dice(String purpose) {
    return dice(experiment + "/" + number + "/" + purpose, seed);
  }

  private static Dice dice(String name, long seed) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((seed + "/" + name).getBytes(StandardCharsets.UTF_8));
      return new Dice(LittleEndian.int64(digest.digest(), 0));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
