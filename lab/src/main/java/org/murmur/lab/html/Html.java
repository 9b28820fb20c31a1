package org.murmur.lab.html;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** HTML under construction: the frame of a self-contained page, escaped texts, bars and tables. */
public final class Html {

  /** Shown instead of characters that could hide or reorder text. */
  private static final char REPLACEMENT = '\ufffd';

  private final StringBuilder out = new StringBuilder();

  /** A part of a bar: its colour's class, its width in percent of the longest bar, its words. */
  public record Part(String kind, double width, String words) {}

  /** A column of a table: its heading, its class in the style sheet, and what it shows. */
  public record Column<T>(String heading, String kind, Function<? super T, ?> value) {}

  /**
   * Begins a page up to its body, without script, and without external picture, font or style. The
   * metas are further elements of the head, as HTML.
   */
  public static Html page(String title, String style, String metas) {
    Html page = new Html();
    page.out.append(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" + metas);
    page.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // Without this, browsers request an icon from the server, and log an error if there is none.
    page.add("<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>\n", title);
    page.out.append(style).append("</style>\n</head>\n<body>\n");
    return page;
  }

  public String end() {
    return out + "</body>\n</html>\n";
  }

  /** Adds HTML: a format with values. Texts among the values are escaped. */
  public Html add(String format, Object... values) {
    Object[] safe =
        Stream.of(values)
            .map(value -> value instanceof Number ? value : escaped(String.valueOf(value)))
            .toArray();
    out.append(String.format(Locale.ROOT, format, safe));
    return this;
  }

  /** Adds what was made before. */
  public Html add(Html other) {
    out.append(other.out);
    return this;
  }

  public Html addSvg(String svg) {
    out.append(svg);
    return this;
  }

  public boolean isEmpty() {
    return out.isEmpty();
  }

  /** Explains colours: for each its class, and words. */
  public void legend(String... kindsAndWords) {
    add("<ul class=\"legend\">");
    for (int i = 0; i < kindsAndWords.length; i += 2) {
      add("<li><span class=\"key %s\"></span>%s</li>", kindsAndWords[i], kindsAndWords[i + 1]);
    }
    add("</ul>\n");
  }

  /** Adds an item of a list of bars. */
  public void bar(String name, String words, List<Part> parts) {
    add("<li><div class=\"what\"><b><bdi>%s</bdi></b> <span>%s</span></div>", name, words);
    add("<svg class=\"bar\" role=\"img\" aria-label=\"%s\">", name + ": " + words);
    double at = 0;
    for (Part part : parts) {
      if (part.width() > 0) {
        add("<rect class=\"%s\" x=\"%.3f%%\" width=\"%.3f%%\"", part.kind(), at, part.width());
        add(" height=\"100%%\"><title>%s</title></rect>", part.words());
      }
      at += part.width();
    }
    add("</svg></li>\n");
  }

  /** Adds a table. An empty cell shows a dash. */
  public <T> void table(String id, String caption, List<Column<T>> columns, List<T> rows) {
    add("<div class=\"wide\"><table id=\"%s\">\n<caption>%s</caption>\n<thead><tr>", id, caption);
    columns.forEach(column -> add("<th class=\"%s\">%s</th>", column.kind(), column.heading()));
    add("</tr></thead>\n<tbody>\n");
    for (T row : rows) {
      add("<tr>");
      for (Column<T> column : columns) {
        String text = String.valueOf(column.value().apply(row));
        add("<td class=\"%s\"><bdi>%s</bdi></td>", column.kind(), text.isEmpty() ? "-" : text);
      }
      add("</tr>\n");
    }
    add("</tbody></table></div>\n");
  }

  /**
   * Escapes plain text of any origin for use between tags and in quoted attributes. Control
   * characters, and those that change the direction of text, are replaced.
   */
  public static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(isPlain(c) ? c : REPLACEMENT);
      }
    }
    return out.toString();
  }

  private static boolean isPlain(char c) {
    return c == '\n'
        || c == '\t'
        || !(Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
  }
}
