package org.murmur.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that does something: what all of them share. */
abstract class Action implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  /** Does it. Failures leave as {@link Failure}, or as exceptions that {@link Failures} knows. */
  abstract ExitCode run() throws Exception;

  @Override
  public final Integer call() throws Exception {
    return run().number();
  }

  private Root root() {
    if (spec == null) {
      throw new AssertionError("picocli sets the spec before it calls");
    }
    return (Root) spec.root().userObject();
  }

  Surroundings surroundings() {
    return root().surroundings();
  }

  GlobalOptions options() {
    return root().options();
  }

  Output output() {
    return new Output(surroundings(), options());
  }

  /** The network's name, checked. */
  String networkName() {
    return options().network(surroundings().environment());
  }
}
