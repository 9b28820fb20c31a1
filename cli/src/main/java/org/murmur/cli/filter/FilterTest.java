package org.murmur.cli.filter;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "test",
    description = "Test elements against a filter.",
    footer = {
      "An element is an address, an outpoint TXID:VOUT, or hex as it is serialised: a key, a key",
      "hash, a script hash, or a txid or outpoint in internal byte order.",
      "Example:",
      "  murmur filter test 03614e9b050000000000000001 \\",
      "    99108ad8ed9bb6274d3980bab5a85c048f0950c8"
    })
final class FilterTest extends Action {

  @Parameters(index = "0", paramLabel = "HEX", description = "A filterload payload.")
  private String hex = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "ELEMENT",
      description = "The elements to test.")
  private List<String> elements = new ArrayList<>();

  @Override
  protected ExitCode run() {
    BloomFilter filter = FilterCommands.decode(hex, surroundings());
    List<JsonObject> results = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String element : elements) {
      boolean contained = filter.contains(FilterElement.raw(element, keyNetwork()));
      results.add(new JsonObject().put("element", element).put("contained", contained));
      lines.add((contained ? "yes  " : "no   ") + element);
    }
    return result(new JsonObject().put("results", results), out -> lines.forEach(out::println));
  }
}
