package org.murmur.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.Network;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.keys.KeyNetwork;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that does something: what all of them share. */
abstract class Action implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;
  private @Nullable Output output;

  /** Does it. Failures leave as {@link Failure}, or as exceptions that {@link Failures} knows. */
  abstract ExitCode run() throws Exception;

  /** Prints what was found on the way, however the command ended. */
  void sayAtTheEnd() {
    // Most commands find nothing.
  }

  @Override
  public final Integer call() throws Exception {
    try {
      return run().number();
    } finally {
      sayAtTheEnd();
    }
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
    Output known = output;
    if (known == null) {
      known = new Output(surroundings(), options());
      output = known;
    }
    return known;
  }

  /** What addresses look like on the network that is meant. */
  KeyNetwork addressNetwork() {
    return WalletRecipe.keyNetwork(
        options()
            .signetChallenge(surroundings().environment())
            .map(Network::signet)
            .orElseGet(() -> Network.ofName(networkName())));
  }

  /** The network's name, checked. */
  String networkName() {
    return options().network(surroundings().environment());
  }
}
