package org.murmur.cli;

import java.util.Iterator;
import java.util.List;
import org.murmur.lab.Texts;
import picocli.AutoComplete;
import picocli.CommandLine.Model.CommandSpec;

/** The completion scripts of the shells. */
final class Completions implements Iterable<String> {

  static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  @Override
  public Iterator<String> iterator() {
    return SHELLS.iterator();
  }

  /**
   * Wallets are files, so the shell lists them itself: a start of the program for each key would
   * take a third of a second.
   */
  private static final String NAMES = Texts.file(Completions.class, "wallets.bash");

  /** Writes the script for one of the {@link #SHELLS}, to be sourced. */
  static String of(String shell, CommandSpec root) {
    return shell.equals("fish") ? FishCompletion.of(root) : withNames(root);
  }

  /** Picocli's script serves bash and zsh: in zsh it loads bash's completion system itself. */
  private static String withNames(CommandSpec root) {
    return AutoComplete.bash("murmur", root.commandLine())
        + NAMES
        + "complete -F _murmur_with_wallets -o default murmur murmur.sh murmur.bash\n";
  }

  /** Writes the file that zsh loads at the first completion. */
  static String zshFunction(CommandSpec root) {
    return "#compdef murmur\n"
        + of("zsh", root)
        + "\n_bash_complete -o default -F _murmur_with_wallets\n";
  }
}
