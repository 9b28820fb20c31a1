package androidx.test.internal.runner.lifecycle;

import android.app.Activity;
import androidx.test.runner.lifecycle.ActivityLifecycleMonitor;
import androidx.test.runner.lifecycle.Stage;

/** Hears of activities. */
public final class ActivityLifecycleMonitorImpl implements ActivityLifecycleMonitor {

  public void signalLifecycleChange(Stage stage, Activity activity) {
    // Nobody asks.
  }
}
