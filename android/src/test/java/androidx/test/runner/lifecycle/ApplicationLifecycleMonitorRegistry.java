package androidx.test.runner.lifecycle;

/** Takes what Robolectric registers. */
public final class ApplicationLifecycleMonitorRegistry {

  private ApplicationLifecycleMonitorRegistry() {}

  public static void registerInstance(ApplicationLifecycleMonitor monitor) {
    // Nobody asks.
  }
}
