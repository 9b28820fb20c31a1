package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.murmur.cli.words.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every option that names a machine reads it in one way, and so do the variables. */
class HostDoorsTest extends RestoredWallet {

  /** Resolvers take them for another machine than the eye does. */
  private static final List<String> ODD =
      List.of(
          "0177.0.0.1",
          "017700000001",
          "0x7f.0.0.1",
          "0x7f000001",
          "2130706433",
          "127.1",
          "127.0.1",
          "127.0.0.01");

  private static final Map<String, String[]> COMMANDS =
      Map.of(
          "sync --connect", new String[] {"sync", "--connect"},
          "sync --seed-node", new String[] {"sync", "--seed-node"},
          "sync --proxy", new String[] {"sync", "--connect", "192.0.2.1", "--proxy"},
          "sync --replace-guard",
              new String[] {"sync", "--connect", "192.0.2.1", "--replace-guard"},
          "lab fp --connect", new String[] {"lab", "fp", "--small", "--connect"});

  /** The other commands share these options; a new one is added here, and must pass below. */
  @Test
  void theOptionsThatNameAMachineAreThese() {
    Map<String, String> found = new TreeMap<>();
    find("", InstalledTexts.root(), found);
    Set<String> options = new TreeSet<>(found.values());
    Set<String> tried = new TreeSet<>();
    COMMANDS.keySet().forEach(door -> tried.add(door.replaceAll(".* ", "")));
    assertThat(options).isEqualTo(tried);
    assertThat(found).containsEntry("lab fp --connect", "--connect").containsKey("send --proxy");
  }

  private static void find(String path, CommandSpec spec, Map<String, String> found) {
    for (OptionSpec option : spec.options()) {
      if (option.paramLabel().contains("HOST")) {
        found.put((path + " " + option.longestName()).strip(), option.longestName());
      }
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  @Test
  void noOtherFormOfIpv4IsTaken() {
    COMMANDS.forEach(
        (door, words) ->
            ODD.forEach(
                odd -> {
                  List<String> all = new ArrayList<>(Arrays.asList(words));
                  all.add(odd + ":18444");
                  refuses(door + " " + odd, here().murmur(all.toArray(String[]::new)));
                }));
    refuses("MURMUR_CONNECT", here().environment("MURMUR_CONNECT", ODD.get(0)).murmur("sync"));
    refuses(
        "MURMUR_PROXY",
        here()
            .environment("MURMUR_PROXY", ODD.get(0))
            .murmur("sync", "--connect", "192.0.2.1", "--json"));
  }

  private static void refuses(String what, Ran ran) {
    assertThat(ran.code()).as(what).isEqualTo(ExitCode.USAGE.number());
    assertThat(ran.out() + ran.err())
        .as(what)
        .contains("is no IPv4 address of four decimal numbers without leading zeros");
  }
}
