package org.murmur.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sentences for readers, from the file {@code texts.txt} of a package: a paragraph on each line,
 * behind its name, as formats of {@link String#format}. Several may have one name.
 */
public final class Texts {

  private static final Pattern OPTION = Pattern.compile("option ([a-z-]+)=(\\S+): (.*)");

  private final List<String> lines;

  public Texts(Class<?> place) {
    lines = file(place, "texts.txt").lines().toList();
  }

  /** Reads one of the program's own files, which stands beside a class. */
  public static String file(Class<?> place, String name) {
    try (InputStream in = Objects.requireNonNull(place.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the program's own files cannot be read", e);
    }
  }

  /**
   * Returns the paragraphs of a name. Throws {@link IllegalArgumentException} if there are none.
   */
  public List<String> of(String name, @Nullable Object... values) {
    String begin = name + ": ";
    List<String> found =
        lines.stream()
            .filter(line -> line.startsWith(begin))
            .map(line -> String.format(Locale.ROOT, line.substring(begin.length()), values))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException("no text '" + name + "'");
    }
    return found;
  }

  /** Returns the first paragraph of a name, likewise. */
  public String line(String name, @Nullable Object... values) {
    return of(name, values).get(0);
  }

  /** Returns the options that are described here: {@code option NAME=LABEL: DESCRIPTION}. */
  public List<StudyKind.Option> options() {
    return lines.stream()
        .map(OPTION::matcher)
        .filter(Matcher::matches)
        .map(found -> new StudyKind.Option(found.group(1), found.group(2), found.group(3)))
        .toList();
  }
}
