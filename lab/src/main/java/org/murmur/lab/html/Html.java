package org.murmur.lab.html;

/** The parts of HTML that every page of this project has: its frame, and escaped text. */
public final class Html {

  /** Shown instead of characters that could hide or reorder text. */
  private static final char REPLACEMENT = '\ufffd';

  private Html() {}

  /**
   * Begins a page up to its body, without script, and without external picture, font or style. The
   * metas are further elements of the head, as HTML.
   */
  public static String begin(String title, String style, String metas) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + metas
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        // Without this, browsers request an icon from the server, and log an error if there is
        // none.
        + "<link rel=\"icon\" href=\"data:,\">\n<title>"
        + escaped(title)
        + "</title>\n<style>\n"
        + style
        + "</style>\n</head>\n<body>\n";
  }

  public static String end() {
    return "</body>\n</html>\n";
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
