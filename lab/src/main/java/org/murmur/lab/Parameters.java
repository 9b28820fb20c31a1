package org.murmur.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The inputs of an experiment besides its code: names and values, in a fixed order. Every study has
 * {@code seed} and {@code trials}. Two runs can be merged only if their parameters are equal.
 * Immutable.
 */
public final class Parameters {

  /** The name of the seed parameter, which every study has. */
  public static final String SEED = "seed";

  /** The name of the parameter for the number of trials, which every study has. */
  public static final String TRIALS = "trials";

  private final Map<String, String> values;

  private Parameters(Map<String, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /**
   * Makes the parameters that every study has.
   *
   * @param seed the source of all random numbers
   * @param trials the number of trials
   * @return parameters, to extend with {@link #with}
   */
  public static Parameters of(long seed, int trials) {
    return new Parameters(new LinkedHashMap<>()).with(SEED, seed).with(TRIALS, trials);
  }

  /**
   * Restores parameters read from a file.
   *
   * @param values names and values, in order
   * @return the parameters
   */
  public static Parameters of(Map<String, String> values) {
    return new Parameters(new LinkedHashMap<>(values));
  }

  /**
   * Returns a copy with one parameter set: in its old place, or at the end if it is new.
   *
   * @param name lower case and dashes, same as the command line option
   * @param value its value; numbers in Java syntax, lists with commas
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
   * @param name its name
   * @return the value
   * @throws IllegalArgumentException if there is no such parameter
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
   * @param name its name
   * @return the value
   * @throws IllegalArgumentException if it is missing or not a whole number
   */
  public long whole(String name) {
    return whole(name, text(name));
  }

  /**
   * Returns a positive count.
   *
   * @param name its name
   * @return 1 to 2^31 - 1
   * @throws IllegalArgumentException if it is missing or out of range
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
   * @param name its name
   * @return the value
   * @throws IllegalArgumentException if it is missing or not a finite number
   */
  public double number(String name) {
    return number(name, text(name));
  }

  /**
   * Returns a comma-separated list of whole numbers.
   *
   * @param name its name
   * @return at least one
   * @throws IllegalArgumentException if it is missing or one of them is not a whole number
   */
  public List<Long> wholes(String name) {
    List<Long> all = new ArrayList<>();
    for (String one : texts(name)) {
      all.add(whole(name, one));
    }
    return all;
  }

  /**
   * Returns a comma-separated list of numbers.
   *
   * @param name its name
   * @return at least one
   * @throws IllegalArgumentException if it is missing or one of them is not a finite number
   */
  public List<Double> numbers(String name) {
    List<Double> all = new ArrayList<>();
    for (String one : texts(name)) {
      all.add(number(name, one));
    }
    return all;
  }

  /**
   * Returns a comma-separated list of words.
   *
   * @param name its name
   * @return at least one
   * @throws IllegalArgumentException if it is missing
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
