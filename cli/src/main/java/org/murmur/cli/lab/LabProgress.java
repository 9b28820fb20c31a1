package org.murmur.cli.lab;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.GlobalOptions;
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

  /** A bar on a terminal, lines otherwise, nothing with -q. */
  static LabProgress on(Surroundings surroundings, GlobalOptions options) {
    if (options.quiet()) {
      return SILENT;
    }
    return surroundings.terminal()
        ? new Bar(surroundings.stderr())
        : new Lines(surroundings.stderr());
  }

  /** A bar with the time left. */
  final class Bar implements LabProgress {

    private static final int WIDTH = 100;
    private static final int UPDATE_MILLIS = 200;

    private final PrintStream stderr;
    private @Nullable ProgressBar bar;
    private String shown = "";

    Bar(PrintStream stderr) {
      this.stderr = stderr;
    }

    @Override
    public void update(String experiment, int done, int all) {
      ProgressBar now = bar;
      if (now == null || !shown.equals(experiment)) {
        close();
        now =
            new ProgressBarBuilder()
                .setTaskName(experiment)
                .setInitialMax(all)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(stderr, WIDTH))
                .clearDisplayOnFinish()
                .build();
        bar = now;
        shown = experiment;
      }
      now.stepTo(done);
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
        bar = null;
      }
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
