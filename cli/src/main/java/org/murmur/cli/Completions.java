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

  /**
   * Wallets are files, so the shell lists them itself: a start of the program for each key would
   * take a third of a second.
   */
  private static final String NAMES =
      """

# Names of wallets, of all networks.
_murmur_wallets() {
  local data="${XDG_DATA_HOME:-$HOME/.local/share}/murmur" word before=
  if [ "$(uname -s)" = Darwin ]; then data="$HOME/Library/Application Support/Murmur"; fi
  data="${MURMUR_DATADIR:-$data}"
  for word in "${COMP_WORDS[@]}"; do
    case $word in --datadir=*) data="${word#*=}" ;; esac
    # Bash splits words at an equals sign.
    case $before in --datadir|--datadir=) if [ "$word" != = ]; then data="$word"; fi ;; esac
    case $word in =) before="$before=" ;; *) before="$word" ;; esac
  done
  data="${data/#\\~/$HOME}"
  find "$data" -maxdepth 2 -name '*.sqlite' 2>/dev/null | sed -nE 's|.*/([A-Za-z0-9_][A-Za-z0-9._-]*)[.]sqlite$|\\1|p'
}

_murmur_with_wallets() {
  case ${COMP_WORDS[COMP_CWORD-1]} in
    -w|--wallet|rename|delete)
      COMPREPLY=( $(compgen -W "$(_murmur_wallets)" -- "${COMP_WORDS[COMP_CWORD]}") ) ;;
    *) _complete_murmur "$@" ;;
  esac
}
""";

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
