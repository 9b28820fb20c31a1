package org.murmur.testbed.world.network;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.testbed.world.plan.Timeline;

/**
 * The trace of a world: a fingerprint of all events, and a line for each event if there is a
 * listener; without one it costs next to nothing.
 */
public final class Trace {

  private final Timeline time;
  private final @Nullable Consumer<String> listener;
  private long fingerprint = 17;

  public Trace(Timeline time, @Nullable Consumer<String> listener) {
    this.time = time;
    this.listener = listener;
  }

  /** Writes a line. */
  public void line(Supplier<String> text) {
    Consumer<String> hears = listener;
    if (hears != null) {
      hears.accept(String.format(Locale.ROOT, "%10.4f  %s", time.now() / 1e9, text.get()));
    }
  }

  /** Adds an event that happens now to the fingerprint. */
  public void mix(long what) {
    fingerprint = (fingerprint * 31 + what) * 0x9e3779b97f4a7c15L + time.now();
    fingerprint ^= fingerprint >>> 29;
  }

  public long fingerprint() {
    return fingerprint;
  }
}
