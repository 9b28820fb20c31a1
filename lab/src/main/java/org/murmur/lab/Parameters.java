package org.murmur.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d{1,2})?");

  private final Map<String, String> values;

  /** The parameters that may have several values. */
  private final Set<String> lists;

  private Parameters(Map<String, String> values, Set<String> lists) {
    this.values = Collections.unmodifiableMap(values);
    this.lists = Collections.unmodifiableSet(lists);
  }

  /** Makes the parameters that every study has, to extend with {@link #with}. */
  public static Parameters of(long seed, int trials) {
    return none().with(SEED, seed).with(TRIALS, trials);
  }

  /**
   * Makes an empty set, without even a seed, for the constants of an experiment; to extend with
   * {@link #with}.
   */
  public static Parameters none() {
    return new Parameters(new LinkedHashMap<>(), Set.of());
  }

  /**
   * Returns a copy with one parameter set: in its old place, or at the end if it is new. The name
   * has lower case and dashes, same as the command line option; a list has commas. Numbers are kept
   * in one form: 1e-3 as 0.001.
   */
  public Parameters with(String name, Object value) {
    String text = String.valueOf(value);
    return text.contains(",") ? withList(name, text) : with(name, text, lists);
  }

  /** Returns a copy with a parameter that may have several values, even if it has only one now. */
  public Parameters withList(String name, String value) {
    Set<String> more = new HashSet<>(lists);
    more.add(name);
    return with(name, value, more);
  }

  private Parameters with(String name, String text, Set<String> several) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(
        name,
        Arrays.stream(text.split(",", -1)).map(Parameters::plain).collect(Collectors.joining(",")));
    return new Parameters(more, several);
  }

  /** Numbers in one form, so that equal parameters have equal texts. */
  private static String plain(String text) {
    if (!NUMBER.matcher(text).matches()) {
      return text;
    }
    BigDecimal number = new BigDecimal(text);
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  /** Restores parameters from an object of names and values. */
  static Parameters fromJson(JsonNode node) {
    Parameters read = none();
    for (Iterator<Map.Entry<String, JsonNode>> i = node.fields(); i.hasNext(); ) {
      Map.Entry<String, JsonNode> field = i.next();
      if (field.getValue().isArray()) {
        List<String> all = new ArrayList<>();
        field.getValue().forEach(one -> all.add(one.asText()));
        read = read.withList(field.getKey(), String.join(",", all));
      } else {
        read = read.with(field.getKey(), field.getValue().asText());
      }
    }
    return read;
  }

  /** Writes each value with its type: numbers as numbers, several values as arrays. */
  void toJson(ObjectNode node) {
    values.forEach(
        (name, text) -> {
          if (lists.contains(name)) {
            ArrayNode all = node.putArray(name);
            texts(name).forEach(one -> all.add(json(one)));
          } else {
            node.set(name, json(text));
          }
        });
  }

  private static JsonNode json(String text) {
    if (text.equals("true") || text.equals("false")) {
      return BooleanNode.valueOf(Boolean.parseBoolean(text));
    }
    if (!NUMBER.matcher(text).matches()) {
      return TextNode.valueOf(text);
    }
    BigDecimal number = new BigDecimal(text);
    return number.scale() > 0
        ? DoubleNode.valueOf(number.doubleValue())
        : BigIntegerNode.valueOf(number.toBigInteger());
  }

  public Map<String, String> asMap() {
    return values;
  }

  public long seed() {
    return whole(SEED);
  }

  /** Returns the number of trials, at least 1. */
  public int trials() {
    return count(TRIALS);
  }

  /**
   * Returns a value as text. Throws {@link IllegalArgumentException} if there is no such parameter;
   * so do all that follow, also if the value has another form.
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  public long whole(String name) {
    return whole(name, text(name));
  }

  public int count(String name) {
    long value = whole(name);
    if (value < 1 || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(name + " " + value + ", expected 1 to 2147483647");
    }
    return (int) value;
  }

  public double number(String name) {
    return number(name, text(name));
  }

  /** Returns a comma-separated list of whole numbers, at least one. */
  public List<Long> wholes(String name) {
    return texts(name).stream().map(one -> whole(name, one)).toList();
  }

  /** Returns a comma-separated list of finite numbers, at least one. */
  public List<Double> numbers(String name) {
    return texts(name).stream().map(one -> number(name, one)).toList();
  }

  /** Returns a comma-separated list of false-positive rates between 0 and 1, at least one. */
  public List<Double> rates(String name) {
    List<Double> all = numbers(name);
    for (int i = 0; i < all.size(); i++) {
      if (!(all.get(i) > 0 && all.get(i) < 1)) {
        throw new IllegalArgumentException(
            name + " " + texts(name).get(i) + ", expected more than 0 and less than 1");
      }
    }
    return all;
  }

  /** Returns a comma-separated list of words, at least one. */
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
