package org.murmur.cli.terminal;

import java.io.PrintStream;

/**
 * The last line of a terminal, which is rewritten in place. Other lines are printed above it. On
 * anything but a terminal there is none, and lines are just printed. Thread-safe.
 */
public final class StatusLine {

  /** Back to the first column, and clear the line (ECMA-48). */
  private static final String CLEAR = "\r\u001b[K";

  /** A line of this length is not wrapped on any usual terminal. */
  private static final int WIDTH = 79;

  private final PrintStream terminal;
  private final boolean enabled;
  private String shown = "";

  /**
   * Makes an empty one. It is enabled where the stream is a terminal, and a person wants to see it.
   */
  public StatusLine(PrintStream terminal, boolean enabled) {
    this.terminal = terminal;
    this.enabled = enabled;
  }

  /** Returns whether there is one; otherwise {@link #show} does nothing. */
  public boolean isEnabled() {
    return enabled;
  }

  /**
   * Shows another text without line breaks, cut if it is too long; an empty one removes the line.
   */
  public synchronized void show(String text) {
    if (enabled) {
      erase();
      shown = text.substring(0, Math.min(text.length(), WIDTH));
      draw();
    }
  }

  /** Prints something above the line, on this stream or another one of the same terminal. */
  public synchronized void above(Runnable printing) {
    erase();
    printing.run();
    draw();
  }

  private void erase() {
    if (!shown.isEmpty()) {
      terminal.print(CLEAR);
      terminal.flush();
    }
  }

  private void draw() {
    if (!shown.isEmpty()) {
      terminal.print(shown);
      terminal.flush();
    }
  }
}
