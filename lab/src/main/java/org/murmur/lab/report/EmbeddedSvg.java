package org.murmur.lab.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.murmur.lab.html.Html;

/** Adapts SVG for embedding in an HTML page. */
final class EmbeddedSvg {

  private static final Pattern FIXED_SIZE = Pattern.compile("\\s(?:width|height|x|y)=\"[^\"]*\"");
  private static final Pattern ID = Pattern.compile("\\bid=\"([^\"]+)\"");
  private static final Pattern LONG_FRACTION = Pattern.compile("(\\d\\.\\d\\d)\\d+");

  private EmbeddedSvg() {}

  /**
   * Removes the parts for a separate document, makes the width flexible, and adds a label for
   * screen readers. The id is unique on the page: letters, digits and dashes. Equal plots give
   * equal text: the ids inside, which differ in every run, are replaced.
   */
  static String of(String svg, String id, String title) {
    String document = svg.substring(svg.indexOf("<svg"));
    int tagEnd = document.indexOf('>');
    String tag = FIXED_SIZE.matcher(document.substring("<svg".length(), tagEnd)).replaceAll("");
    String inside = LONG_FRACTION.matcher(document.substring(tagEnd)).replaceAll("$1");
    for (Map.Entry<String, String> name : names(inside, id).entrySet()) {
      inside =
          inside
              .replace("id=\"" + name.getKey() + "\"", "id=\"" + name.getValue() + "\"")
              .replace("#" + name.getKey() + ")", "#" + name.getValue() + ")")
              .replace("\"#" + name.getKey() + "\"", "\"#" + name.getValue() + "\"");
    }
    return "<svg id=\"%s\" class=\"plot\" role=\"img\" aria-label=\"%s\"%s%s"
        .formatted(id, Html.escaped(title), tag, inside);
  }

  private static Map<String, String> names(String inside, String id) {
    Map<String, String> names = new LinkedHashMap<>();
    Matcher found = ID.matcher(inside);
    while (found.find()) {
      names.putIfAbsent(found.group(1), id + "-" + (names.size() + 1));
    }
    return names;
  }
}
