package org.murmur.cli.picture;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.murmur.cli.words.Text;
import org.murmur.lab.html.Html;

/** HTML under construction, with the parts that the drawings of a wallet's page share. */
final class Markup {

  private final StringBuilder out = new StringBuilder();

  /** A part of a bar: its colour's class, its width in percent of the longest bar, its words. */
  record Part(String kind, double width, String words) {}

  /** A column of a table: its heading, its class in the style sheet, and what it shows. */
  record Column<T>(String heading, String kind, Function<? super T, ?> value) {}

  /** Adds HTML: a format, and values, whose texts may be of any origin. */
  Markup add(String format, Object... values) {
    Object[] safe =
        Stream.of(values)
            .map(value -> value instanceof Number ? value : Html.escaped(String.valueOf(value)))
            .toArray();
    out.append(Text.of(format, safe));
    return this;
  }

  /** Adds what was made before. */
  Markup add(Markup other) {
    out.append(other.out);
    return this;
  }

  /** Explains colours: for each its class, and words. */
  void legend(String... kindsAndWords) {
    add("<ul class=\"legend\">");
    for (int i = 0; i < kindsAndWords.length; i += 2) {
      add("<li><span class=\"key %s\"></span>%s</li>", kindsAndWords[i], kindsAndWords[i + 1]);
    }
    add("</ul>\n");
  }

  /** Adds an item of a list of bars. */
  void bar(String name, String words, List<Part> parts) {
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
  <T> void table(String id, String caption, List<Column<T>> columns, List<T> rows) {
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

  @Override
  public String toString() {
    return out.toString();
  }
}
