package org.murmur.cli;

import java.util.Iterator;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Model.CommandSpec;

/** The completion scripts of the shells. */
final class Completions implements Iterable<String> {

  static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  @Override
  public Iterator<String> iterator() {
    return SHELLS.iterator();
  }

  /** Writes the script for one of the {@link #SHELLS}, to be sourced. */
  static String of(String shell, CommandSpec root) {
    // Picocli's script serves bash and zsh: in zsh it loads bash's completion system itself.
    return shell.equals("fish")
        ? FishCompletion.of(root)
        : AutoComplete.bash("murmur", root.commandLine());
  }

  /** Writes the file that zsh loads at the first completion. */
  static String zshFunction(CommandSpec root) {
    return "#compdef murmur\n"
        + of("zsh", root)
        + "\n_bash_complete -o default -F _complete_murmur\n";
  }
}
