package org.murmur.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;

/**
 * What a peer that was sent filters can tell from them.
 *
 * @param filters as they were sent
 * @param elementsInClear how many elements it was sent one by one, with {@code filteradd}
 */
record Learned(List<BloomFilter> filters, int elementsInClear) {

  /**
   * About how many different scripts mainnet has seen: what an observer may try (privacy notes).
   */
  private static final double UNIVERSE = 1e9;

  JsonObject json() {
    List<JsonObject> list = new ArrayList<>();
    for (BloomFilter filter : filters) {
      FilterParameters p = filter.parameters();
      list.add(
          new JsonObject()
              .put("bytes", p.bytes())
              .put("hash_functions", p.hashFunctions())
              .put("tweak", Integer.toUnsignedLong(p.tweak()))
              .put("flags", p.flag().name().toLowerCase(Locale.ROOT))
              .put("bits_set", filter.bitsSet())
              .put("load", filter.load())
              .put("estimated_elements", filter.estimatedElements())
              .put("actual_fp", filter.realisedRate())
              .put("expected_false_scripts", UNIVERSE * filter.realisedRate()));
    }
    return new JsonObject().put("filters", list).put("elements_in_clear", elementsInClear);
  }

  void show(PrintStream out) {
    for (BloomFilter filter : filters) {
      FilterParameters p = filter.parameters();
      out.println(
          String.format(
              Locale.ROOT,
              "  a filter of %d bytes, %d hash functions, flag %s, %.0f %% of its bits set:",
              p.bytes(),
              p.hashFunctions(),
              p.flag(),
              100 * filter.load()));
      out.println(
          String.format(
              Locale.ROOT,
              "  it can tell that about %.0f elements are in it, and test any script it knows;",
              filter.estimatedElements()));
      out.println(
          String.format(
              Locale.ROOT,
              "  actual false-positive rate %s: of a billion strangers' scripts about %.2g match too.",
              Amounts.rate(filter.realisedRate()),
              UNIVERSE * filter.realisedRate()));
    }
    if (elementsInClear > 0) {
      out.println("  and " + elementsInClear + " outpoints one by one, in the clear (filteradd).");
    }
  }
}
