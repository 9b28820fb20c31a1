package org.murmur.cli.filter;

import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterSizing;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.lab.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "size",
    description = "Compute the size of a filter from elements and false-positive rate.",
    footer = {
      "The numbers are those of BIP-0037; expected_fp is the classic formula's rate when full.",
      "Sizes beyond BIP37 are shown with bip37 = no. Only --bip37 cuts them to 36,000 bytes and",
      "50 functions.",
      "Examples:",
      "  murmur filter size --elements 2000 --fp 1e-9",
      "  murmur filter size --elements 1e10 --fp 0.0001    # far beyond BIP37",
      "  murmur filter size --elements 1000000 --fp 0.001 --bip37 --json"
    })
final class FilterSize extends Action {

  @Option(
      names = {"-n", "--elements"},
      required = true,
      paramLabel = "N",
      description = "Number of elements that the filter holds.")
  private long elements;

  @Option(
      names = {"-p", "--fp"},
      required = true,
      paramLabel = "P",
      description = "False-positive rate, between 0 and 1.")
  private double rate;

  @Option(names = "--bip37", description = "Limit the size to what BIP37 allows.")
  private boolean bip37;

  @Mixin private RoundingOption rounding = new RoundingOption();

  @Override
  protected ExitCode run() {
    Rounding how = rounding.rounding();
    FilterSizing wanted = FilterCommands.sizing(elements, rate, how);
    boolean capped = bip37 && !wanted.fitsBip37();
    long bytes = wanted.bytes();
    int functions = wanted.hashFunctions();
    if (capped) {
      FilterParameters cut = FilterParameters.of(elements, rate, 0, UpdateFlag.NONE, how);
      bytes = cut.bytes();
      functions = cut.hashFunctions();
    }
    print(bytes, functions, wanted.fitsBip37(), capped);
    return ExitCode.DONE;
  }

  private void print(long bytes, int functions, boolean fits, boolean capped) {
    double expected = FilterTheory.classicRate(8 * bytes, functions, (double) elements);
    JsonObject json =
        new JsonObject()
            .put("elements", elements)
            .put("fp", rate)
            .put("bits", 8 * bytes)
            .put("bytes", bytes)
            .put("hash_functions", functions)
            .put("expected_fp", expected)
            .put("bip37", fits)
            .put("capped", capped)
            .put("bits_per_element", 8.0 * bytes / elements)
            .put("bip37_max_elements", maxElements());
    result(
        json,
        out -> {
          out.println("elements        " + elements);
          out.println(
              Text.of(
                  "size            %d bytes (%s, %d bits, %.2f for each element)",
                  bytes, Amounts.bytes(bytes), 8 * bytes, 8.0 * bytes / elements));
          out.println("hash functions  " + functions);
          out.println("expected rate   " + Table.shown(expected) + " when full");
          out.println("BIP37           " + verdict(fits, capped));
        });
  }

  /** The number of elements that 36,000 bytes can hold at this rate. */
  private long maxElements() {
    double bits = 8.0 * FilterParameters.MAX_BYTES;
    return (long) (bits * Math.log(2) * Math.log(2) / -Math.log(rate));
  }

  private String verdict(boolean fits, boolean capped) {
    if (fits) {
      return "fits";
    }
    String limits = "36,000 bytes and 50 functions";
    return capped
        ? "does not fit; cut to " + limits
        : Text.of(
            "does not fit (at most %s, so about %s elements at this rate); --bip37 cuts it",
            limits, maxElements());
  }
}
