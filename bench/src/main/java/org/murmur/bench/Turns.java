package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs contenders in turn and keeps their results. */
final class Turns {

  /** One contender's run. */
  interface Run {
    ObjectNode run() throws IOException;
  }

  private record Contestant(String name, Run run, List<ObjectNode> results) {}

  private final Bench bench;
  private final List<Contestant> contestants = new ArrayList<>();

  Turns(Bench bench) {
    this.bench = bench;
  }

  Turns with(String name, Run run) {
    contestants.add(new Contestant(name, run, new ArrayList<>()));
    return this;
  }

  /** Runs each once without counting, to fill caches, then runs the rounds. */
  Turns run(int rounds) throws IOException {
    for (Contestant contestant : contestants) {
      contestant.run().run();
    }
    for (int round = 1; round <= rounds; round++) {
      List<Contestant> order = new ArrayList<>(contestants);
      if (round % 2 == 0) {
        // Alternates the order from round to round.
        Collections.reverse(order);
      }
      for (Contestant contestant : order) {
        ObjectNode result = contestant.run().run();
        result.put("load", MachineFacts.load());
        contestant.results().add(result);
        bench.say(
            "  %d/%d %-22s elapsed %6d ms, process %6d ms, %4d MiB",
            round,
            rounds,
            contestant.name(),
            result.path("elapsed_ms").asLong(),
            result.path("wall_ms").asLong(),
            result.path("peak_kib").asLong() >> 10);
      }
    }
    return this;
  }

  /** The results of a contender, in the order of the rounds. */
  List<ObjectNode> of(String name) {
    for (Contestant contestant : contestants) {
      if (contestant.name().equals(name)) {
        return contestant.results();
      }
    }
    throw new IllegalArgumentException("no contender '" + name + "'");
  }

  /** All results, for the JSON. */
  ObjectNode raw() {
    ObjectNode raw = Bench.JSON.createObjectNode();
    for (Contestant contestant : contestants) {
      raw.putArray(contestant.name()).addAll(contestant.results());
    }
    return raw;
  }
}
