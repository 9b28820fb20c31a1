package org.murmur.p2p.internal.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.LocalFailure;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Runs a machine with real sockets, the clock and the commit thread.
 *
 * <p>It makes no decisions: occurrences become inputs, and outputs are executed in order. It keeps
 * the time of the next {@link Output.WakeAt}, and reports when the clock jumped or this computer
 * slept. The first input is a tick. It reads at most {@link Machine#mostToRead} bytes.
 *
 * <p>With a proxy, every connection goes through it and it resolves every name. There is no DNS
 * query and no direct connection.
 *
 * <p>{@link #run} does everything on the calling thread, including the event consumer, which must
 * not block. Only {@link #post}, {@link #betweenCommits} and the counters are for other threads.
 * See CONCURRENCY.md at the root of the repository.
 */
public final class PeerLoop {

  private static final Logger LOG = Logger.getLogger(PeerLoop.class.getName());

  private final Machine machine;
  private final Consumer<SyncEvent> events;
  private final Timepiece time;
  private final Committer committer;
  private final Sockets sockets;
  private final AtomicBoolean started = new AtomicBoolean();

  /** Tasks posted by other threads. */
  private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();

  private volatile boolean over;

  // The rest belongs to the loop's thread.
  private final ArrayDeque<Input> inbox = new ArrayDeque<>();
  // Measured by the counter, so that setting the clock does not delay it.
  private @Nullable Long wakeAt;

  /** The part of the loop that the sockets see. */
  private final class Door implements Sockets.Loop {

    @Override
    public void queue(Input input) {
      inbox.add(input);
    }

    @Override
    public void drain() {
      PeerLoop.this.drain();
    }

    @Override
    public boolean isStopped() {
      return machine.isStopped();
    }

    @Override
    public void failed(Link link, Throwable failure) {
      PeerLoop.this.failed(link, failure);
    }

    @Override
    public void later(Runnable errand) {
      PeerLoop.this.later(errand);
    }
  }

  /**
   * Makes an idle loop.
   *
   * @param machine the machine; the caller must not step it while the loop runs
   * @param sink receives commit batches on its own thread
   * @param events receives events on the loop's thread
   * @param clock the time given to the machine
   * @param magic the network's four bytes, read as a little-endian integer
   */
  public PeerLoop(
      Machine machine, CommitSink sink, Consumer<SyncEvent> events, Clock clock, int magic) {
    this(machine, sink, events, clock, magic, Route.DIRECT, new Random(0));
  }

  /**
   * Makes an idle loop with its own route. If that has a proxy, the machine's settings have to be
   * {@code proxied}.
   *
   * @param route how connections are made; names are resolved on threads of the loop
   * @param dice source of keys, and of the user names that separate a proxy's connections, so it
   *     must be unpredictable; used on the loop's thread
   */
  public PeerLoop(
      Machine machine,
      CommitSink sink,
      Consumer<SyncEvent> events,
      Clock clock,
      int magic,
      Route route,
      Random dice) {
    this.machine = machine;
    this.events = events;
    this.time = new Timepiece(clock, System::nanoTime);
    this.committer = new Committer(sink, answer -> later(() -> inbox.addAll(answer)));
    this.sockets = new Sockets(new Door(), magic, machine.mostToRead(), route, dice);
  }

  /**
   * Runs until the machine is stopped, then closes every connection. When it returns or throws, no
   * commit is running. Can be called once.
   *
   * @throws IOException if a batch could not be committed, or there is no way to wait for sockets
   * @throws InterruptedIOException if the thread was interrupted; uncommitted data is lost, as if
   *     the process had been killed
   */
  public void run() throws IOException {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("a loop runs once");
    }
    try {
      sockets.open();
      inbox.add(new Input.Tick());
      settle();
      while (!machine.isStopped()) {
        await();
        runErrands();
        sockets.serve();
        tickIfDue();
        settle();
      }
    } finally {
      close();
    }
    committer.rethrowFailure();
  }

  /**
   * Queues an input for the machine. Safe from any thread; does nothing after the loop has ended.
   */
  public void post(Input input) {
    later(() -> inbox.add(input));
  }

  /**
   * Runs a task on the commit thread, between two batches, and gives its inputs to the machine in
   * the order of those of batches. Safe from any thread.
   *
   * @param task writes something that no peer sent; must not throw
   * @return whether it runs; false after the loop has ended. {@link #run} waits for those that it
   *     took
   */
  public boolean betweenCommits(Supplier<List<Input>> task) {
    return committer.enqueue(task);
  }

  /** {@return how much was read from all sockets so far, bytes} Safe from any thread. */
  public long bytesReceived() {
    return sockets.bytesReceived();
  }

  /** {@return how much was written to all sockets so far, bytes} Safe from any thread. */
  public long bytesSent() {
    return sockets.bytesSent();
  }

  /**
   * {@return the bytes of all messages so far by cause, without a proxy's bytes and incomplete
   * messages} Sent ones count when they are queued. Safe from any thread.
   */
  public BytesByCause traffic() {
    return sockets.traffic();
  }

  private void later(Runnable errand) {
    if (over) {
      return;
    }
    errands.add(errand);
    sockets.wakeUp();
  }

  private void runErrands() throws IOException {
    for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
      errand.run();
    }
    committer.rethrowFailure();
  }

  /** Waits for a socket, another thread, or the deadline. */
  private void await() throws IOException {
    Long due = wakeAt;
    if (!errands.isEmpty()) {
      sockets.look();
    } else if (due == null) {
      sockets.await(0);
    } else {
      long millis = Duration.ofNanos(due - time.nanos()).toMillis();
      if (millis < 0) {
        sockets.look();
      } else {
        // toMillis rounds down: add one, or the loop would spin for the last millisecond.
        sockets.await(millis + 1);
        time.waited(due);
      }
    }
    if (Thread.interrupted()) {
      throw new InterruptedIOException("interrupted while waiting for peers");
    }
  }

  private void tickIfDue() {
    Long due = wakeAt;
    if (due != null && time.nanos() - due >= 0) {
      wakeAt = null;
      inbox.add(new Input.Tick());
    }
  }

  /** Steps until the input queue is empty, then sends. */
  private void settle() {
    do {
      drain();
      sockets.flush();
    } while (!inbox.isEmpty() && !machine.isStopped());
  }

  private void drain() {
    while (!machine.isStopped()) {
      Input input = inbox.poll();
      if (input == null) {
        return;
      }
      Duration jump = time.jump();
      if (!jump.isZero()) {
        step(new Input.TimeJumped(jump));
      }
      if (!machine.isStopped()) {
        step(input);
      }
    }
  }

  private void step(Input input) {
    List<Output> outputs;
    try {
      outputs = machine.step(input, time.now());
    } catch (LocalFailure e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      Link speaker = speaker(input);
      if (speaker == null) {
        throw e;
      }
      failed(speaker, e);
      return;
    }
    for (Output output : outputs) {
      execute(output);
    }
  }

  /** The sender of the message, or null if the input is none. */
  private static @Nullable Link speaker(Input input) {
    if (input instanceof Input.Received received) {
      return received.link();
    }
    return input instanceof Input.HeadersComing coming ? coming.link() : null;
  }

  /** A peer's message caused an exception: disconnect the peer and continue the sync. */
  private void failed(Link link, Throwable failure) {
    LOG.log(Level.SEVERE, "internal error in handling what " + link.address() + " sent", failure);
    step(new Input.Failed(link, failure.toString()));
    // The machine removed the peer, but failed before it could output Disconnect.
    sockets.drop(link);
  }

  private void execute(Output output) {
    if (output instanceof Output.Send send) {
      sockets.send(send);
    } else if (output instanceof Output.Connect connect) {
      sockets.connect(connect);
    } else if (output instanceof Output.LookUp lookUp) {
      sockets.lookUp(lookUp);
    } else if (output instanceof Output.Disconnect disconnect) {
      disconnect(disconnect.link());
    } else if (output instanceof Output.WakeAt wake) {
      wakeAt = time.nanosAt(wake.at());
    } else if (output instanceof Output.Commit commit) {
      committer.commit(commit.batch());
    } else if (output instanceof Output.Emit emit) {
      events.accept(emit.event());
    } else {
      throw new AssertionError("unknown output " + output);
    }
  }

  private void disconnect(Link link) {
    inbox.removeIf(input -> input instanceof Input.OfLink of && of.link().id() == link.id());
    sockets.disconnect(link);
  }

  private void close() {
    over = true;
    sockets.close();
    committer.close();
  }
}
