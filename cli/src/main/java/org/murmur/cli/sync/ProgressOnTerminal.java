package org.murmur.cli.sync;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Amounts;
import org.murmur.wallet.sync.WalletEvent;

/** Progress as a bar with rate and time left. It appears only if the sync takes time. */
final class ProgressOnTerminal implements Progress {

  private static final int WIDTH = 100;
  private static final int UPDATE_MILLIS = 200;

  private final PrintStream stderr;
  private @Nullable ProgressBar bar;

  ProgressOnTerminal(PrintStream stderr) {
    this.stderr = stderr;
  }

  @Override
  public void update(WalletEvent.Progress now) {
    if (now.toScan() == 0 && bar == null) {
      return;
    }
    ProgressBar shown = bar;
    if (shown == null) {
      shown =
          new ProgressBarBuilder()
              .setTaskName("blocks")
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(UPDATE_MILLIS)
              .setConsumer(new ConsoleProgressBarConsumer(stderr, WIDTH))
              .clearDisplayOnFinish()
              .showSpeed()
              .build();
      bar = shown;
    }
    shown.maxHint((long) now.scanned() + now.toScan());
    shown.stepTo(now.scanned());
    shown.setExtraMessage(" " + Amounts.bytes(now.bytesReceived()));
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
