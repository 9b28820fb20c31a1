package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.murmur.cli.terminal.Root;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import picocli.CommandLine;

/** Every command that connects says in every format that no peer is there. */
class NoPeerDoorsTest extends RestoredWallet {

  private static final String THEIRS = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  /** The commands that take {@code --connect}, from the code. */
  private static Set<String> doors() {
    CommandLine root = new CommandLine(new Root(Surroundings.ofProcess()));
    Commands.addTo(root, List.of("help"));
    Set<String> doors = new TreeSet<>();
    collect(root, doors);
    return doors;
  }

  private static void collect(CommandLine command, Set<String> doors) {
    if (command.getCommandSpec().optionsMap().containsKey("--connect")) {
      doors.add(command.getCommandSpec().qualifiedName().replaceFirst("^murmur ", ""));
    }
    command.getSubcommands().values().forEach(below -> collect(below, doors));
  }

  @Test
  void allRefuseAlike() throws Exception {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
    }
    Path draft = datadir.resolve("draft.psbt");
    murmur("send", THEIRS, "30000sat", "--fee-rate", "2", "--psbt", draft.toString())
        .exits(ExitCode.DONE);
    String signed = murmur("psbt", "sign", "--yes", draft.toString()).exits(ExitCode.DONE).out();
    Path whole = Files.writeString(datadir.resolve("signed.psbt"), signed);
    String txid =
        here()
            .globals("--json")
            .murmur("send", THEIRS, "20000sat", "--fee-rate", "2", "--yes", "--offline")
            .exits(ExitCode.DONE)
            .json()
            .get("txid")
            .asText();
    Map<String, List<String>> more = new TreeMap<>();
    more.put("sync", List.of());
    more.put("rescan", List.of("--from", "1"));
    more.put("send", List.of(THEIRS, "50000sat", "--fee-rate", "2", "--yes"));
    more.put("bump", List.of(txid, "--fee-rate", "20", "--yes"));
    more.put("cancel", List.of(txid, "--fee-rate", "20", "--yes"));
    more.put("broadcast", List.of(txid));
    more.put("psbt finalize", List.of("--broadcast", whole.toString()));
    more.put("lab fp", List.of("--small"));
    more.put("lab probe", List.of());
    assertThat(doors()).isEqualTo(more.keySet());
    for (String door : doors()) {
      List<String> line = new ArrayList<>(List.of(door.split(" ")));
      line.addAll(Objects.requireNonNull(more.get(door)));
      line.addAll(List.of("--connect", NOBODY));
      Ran ran = murmur(line.toArray(String[]::new));
      ran.exits(door.startsWith("lab") ? ExitCode.FAILED : ExitCode.NO_USABLE_PEER);
      ran.refusedAlike(line, asked -> murmur(asked.toArray(String[]::new)));
    }
  }
}
