package org.murmur.cli.sync;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Timer;
import java.util.function.LongSupplier;
import org.murmur.cli.terminal.StatusLine;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Text;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Progress in the terminal's status line: a bar, the rate of the last seconds, and the time left.
 * It appears only if the sync takes time, and says when nothing comes any more.
 */
final class ProgressOnTerminal implements Progress {

  private static final int BAR = 20;
  private static final int DRAW_MILLIS = 250;

  /** The rate is that of this time. */
  private static final Duration WINDOW = Duration.ofSeconds(5);

  /** Without news for so long, the line says so. */
  private static final Duration STALLED = Duration.ofMillis(1_500);

  private final StatusLine line;
  private final LongSupplier nanos;
  private final Timer clock;
  private final Deque<SyncEvent.Progress> recent = new ArrayDeque<>();
  private long newsAt;

  ProgressOnTerminal(StatusLine line, LongSupplier nanos) {
    this.line = line;
    this.nanos = nanos;
    clock = Pulse.every("murmur-progress", DRAW_MILLIS, DRAW_MILLIS, this::draw);
  }

  @Override
  public synchronized void update(SyncEvent.Progress now) {
    SyncEvent.Progress before = recent.peekLast();
    if (before == null || now.bytesReceived() > before.bytesReceived()) {
      newsAt = nanos.getAsLong();
    }
    if (before != null && now.elapsed().compareTo(before.elapsed()) < 0) {
      // A second session.
      recent.clear();
    }
    recent.addLast(now);
    while (recent.size() > 2
        && now.elapsed().minus(recent.getFirst().elapsed()).compareTo(WINDOW) > 0) {
      recent.removeFirst();
    }
  }

  private synchronized void draw() {
    SyncEvent.Progress now = recent.peekLast();
    boolean idle = now == null || Progress.isIdle(now);
    line.show(idle ? "" : text(recent.getFirst(), now, stalledFor()));
  }

  private Duration stalledFor() {
    return Duration.ofNanos(nanos.getAsLong() - newsAt);
  }

  /** The line, from the numbers some seconds ago and the time in which nothing came. */
  static String text(SyncEvent.Progress past, SyncEvent.Progress now, Duration silence) {
    if (now.search().isPresent()) {
      return Progress.text(now.search().get(), now.elapsed());
    }
    boolean headers = now.headers() < now.target();
    String what = headers ? "headers" : "blocks";
    long done = headers ? now.headers() : now.scanned();
    long all = headers ? now.target() : (long) now.scanned() + now.toScan();
    long before = headers ? past.headers() : past.scanned();
    StringBuilder text = new StringBuilder();
    text.append(Text.of("%s %s %,d/%,d", what, bar(done, all), done, all));
    text.append(", ").append(Amounts.bytes(now.bytesReceived()));
    if (silence.compareTo(STALLED) > 0) {
      return text.append(", nothing for ").append(silence.toSeconds()).append(" s").toString();
    }
    double rate = rate(before, done, now.elapsed().minus(past.elapsed()));
    if (rate > 0) {
      text.append(Text.of(", %,.0f/s, %.0f s left", rate, (all - done) / rate));
    }
    return text.toString();
  }

  private static double rate(long before, long done, Duration time) {
    return time.isZero() ? 0 : (done - before) * 1e3 / Math.max(1, time.toMillis());
  }

  private static String bar(long done, long all) {
    int filled = all == 0 ? 0 : (int) (BAR * done / all);
    return "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "]";
  }

  @Override
  public void close() {
    clock.cancel();
    synchronized (this) {
      recent.clear();
    }
    line.show("");
  }
}
