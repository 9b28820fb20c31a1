package org.murmur.cli;

import java.util.ArrayList;
import java.util.List;
import org.murmur.wallet.keys.EditDistance;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What was perhaps meant by an argument that is not expected. The argument may be a secret in the
 * wrong place, a wallet's words for instance: what is said names only what everybody knows.
 */
final class Mistyped {

  /** What begins a command's name by as many letters is that command, cut short. */
  private static final int PREFIX = 3;

  /** Names up to this length are near by one mistake, longer ones by two. */
  private static final int SHORT = 4;

  private Mistyped() {}

  /** Whether the name of a command was expected there. */
  static boolean expectsCommand(UnmatchedArgumentException thrown) {
    CommandLine at = thrown.getCommandLine();
    return !thrown.isUnknownOption()
        && !thrown.getUnmatched().isEmpty()
        && (at.getParent() == null || !at.getSubcommands().isEmpty());
  }

  /** What was perhaps meant, in whole lines; empty if nothing comes to mind. */
  static String hint(UnmatchedArgumentException thrown) {
    if (thrown.isUnknownOption()) {
      return didYouMean(thrown.getSuggestions());
    }
    if (thrown.getUnmatched().isEmpty()) {
      return "";
    }
    String word = thrown.getUnmatched().get(0);
    CommandLine at = thrown.getCommandLine();
    if (expectsCommand(thrown)) {
      boolean root = at.getParent() == null;
      List<String> names = root ? Commands.names() : new ArrayList<>(at.getSubcommands().keySet());
      List<String> near = near(word, names);
      return near.isEmpty() && !root
          ? "Its commands: " + String.join(", ", names) + ".\n"
          : didYouMean(near);
    }
    boolean connects = at.getCommandSpec().findOption("--connect") != null;
    return connects && isHost(word) ? "A peer is named with --connect HOST[:PORT].\n" : "";
  }

  private static String didYouMean(List<String> names) {
    return names.isEmpty() ? "" : "Did you mean " + String.join(", ", names) + "?\n";
  }

  /** No word of a wallet has a dot or a colon, and "localhost" is none. */
  private static boolean isHost(String text) {
    boolean named = text.equals("localhost") || text.indexOf('.') >= 0 || text.indexOf(':') >= 0;
    return named && text.matches("[\\[\\]A-Za-z0-9.:-]+");
  }

  /** The nearest names, in their order; none if none is near. */
  private static List<String> near(String word, List<String> names) {
    List<String> nearest = new ArrayList<>();
    int least = word.length() <= SHORT ? 1 : 2;
    for (String name : names) {
      boolean prefix = word.length() >= PREFIX && name.startsWith(word);
      int distance = prefix ? 0 : EditDistance.of(word, name);
      if (distance < least) {
        nearest.clear();
        least = distance;
      }
      if (distance == least) {
        nearest.add(name);
      }
    }
    return nearest;
  }
}
