package org.murmur.wallet.pay;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of an attempt to plan or sign: readers of the books cannot throw what callers of the
 * wallet are to see.
 *
 * @param <T> what it makes
 */
public final class Attempt<T> {

  /**
   * Plans or signs.
   *
   * @param <T> what it makes
   */
  @FunctionalInterface
  public interface Task<T> {
    /**
     * Plans or signs.
     *
     * @return what it made
     * @throws PaymentRefusedException if it made nothing
     */
    T run() throws PaymentRefusedException;
  }

  private final @Nullable T made;
  private final @Nullable PaymentRefusedException refused;

  private Attempt(@Nullable T made, @Nullable PaymentRefusedException refused) {
    this.made = made;
    this.refused = refused;
  }

  /**
   * Runs a task.
   *
   * @param <T> what it makes
   * @param task to be run now
   * @return what it made, or why not
   */
  public static <T> Attempt<T> of(Task<T> task) {
    try {
      return new Attempt<>(task.run(), null);
    } catch (PaymentRefusedException e) {
      return new Attempt<>(null, e);
    }
  }

  /** {@return why it made nothing; empty if it made something} */
  public Optional<Refusal> refusal() {
    return Optional.ofNullable(refused).map(PaymentRefusedException::reason);
  }

  /** {@return what it made; empty if it made nothing} */
  public Optional<T> made() {
    return Optional.ofNullable(made);
  }

  /**
   * Returns what it made.
   *
   * @return the result
   * @throws PaymentRefusedException if it made nothing
   */
  public T get() throws PaymentRefusedException {
    if (refused != null) {
      throw refused;
    }
    if (made == null) {
      throw new IllegalStateException("an attempt without result");
    }
    return made;
  }
}
