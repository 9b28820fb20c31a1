package androidx.test.runner.lifecycle;

/** Takes what Robolectric registers. */
public final class ActivityLifecycleMonitorRegistry {

  private ActivityLifecycleMonitorRegistry() {}

  public static void registerInstance(ActivityLifecycleMonitor monitor) {
    // Nobody asks.
  }
}
