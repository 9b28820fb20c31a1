package org.murmur.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.murmur.cli.words.ExitCode;

/**
 * What was typed and what was printed, one line each. The first character says what a line is:
 *
 * <pre>
 * # a remark
 * $ murmur …       a command; ' keeps blanks together, and &gt; FILE takes its stdout
 * ? …              an answer that is typed at a prompt
 * &lt; …              a line of stdin
 * ^C               Ctrl-C, as soon as the command waits for it
 * ~ …              a pattern; what it matches is another in each run, and is written as ~
 * @ mine N         the node mines blocks
 * @ write FILE …   a file with this text
 * | …              stdout
 * ! …              stderr
 * = 1 kind         the exit code, and the kind of a refusal; that of wrong usage is its code
 * </pre>
 */
final class Transcript {

  private static final Pattern WORD = Pattern.compile("(?:[^' ]|'[^']*')+");

  /** Of a transaction or a block. */
  private static final Pattern HASH = Pattern.compile("\\b[0-9a-f]{64}\\b");

  private static final Pattern NAME = Pattern.compile("\\b[A-Z][A-Z0-9]*\\b");

  /** What is another in each run, and what is written instead. */
  private static final Map<Pattern, String> CHANGING =
      Map.of(
          Pattern.compile("\\b[0-9a-f]{100,}\\b"), "HEX",
          Pattern.compile(" +\\d+(\\.\\d+)? (ms|s)\\b"), " N $2",
          Pattern.compile("\\b\\d+(\\.\\d+)? k?B\\b"), "SIZE",
          // The blocks are older.
          Pattern.compile("\\b20(2[6-9]|[3-9]\\d)-\\d\\d-\\d\\dT[\\d:]+Z"), "NOW",
          // A free port.
          Pattern.compile("\\b127\\.0\\.0\\.1:[3-6]\\d{4}\\b"), "127.0.0.1:PORT");

  private final Path folder;
  private final IntConsumer miner;
  private final Map<String, String> values = new LinkedHashMap<>();
  private final StringBuilder written = new StringBuilder();
  private int hashes;

  /**
   * Begins one in a folder with wallets.
   *
   * @param names what stands for a value, where something is typed and where it is printed
   */
  Transcript(Path folder, IntConsumer miner, Map<String, String> names) {
    this.folder = folder;
    this.miner = miner;
    values.put("DIR", folder.toString());
    values.putAll(names);
  }

  /** The commands of a transcript. */
  static List<String> commands(String text) {
    return text.lines()
        .filter(line -> line.startsWith("$ "))
        .map(line -> line.substring(2))
        .toList();
  }

  /** Gives the commands of a transcript again, and returns the new one. */
  String again(String text) throws IOException {
    List<String> step = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (!line.isEmpty() && "|!=".indexOf(line.charAt(0)) >= 0) {
        continue;
      }
      if (!line.matches("[?<^~].*")) {
        play(step);
        step.clear();
      }
      written.append(line).append('\n');
      step.add(line);
    }
    play(step);
    return written.toString();
  }

  private void play(List<String> step) throws IOException {
    String first = step.isEmpty() ? "" : step.get(0);
    if (first.startsWith("@ mine ")) {
      miner.accept(Integer.parseInt(first.substring("@ mine ".length())));
    } else if (first.startsWith("@ write ")) {
      String[] parts = first.split(" ", 4);
      Files.writeString(folder.resolve(parts[2]), typed(parts[3]) + "\n");
    } else if (first.startsWith("$ murmur")) {
      run(words(first.substring("$ murmur".length())), step.subList(1, step.size()));
    } else if (!first.isEmpty() && first.charAt(0) != '#') {
      throw new IllegalArgumentException("not a line of a transcript: " + first);
    }
  }

  private void run(List<String> words, List<String> input) throws IOException {
    int redirected = words.indexOf(">");
    List<String> arguments = redirected < 0 ? words : words.subList(0, redirected);
    Ran ran = given(arguments, input);
    if (redirected < 0) {
      write("| ", ran.out(), input);
    } else {
      Files.writeString(folder.resolve(words.get(redirected + 1)), ran.out());
    }
    write("! ", ran.err(), input);
    String kind = "";
    if (ran.code() != ExitCode.DONE.number()
        && ran.code() != ExitCode.USAGE.number()
        && ran.out().isEmpty()) {
      List<String> asked = new ArrayList<>(arguments);
      asked.add(0, "--json");
      kind = " " + given(asked, input).error().path("kind").asText();
    }
    written.append("= ").append(ran.code()).append(kind).append('\n');
  }

  private Ran given(List<String> words, List<String> input) {
    Ran.With murmur = Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest").once();
    StringBuilder stdin = new StringBuilder();
    for (String line : input) {
      String text = typed(line.substring(Math.min(2, line.length())));
      switch (line.charAt(0)) {
        case '?' -> murmur.typing(text);
        case '<' -> stdin.append(text).append('\n');
        case '^' -> murmur.interrupting();
        default -> {
          // A pattern.
        }
      }
    }
    return murmur.stdin(stdin.toString()).murmur(words.toArray(String[]::new));
  }

  private List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(typed(line));
    while (word.find()) {
      words.add(word.group().replace("'", ""));
    }
    return words;
  }

  private String typed(String text) {
    return NAME.matcher(text)
        .replaceAll(
            name -> Matcher.quoteReplacement(values.getOrDefault(name.group(), name.group())));
  }

  private void write(String sign, String text, List<String> input) {
    for (String line : text.lines().toList()) {
      String shown = named(line);
      for (String pattern : input) {
        if (pattern.startsWith("~ ")) {
          shown = shown.replaceAll(pattern.substring(2), "~");
        }
      }
      written.append((sign + shown).stripTrailing()).append('\n');
    }
  }

  private String named(String line) {
    String text = line;
    for (Map.Entry<String, String> each : values.entrySet()) {
      // Not the beginning of a longer number.
      text = text.replaceAll(Pattern.quote(each.getValue()) + "(?!\\d)", each.getKey());
    }
    text = HASH.matcher(text).replaceAll(hash -> hashed(hash.group()));
    for (Map.Entry<Pattern, String> each : CHANGING.entrySet()) {
      text = each.getKey().matcher(text).replaceAll(each.getValue());
    }
    return text;
  }

  private String hashed(String hash) {
    for (Map.Entry<String, String> each : values.entrySet()) {
      if (each.getValue().equals(hash)) {
        return each.getKey();
      }
    }
    hashes++;
    values.put("HASH" + hashes, hash);
    return "HASH" + hashes;
  }
}
