package org.murmur.cli.lab;

import java.time.Duration;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.StatusLine;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.Text;

/**
 * Shows the progress of an experiment and the time left: a status line on a terminal, else a line
 * every few seconds, for logs and pipes; nothing with -q.
 */
final class LabProgress implements AutoCloseable {

  private static final Duration APART = Duration.ofSeconds(3);

  private final Surroundings surroundings;
  private final boolean quiet;
  private final StatusLine status;
  private String shown = "";
  private long began;
  private long last;

  LabProgress(Surroundings surroundings, GlobalOptions options) {
    this.surroundings = surroundings;
    this.quiet = options.quiet();
    this.status = new StatusLine(surroundings.stderr(), true);
  }

  void update(String experiment, int done, int all) {
    long now = System.nanoTime();
    if (!shown.equals(experiment)) {
      shown = experiment;
      began = now;
      last = now;
    }
    if (quiet) {
      return;
    }
    String line = line(experiment, done, all, (now - began) / 1e9);
    if (surroundings.terminal()) {
      status.show(line);
    } else if (now - last >= APART.toNanos()) {
      last = now;
      surroundings.stderr().println(line);
    }
  }

  static String line(String experiment, int done, int all, double seconds) {
    String left =
        done > 0 && done < all ? Text.of(", %.0f s left", seconds * (all - done) / done) : "";
    return experiment + ": " + done + "/" + all + " trials" + left;
  }

  @Override
  public void close() {
    if (!quiet && surroundings.terminal()) {
      status.show("");
    }
  }
}
