package org.murmur.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.coins.keys.EditDistance;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Suggestions for an unexpected argument. The argument may be a misplaced secret, such as a
 * wallet's words, so suggestions contain public names only.
 */
final class Mistyped {

  /** A prefix of this many letters counts as an abbreviated command. */
  private static final int PREFIX = 3;

  /** Names up to this length match with one typing error, longer ones with two. */
  private static final int SHORT = 4;

  /** Words that people try, and the command that does it. */
  private static final Map<String, String> MEANT =
      Map.ofEntries(
          Map.entry("rename", "wallets rename"),
          Map.entry("delete", "wallets delete"),
          Map.entry("remove", "wallets delete"),
          Map.entry("list", "wallets"),
          Map.entry("open", "status"),
          Map.entry("info", "status"),
          Map.entry("qr", "address --qr"),
          Map.entry("pay", "send"),
          Map.entry("sign", "message sign, psbt sign"),
          Map.entry("verify", "message verify, proof verify"),
          Map.entry("utxo", "coins"),
          Map.entry("utxos", "coins"),
          Map.entry("unspent", "coins"),
          Map.entry("transactions", "history"),
          Map.entry("txs", "history"),
          Map.entry("import", "restore, watch"),
          Map.entry("backup", "export mnemonic"),
          Map.entry("password", "passwd"),
          Map.entry("regtest", "node"));

  /** Options that people try, after the command, and what to do instead. */
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry(
              "create --birthday",
              "A new wallet begins today. For words that exist already: murmur restore --birthday"
                  + " DATE."),
          Map.entry(
              "create --mnemonic-file",
              "create makes new words. For words that exist already: murmur restore."),
          Map.entry("restore --mnemonic", "murmur restore asks for the words, or --mnemonic-file."),
          Map.entry("restore --words", "murmur restore asks for the words, or --mnemonic-file."),
          Map.entry("watch --xpub", "The xpub needs no option: murmur watch XPUB."),
          Map.entry("watch --descriptor", "It needs no option: murmur watch DESCRIPTOR."),
          Map.entry("watch --address", "It needs no option: murmur watch ADDRESS."),
          Map.entry("export --xpub", "It is an argument: murmur export xpub."),
          Map.entry("export --descriptor", "It is an argument: murmur export descriptor."),
          Map.entry("export --mnemonic", "It is an argument: murmur export mnemonic."));

  private Mistyped() {}

  /** Whether a command name was expected at this position. */
  static boolean expectsCommand(UnmatchedArgumentException thrown) {
    CommandLine at = thrown.getCommandLine();
    return !thrown.isUnknownOption()
        && !thrown.getUnmatched().isEmpty()
        && (at.getParent() == null || !at.getSubcommands().isEmpty());
  }

  /** The advice instead of an option that this command does not have; null if unknown. */
  static @Nullable String instead(String command, List<String> args) {
    for (String arg : args) {
      String known = INSTEAD.get(command + " " + arg.replaceFirst("=.*", ""));
      if (known != null) {
        return known;
      }
    }
    return null;
  }

  /** The suggestions, as whole lines; empty if there is none. */
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
      List<String> near =
          root && MEANT.containsKey(word) ? List.of(MEANT.get(word)) : near(word, names);
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

  /** Whether the text is a host. No BIP39 word contains a dot or a colon, or is "localhost". */
  private static boolean isHost(String text) {
    boolean named = text.equals("localhost") || text.indexOf('.') >= 0 || text.indexOf(':') >= 0;
    return named && text.matches("[\\[\\]A-Za-z0-9.:-]+");
  }

  /** The names nearest to the argument, nearest first; empty if none is near. */
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
