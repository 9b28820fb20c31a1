package androidx.test.platform.app;

import android.app.Instrumentation;
import android.os.Bundle;

/** Takes what Robolectric registers. */
public final class InstrumentationRegistry {

  private InstrumentationRegistry() {}

  public static void registerInstance(Instrumentation instrumentation, Bundle arguments) {
    // Nobody asks.
  }
}
