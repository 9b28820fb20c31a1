package androidx.test.runner.lifecycle;

/** What Robolectric registers. */
public interface ActivityLifecycleMonitor {}
