package androidx.test.runner.intent;

/** What Robolectric registers. */
public interface IntentMonitor {}
