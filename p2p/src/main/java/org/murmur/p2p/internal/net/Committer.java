package org.murmur.p2p.internal.net;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;

/**
 * The commit thread: writes batches one by one, in order. After the first failure it writes none,
 * and still runs tasks. Methods are safe from any thread.
 */
final class Committer {

  private final CommitSink sink;
  private final Consumer<List<Input>> answers;
  private final ExecutorService thread;
  private volatile @Nullable Throwable failure;

  /**
   * @param answers takes what follows from each batch and each task, on the commit thread; of
   *     batches, nothing after a failure
   */
  Committer(CommitSink sink, Consumer<List<Input>> answers) {
    this.sink = sink;
    this.answers = answers;
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, "murmur-commit");
              made.setDaemon(true);
              return made;
            });
  }

  void commit(CommitBatch batch) {
    thread.execute(() -> write(batch));
  }

  private void write(CommitBatch batch) {
    if (failure != null) {
      // The previous batch was not written, so this one must not be either.
      return;
    }
    List<Input> answer;
    try {
      answer = List.copyOf(sink.commit(batch));
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      // Wakes the loop, which throws it.
      answer = List.of();
    }
    answers.accept(answer);
  }

  /** Runs a task after the batches so far; false if it comes too late. */
  boolean enqueue(Supplier<List<Input>> task) {
    try {
      thread.execute(() -> answers.accept(List.copyOf(task.get())));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  void rethrowFailure() throws IOException {
    Throwable thrown = failure;
    if (thrown instanceof IOException e) {
      throw e;
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
  }

  /**
   * Waits for everything that was handed in, because the caller is about to close the database. An
   * interrupt does not end the wait; it is kept.
   */
  void close() {
    thread.shutdown();
    boolean interrupted = false;
    boolean done = false;
    while (!done) {
      try {
        done = thread.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
