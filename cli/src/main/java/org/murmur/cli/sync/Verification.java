package org.murmur.cli.sync;

import org.murmur.cli.words.Failures;
import org.murmur.lab.WholeNumber;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of {@code --verify}.
 *
 * @param peers how many serve every block, or agree on every block filter of the compact preset
 * @param byFilters whether block filters check a scan under another preset
 */
record Verification(int peers, boolean byFilters) {

  private static final String BY_FILTERS = "filters";

  /** How many peers have to agree on the filters that check a scan. */
  int filterPeers() {
    return byFilters ? 1 : 0;
  }

  /** Parses it. */
  static final class Parser implements ITypeConverter<Verification> {
    @Override
    public Verification convert(String text) {
      if (text.equals(BY_FILTERS)) {
        return new Verification(1, true);
      }
      try {
        return new Verification((int) WholeNumber.parse(text, Integer.MAX_VALUE), false);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            Failures.message(e) + "; expected a number of peers, or the word filters");
      }
    }
  }
}
