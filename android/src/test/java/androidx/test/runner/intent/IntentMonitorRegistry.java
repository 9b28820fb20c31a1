package androidx.test.runner.intent;

/** Takes what Robolectric registers. */
public final class IntentMonitorRegistry {

  private IntentMonitorRegistry() {}

  public static void registerInstance(IntentMonitor monitor) {
    // Nobody asks.
  }
}
