package org.murmur.regtest.world;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells what happens, to those who want to know; costs next to nothing where nobody does. */
final class Trace {

  private final @Nullable Consumer<String> listener;
  private long now;

  Trace(@Nullable Consumer<String> listener) {
    this.listener = listener;
  }

  void at(long nanos) {
    now = nanos;
  }

  void line(Supplier<String> text) {
    Consumer<String> hears = listener;
    if (hears != null) {
      hears.accept(String.format(java.util.Locale.ROOT, "%10.4f  %s", now / 1e9, text.get()));
    }
  }
}
