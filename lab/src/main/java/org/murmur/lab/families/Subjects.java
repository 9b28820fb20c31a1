package org.murmur.lab.families;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.Parameters;
import org.murmur.lab.Table;
import org.murmur.regtest.chain.Dice;

/**
 * The subjects of the experiments: some families at some false-positive rates, for wallets of one
 * size. Each filter is queried for so many non-members.
 */
record Subjects(List<FilterFamily> families, List<Double> rates, int elements, int queries) {

  static final String FAMILY = "family";
  static final String RATES = "fp";
  static final String ELEMENTS = "elements";
  static final String QUERIES = "queries";
  static final String ALL = "all";

  /**
   * Key hashes, output keys and script hashes, outpoints: the elements that clients insert for
   * BIP-0037.
   */
  private static final int[] LENGTHS = {20, 32, 36};

  private static final int MAX_ELEMENTS = 10_000_000;

  static Subjects of(Parameters parameters) {
    List<FilterFamily> families =
        parameters.text(FAMILY).equals(ALL)
            ? Families.all()
            : parameters.texts(FAMILY).stream().map(Families::named).toList();
    int elements = parameters.count(ELEMENTS);
    if (elements > MAX_ELEMENTS) {
      throw new IllegalArgumentException(
          ELEMENTS + " " + elements + ", expected 1 to " + MAX_ELEMENTS);
    }
    for (double rate : parameters.numbers(RATES)) {
      if (!(rate >= 1e-9 && rate <= 0.5)) {
        throw new IllegalArgumentException(
            RATES + " " + Table.shown(rate) + ", expected 1e-9 to 0.5");
      }
    }
    return new Subjects(families, parameters.numbers(RATES), elements, parameters.count(QUERIES));
  }

  /** Receives one family at one rate. */
  interface Each {
    void accept(FilterFamily family, double rate);
  }

  void forEach(Each each) {
    for (FilterFamily family : families) {
      for (double rate : rates) {
        each.accept(family, rate);
      }
    }
  }

  /** The rate for changing and merging filters: the middle one of the list. */
  double middleRate() {
    return rates.stream().sorted().toList().get(rates.size() / 2);
  }

  /** Distinct elements: drawing the same 20 bytes twice does not happen. */
  static List<Bytes> draw(Dice dice, int count) {
    List<Bytes> drawn = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      drawn.add(dice.bytes(LENGTHS[i % LENGTHS.length]));
    }
    return drawn;
  }

  /** The rows of one family, and of one rate unless it is null. */
  static List<Table.Row> rows(Table observed, FilterFamily family, @Nullable Double rate) {
    return observed.where(
        row ->
            row.text(FAMILY).equals(family.name())
                && (rate == null || row.number("target") == rate));
  }

  /** The median of a column over the rows of a family with a value. */
  static @Nullable Double median(Table observed, FilterFamily family, String column) {
    return median(rows(observed, family, null), column);
  }

  /** The median of a column over the rows with a value. */
  static @Nullable Double median(List<Table.Row> rows, String column) {
    List<Double> sorted =
        rows.stream()
            .filter(row -> row.value(column) != null)
            .map(row -> row.number(column))
            .sorted()
            .toList();
    return sorted.isEmpty() ? null : sorted.get(sorted.size() / 2);
  }
}
