package org.murmur.p2p.internal.net;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;

/** Answers as a test says, stops at {@link Input.Stop}, and keeps its inputs. */
final class ScriptedMachine implements Machine {

  interface Script {
    List<Output> answer(Input input, Instant now);
  }

  private final LinkedBlockingQueue<Input> told = new LinkedBlockingQueue<>();
  private final Script script;
  private volatile boolean stopped;
  // How much its loop is to read; to be set before the loop is made.
  long mostToRead = Long.MAX_VALUE;

  ScriptedMachine(Script script) {
    this.script = script;
  }

  @Override
  public List<Output> step(Input input, Instant now) {
    if (stopped) {
      throw new IllegalStateException("stepped after the end: " + input);
    }
    told.add(input);
    stopped = input instanceof Input.Stop;
    return script.answer(input, now);
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  @Override
  public long mostToRead() {
    return mostToRead;
  }

  /** The next input, whenever it comes. */
  Input told() throws InterruptedException {
    Input input = told.poll(ScriptedPeer.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    if (input == null) {
      throw new AssertionError("no input came");
    }
    return input;
  }

  /** The inputs that no test has taken yet. */
  List<Input> rest() {
    return List.copyOf(told);
  }
}
