package org.murmur.cli.filter;

import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterSizing;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.lab.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "make",
    description = "Make a filterload payload from addresses, scripts and outpoints.",
    footer = {
      "An address is inserted as the hash or key that its script pushes, a script (hex) as",
      "everything that it pushes, an outpoint as TXID:VOUT. Duplicates count once. Anybody who",
      "has the payload can test any address in it; `privacy` shows what a wallet's own filters",
      "revealed.",
      "Examples:",
      "  murmur filter make tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
      "  murmur --network mainnet filter make --addresses-file donations.txt --json",
      "  murmur filter make tb1q... --tweak 0 --flags none"
    })
final class FilterMake extends Action {

  private static final double USUAL_RATE = 1e-4;
  private static final long MAX_TWEAK = 0xffff_ffffL;

  @Parameters(
      arity = "0..*",
      paramLabel = "ADDRESS|SCRIPT|OUTPOINT",
      description = "What the filter matches.")
  private List<String> arguments = new ArrayList<>();

  @Option(
      names = "--addresses-file",
      paramLabel = "FILE",
      description = "More elements, one per line; # starts a comment; - for stdin.")
  private @Nullable String file;

  @Option(
      names = {"-p", "--fp"},
      paramLabel = "P",
      description = "False-positive rate, between 0 and 1 (default: 0.0001).")
  private double rate = USUAL_RATE;

  @Option(
      names = "--tweak",
      paramLabel = "N",
      description = "Selects the hash functions, 0 to 4294967295 (default: random).")
  private @Nullable Long tweak;

  @Option(
      names = "--flags",
      paramLabel = "FLAG",
      completionCandidates = Choices.Flags.class,
      description =
          "What the server adds on a match: all (default) outpoints of outputs that match, none,"
              + " or p2pubkey (only of outputs to bare keys).")
  private String flags = "all";

  @Mixin private RoundingOption rounding = new RoundingOption();

  @Override
  protected ExitCode run() {
    UpdateFlag flag =
        Choices.meaning(
            "--flags",
            flags,
            new Choices.Flags(),
            List.of(UpdateFlag.ALL, UpdateFlag.NONE, UpdateFlag.P2PUBKEY_ONLY));
    int chosenTweak = tweak();
    List<FilterElement> inputs = inputs();
    Set<Bytes> elements = new LinkedHashSet<>();
    inputs.forEach(input -> elements.addAll(input.elements()));
    BloomFilter.Builder builder =
        BloomFilter.builder(parameters(elements.size(), chosenTweak, flag));
    elements.forEach(builder::add);
    BloomFilter filter = builder.build();
    return result(
        json(filter, inputs, elements.size()), out -> print(filter, elements.size(), out));
  }

  private int tweak() {
    return tweak == null
        ? new SecureRandom().nextInt()
        : (int) Numbers.within("--tweak", tweak, 0, MAX_TWEAK);
  }

  private List<FilterElement> inputs() {
    KeyNetwork keys = keyNetwork();
    List<FilterElement> inputs = new ArrayList<>();
    for (String argument : arguments) {
      inputs.add(FilterElement.parse("", argument, keys));
    }
    if (file != null) {
      inputs.addAll(fromFile(file, keys));
    }
    if (inputs.isEmpty()) {
      throw Failure.usage("the filter would be empty: give addresses, or --addresses-file FILE");
    }
    return inputs;
  }

  private List<FilterElement> fromFile(String name, KeyNetwork keys) {
    String what = name.equals("-") ? "stdin" : name;
    List<FilterElement> found = new ArrayList<>();
    int number = 0;
    for (String line : Inputs.text("--addresses-file", name, surroundings()).split("\\R", -1)) {
      number++;
      String text = line.replaceFirst("#.*", "").strip();
      if (!text.isEmpty()) {
        found.add(FilterElement.parse(what + " line " + number + ": ", text, keys));
      }
    }
    if (found.isEmpty()) {
      throw Failure.usage("--addresses-file: no address in " + what);
    }
    return found;
  }

  private FilterParameters parameters(int elements, int chosenTweak, UpdateFlag flag) {
    Rounding how = rounding.rounding();
    FilterSizing wanted = FilterCommands.sizing(elements, rate, how);
    if (!wanted.fitsBip37()) {
      throw Failure.usage(
          Text.of(
              "%d elements at --fp %s take %d bytes and %d functions; BIP37 allows %d and %d",
              elements,
              Table.shown(rate),
              wanted.bytes(),
              wanted.hashFunctions(),
              FilterParameters.MAX_BYTES,
              FilterParameters.MAX_HASH_FUNCTIONS));
    }
    return FilterParameters.of(elements, rate, chosenTweak, flag, how);
  }

  private JsonObject json(BloomFilter filter, List<FilterElement> inputs, int elements) {
    FilterParameters p = filter.parameters();
    List<JsonObject> added = new ArrayList<>();
    for (FilterElement input : inputs) {
      added.add(
          new JsonObject()
              .put("input", input.text())
              .put("kind", input.kind())
              .put("elements", input.elements()));
    }
    return new JsonObject()
        .put("filterload", filter.toPayload().toHex())
        .put("elements", elements)
        .put("fp", rate)
        .put("bytes", p.bytes())
        .put("bits", p.bits())
        .put("hash_functions", p.hashFunctions())
        .put("tweak", Integer.toUnsignedLong(p.tweak()))
        .put("flags", p.flag())
        .put("bits_set", filter.bitsSet())
        .put("expected_fp", p.expectedRate(elements))
        .put("actual_fp", filter.realisedRate())
        .put("inputs", added);
  }

  private void print(BloomFilter filter, int elements, PrintStream out) {
    FilterParameters p = filter.parameters();
    out.println("elements        " + elements);
    out.println("size            " + p.bytes() + " bytes (" + p.bits() + " bits)");
    out.println("hash functions  " + p.hashFunctions());
    out.println("tweak           " + Integer.toUnsignedString(p.tweak()));
    out.println("flags           " + p.flag());
    out.println("wanted rate     " + Table.shown(rate));
    out.println("actual rate     " + Table.shown(filter.realisedRate()));
    out.println("filterload      " + filter.toPayload().toHex());
  }
}
