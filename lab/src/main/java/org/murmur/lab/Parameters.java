package org.murmur.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an experiment depends on besides its code: names and values, in a fixed order. Every study
 * has {@code seed} and {@code trials}. An immutable value; two runs can be merged only if theirs
 * are equal.
 */
public final class Parameters {

  /** The name of the seed, which every study has. */
  public static final String SEED = "seed";

  /** The name of the number of trials, which every study has. */
  public static final String TRIALS = "trials";

  private final Map<String, String> values;

  private Parameters(Map<String, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /**
   * The parameters that every study has.
   *
   * @param seed all random numbers follow from it
   * @param trials how many trials
   * @return parameters, to be continued with {@link #with}
   */
  public static Parameters of(long seed, int trials) {
    return new Parameters(new LinkedHashMap<>()).with(SEED, seed).with(TRIALS, trials);
  }

  /**
   * Puts values from a file together again.
   *
   * @param values names and values, in order
   * @return the parameters
   */
  public static Parameters of(Map<String, String> values) {
    return new Parameters(new LinkedHashMap<>(values));
  }

  /**
   * Returns these parameters with one set: at its place if it was there, at the end otherwise.
   *
   * @param name lower case and dashes, as the option of the command line
   * @param value its value; numbers as Java writes them, lists with commas
   * @return new parameters
   */
  public Parameters with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, String.valueOf(value));
    return new Parameters(more);
  }

  /**
   * Returns all names and values.
   *
   * @return in order
   */
  public Map<String, String> asMap() {
    return values;
  }

  /**
   * Returns the seed.
   *
   * @return the seed
   */
  public long seed() {
    return whole(SEED);
  }

  /**
   * Returns the number of trials.
   *
   * @return at least 1
   */
  public int trials() {
    return count(TRIALS);
  }

  /**
   * Returns a value as text.
   *
   * @param name which
   * @return the value
   * @throws IllegalArgumentException if it is not there
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  /**
   * Returns a whole number.
   *
   * @param name which
   * @return the value
   * @throws IllegalArgumentException if it is not there or not a whole number
   */
  public long whole(String name) {
    return whole(name, text(name));
  }

  /**
   * Returns a number of things.
   *
   * @param name which
   * @return 1 to 2^31 - 1
   * @throws IllegalArgumentException if it is not there or not such a number
   */
  public int count(String name) {
    long value = whole(name);
    if (value < 1 || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(name + " " + value + ", expected 1 to 2147483647");
    }
    return (int) value;
  }

  /**
   * Returns a number.
   *
   * @param name which
   * @return the value
   * @throws IllegalArgumentException if it is not there or not a finite number
   */
  public double number(String name) {
    return number(name, text(name));
  }

  /**
   * Returns whole numbers that were given with commas between.
   *
   * @param name which
   * @return at least one
   * @throws IllegalArgumentException if it is not there or one of them is not a whole number
   */
  public List<Long> wholes(String name) {
    List<Long> all = new ArrayList<>();
    for (String one : texts(name)) {
      all.add(whole(name, one));
    }
    return all;
  }

  /**
   * Returns numbers that were given with commas between.
   *
   * @param name which
   * @return at least one
   * @throws IllegalArgumentException if it is not there or one of them is not a finite number
   */
  public List<Double> numbers(String name) {
    List<Double> all = new ArrayList<>();
    for (String one : texts(name)) {
      all.add(number(name, one));
    }
    return all;
  }

  /**
   * Returns words that were given with commas between.
   *
   * @param name which
   * @return at least one
   * @throws IllegalArgumentException if it is not there
   */
  public List<String> texts(String name) {
    return List.of(text(name).split(",", -1));
  }

  private static long whole(String name, String text) {
    try {
      return WholeNumber.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + " " + e.getMessage(), e);
    }
  }

  private static double number(String name, String text) {
    try {
      double value = Double.parseDouble(text.strip());
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " '" + text + "', expected a number", e);
    }
    throw new IllegalArgumentException(name + " '" + text + "', expected a finite number");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Parameters p && values.equals(p.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** For instance {@code seed=1 trials=30}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    values.forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.toString().strip();
  }
}
