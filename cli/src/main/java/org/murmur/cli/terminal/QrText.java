package org.murmur.cli.terminal;

import io.nayuki.qrcodegen.QrCode;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** QR codes of half blocks: one character shows two modules, one above the other. */
public final class QrText {

  /** The border that the standard asks for, in modules. */
  static final int QUIET_ZONE = 4;

  // Black on white of the fixed part of the palette, which themes do not change.
  private static final String BLACK_ON_WHITE = "\u001b[38;5;16;48;5;231m";
  private static final String RESET = "\u001b[0m";

  private QrText() {}

  /**
   * Prints a text as QR code, in UTF-8 whatever the locale says. {@code colours} says that {@code
   * out} is a terminal, which has a background of its own. A text may be too long.
   */
  public static void print(PrintStream out, String text, boolean colours) {
    QrCode code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
    StringBuilder lines = new StringBuilder();
    for (int y = -QUIET_ZONE; y < code.size + QUIET_ZONE; y += 2) {
      lines.append(colours ? BLACK_ON_WHITE : "");
      for (int x = -QUIET_ZONE; x < code.size + QUIET_ZONE; x++) {
        lines.append(character(code.getModule(x, y), code.getModule(x, y + 1)));
      }
      lines.append(colours ? RESET : "").append('\n');
    }
    byte[] raw = lines.toString().getBytes(StandardCharsets.UTF_8);
    out.write(raw, 0, raw.length);
  }

  /** Modules outside of the code are light. */
  private static char character(boolean upper, boolean lower) {
    if (upper) {
      return lower ? '█' : '▀';
    }
    return lower ? '▄' : ' ';
  }
}
