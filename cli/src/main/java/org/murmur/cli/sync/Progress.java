package org.murmur.cli.sync;

import java.io.PrintStream;
import java.time.Duration;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Text;
import org.murmur.p2p.sync.SyncEvent;

/** Shows the progress of a sync. */
interface Progress extends AutoCloseable {

  Progress SILENT = now -> {};

  void update(SyncEvent.Progress now);

  /** Whether there is nothing to do but wait. */
  static boolean isIdle(SyncEvent.Progress now) {
    return now.toScan() == 0 && now.headers() >= now.target() && !now.search().isPresent();
  }

  /** For whom the sync waits before it scans anything. */
  static String text(SyncEvent.Search search, Duration since) {
    return Text.of(
        "looking for peers with %s: %d of %d found; %s answered, %d with NODE_COMPACT_FILTERS; %d"
            + " s",
        search.service(),
        search.found(),
        search.wanted(),
        Amounts.count(search.reached(), "node"),
        search.compact(),
        since.toSeconds());
  }

  @Override
  default void close() {}

  /** Progress as plain lines every few seconds, for logs and pipes. */
  final class Lines implements Progress {

    private static final Duration APART = Duration.ofSeconds(3);

    private final PrintStream stderr;
    private Duration last = Duration.ZERO;

    Lines(PrintStream stderr) {
      this.stderr = stderr;
    }

    @Override
    public void update(SyncEvent.Progress now) {
      Duration since = now.elapsed().minus(last);
      // A second session begins at zero again.
      if (isIdle(now) || (!since.isNegative() && since.compareTo(APART) < 0)) {
        return;
      }
      last = now.elapsed();
      stderr.println(
          now.search().map(search -> text(search, now.elapsed())).orElseGet(() -> line(now)));
    }

    static String line(SyncEvent.Progress now) {
      int all = now.scanned() + now.toScan();
      double seconds = Math.max(0.001, now.elapsed().toMillis() / 1e3);
      double rate = now.scanned() / seconds;
      String left =
          rate > 0 && now.toScan() > 0 ? Text.of(", %.0f s left", now.toScan() / rate) : "";
      return Text.of(
          "headers %d/%d, blocks %d/%d, %s, %.0f blocks/s%s",
          now.headers(),
          Math.max(now.headers(), now.target()),
          now.scanned(),
          all,
          Amounts.bytes(now.bytesReceived()),
          rate,
          left);
    }
  }
}
