package androidx.test.runner.intent;

/** No test answers intents. */
public final class IntentStubberRegistry {

  private IntentStubberRegistry() {}

  public static boolean isLoaded() {
    return false;
  }
}
