/**
 * Stands in for {@code androidx.test:monitor}, which is not on Maven Central: the few classes that
 * Robolectric's own instrumentation names. The packages beside this one are part of it.
 */
package androidx.test.platform.app;
