package org.murmur.cli.filter;

import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.internal.privacy.Fingerprint;
import org.murmur.bip37.internal.privacy.LoadEstimate;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.lab.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "decode",
    description = "Decode a filterload payload: what it reveals to everybody who sees it.",
    footer = {
      "The number of elements is estimated from the bits that are set. The actual rate is",
      "computed from the same bits; the rate that the filter was sized for can differ. Its origin",
      "is a guess from its size, functions and flag.",
      "Example:",
      "  murmur filter decode 03614e9b050000000000000001"
    })
final class FilterDecode extends Action {

  @Parameters(paramLabel = "HEX", description = "The payload, or - for stdin.")
  private String hex = "";

  @Override
  protected ExitCode run() {
    BloomFilter filter = FilterCommands.decode(hex, surroundings());
    FilterParameters p = filter.parameters();
    LoadEstimate estimate = LoadEstimate.of(filter);
    List<String> guesses = Fingerprint.of(filter);
    boolean everything = filter.isEmpty() || p.hashFunctions() == 0;
    JsonObject json =
        new JsonObject()
            .put("bytes", p.bytes())
            .put("bits", p.bits())
            .put("hash_functions", p.hashFunctions())
            .put("tweak", Integer.toUnsignedLong(p.tweak()))
            .put("flags", p.flag())
            .put("bits_set", filter.bitsSet())
            .put("load", filter.load())
            .put("estimated_elements", estimate.elements())
            .put("estimated_elements_sd", estimate.deviation())
            .put("actual_fp", filter.realisedRate())
            .put("matches_everything", everything)
            .put("may_be", guesses);
    return result(
        json,
        out -> {
          out.println("size            " + p.bytes() + " bytes (" + p.bits() + " bits)");
          out.println("hash functions  " + p.hashFunctions());
          out.println("tweak           " + Integer.toUnsignedString(p.tweak()));
          out.println("flags           " + p.flag());
          out.println(
              "bits set        " + filter.bitsSet() + Text.of(" (%.1f %%)", 100 * filter.load()));
          out.println(
              "elements        "
                  + (Double.isFinite(estimate.elements())
                      ? Text.of(
                          "about %.1f (standard deviation %.1f)",
                          estimate.elements(), estimate.deviation())
                      : "unknown"));
          out.println(
              "actual rate     "
                  + Table.shown(filter.realisedRate())
                  + (everything ? ": it matches everything" : ""));
          out.println(
              "may be of       " + (guesses.isEmpty() ? "no known client" : guesses.get(0)));
          guesses.stream().skip(1).forEach(one -> out.println("                " + one));
        });
  }
}
