package org.murmur.cli.lab;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.StatusLine;
import org.murmur.cli.terminal.Surroundings;

/** Shows the progress of an experiment and the time left. */
interface LabProgress extends AutoCloseable {

  /** Shows nothing. */
  LabProgress SILENT =
      new LabProgress() {
        @Override
        public void update(String experiment, int done, int all) {}

        @Override
        public void close() {}
      };

  void update(String experiment, int done, int all);

  @Override
  void close();

  /** A status line on a terminal, lines otherwise, nothing with -q. */
  static LabProgress on(Surroundings surroundings, GlobalOptions options) {
    if (options.quiet()) {
      return SILENT;
    }
    return surroundings.terminal()
        ? new OnTerminal(surroundings.stderr())
        : new Lines(surroundings.stderr());
  }

  /** The terminal's status line. */
  final class OnTerminal implements LabProgress {

    private final StatusLine line;
    private String shown = "";
    private long began;

    OnTerminal(PrintStream stderr) {
      this.line = new StatusLine(stderr, true);
    }

    @Override
    public void update(String experiment, int done, int all) {
      long now = System.nanoTime();
      if (!shown.equals(experiment)) {
        shown = experiment;
        began = now;
      }
      line.show(Lines.line(experiment, done, all, (now - began) / 1e9));
    }

    @Override
    public void close() {
      line.show("");
    }
  }

  /** A line every few seconds, for logs and pipes. */
  final class Lines implements LabProgress {

    private static final Duration APART = Duration.ofSeconds(3);

    private final PrintStream stderr;
    private String shown = "";
    private long began;
    private long last;

    Lines(PrintStream stderr) {
      this.stderr = stderr;
    }

    @Override
    public void update(String experiment, int done, int all) {
      long now = System.nanoTime();
      if (!shown.equals(experiment)) {
        shown = experiment;
        began = now;
        last = now;
      }
      if (now - last >= APART.toNanos()) {
        last = now;
        stderr.println(line(experiment, done, all, (now - began) / 1e9));
      }
    }

    static String line(String experiment, int done, int all, double seconds) {
      String left =
          done > 0 && done < all
              ? String.format(Locale.ROOT, ", %.0f s left", seconds * (all - done) / done)
              : "";
      return experiment + ": " + done + "/" + all + " trials" + left;
    }

    @Override
    public void close() {}
  }
}
