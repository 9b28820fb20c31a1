package org.murmur.cli.terminal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A log with bounded growth: it writes a limited number of lines per kind and hour, and counts the
 * rest in one summary line. Not thread safe.
 */
public final class FoldedLog implements AutoCloseable {

  /** Maximum lines of one kind per hour: enough to see what happens, too few to fill a disk. */
  static final int LINES = 20;

  /** Length of a counting period. */
  static final Duration SPAN = Duration.ofHours(1);

  private final Consumer<String> lines;
  private final LongSupplier nanos;
  private final Map<String, Span> spans = new LinkedHashMap<>();

  private static final class Span {
    final long began;
    int written;
    int folded;
    String last = "";

    Span(long began) {
      this.began = began;
    }
  }

  /** Makes an empty log with a counter of nanoseconds, such as {@link System#nanoTime}. */
  public FoldedLog(Consumer<String> lines, LongSupplier nanos) {
    this.lines = lines;
    this.nanos = nanos;
  }

  /** Writes a line, or counts it by its kind, of which there are only a few. */
  public void write(String kind, String line) {
    long now = nanos.getAsLong();
    Span span = spans.get(kind);
    if (span == null || now - span.began >= SPAN.toNanos()) {
      if (span != null) {
        sumUp(kind, span);
      }
      span = new Span(now);
      spans.put(kind, span);
    }
    if (span.written < LINES) {
      span.written++;
      lines.accept(line);
      return;
    }
    if (span.folded == 0) {
      lines.accept("[" + kind + ": from here on only counted, with a summary every hour]");
    }
    span.folded++;
    span.last = line;
  }

  private void sumUp(String kind, Span span) {
    if (span.folded > 0) {
      lines.accept("[" + kind + ": " + span.folded + " more, the last: " + span.last + "]");
    }
  }

  @Override
  public void close() {
    spans.forEach(this::sumUp);
    spans.clear();
  }
}
