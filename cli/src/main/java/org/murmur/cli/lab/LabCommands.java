package org.murmur.cli.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.CommandGroup;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.lab.Shard;
import org.murmur.lab.bandwidth.Bandwidth;
import org.murmur.lab.families.FamiliesStudy;
import org.murmur.lab.simulate.Simulation;
import org.murmur.p2p.sync.Preset;
import org.murmur.testbed.world.WorldFailure;
import org.murmur.testbed.world.WorldReport;
import org.murmur.testbed.world.plan.WorldOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur lab}: experiments. Needs no wallet, and a network for {@code probe} only. */
@Command(
    name = "lab",
    description = "Experiments: measure filters and peers, and merge results.",
    subcommands = {
      LabFp.class,
      LabPrivacy.class,
      LabCommands.LabBandwidth.class,
      LabCommands.LabFamilies.class,
      LabReport.class,
      LabMerge.class,
      LabCommands.Simulate.class,
      LabProbe.class
    },
    footer = {
      "Examples:",
      "  murmur lab report --small",
      "  murmur lab fp --out fp",
      "  murmur lab simulate --worlds 1000 --seed 1"
    })
public final class LabCommands extends CommandGroup {

  @Command(
      name = "bandwidth",
      description = "Measure bytes per rate and rate per budget, compared with BIP158.",
      footer = {
        "An embedded node serves its blocks over TCP to filters that match nothing on the chain.",
        "Each trial uses another tweak.",
        "Examples:",
        "  murmur lab bandwidth --small",
        "  murmur lab bandwidth --budgets 50,100 --out bandwidth"
      })
  static final class LabBandwidth extends LabStudy {

    LabBandwidth() {
      super(new Bandwidth());
    }
  }

  @Command(
      name = "families",
      description = "Compare other filters with BIP37's: size, rate, time, features.",
      footer = {
        "Eighteen filters of twelve kinds hold the same wallet elements: Bloom (BIP37, Guava),",
        "blocked, scalable, counting, spectral, accurate counting, d-left, cuckoo, quotient, xor,",
        "binary fuse and Golomb-coded. None but the first can be sent to a BIP37 server. Exit code"
            + " 1",
        "if one forgets an element, or its rate is not what its theory says.",
        "Examples:",
        "  murmur lab families",
        "  murmur lab families --family bloom,cuckoo --fp 0.01,0.0001 --elements 500",
        "  murmur lab families --trials 100 --out families --png"
      })
  static final class LabFamilies extends LabStudy {

    LabFamilies() {
      super(new FamiliesStudy());
    }
  }

  @Command(
      name = "simulate",
      description = "Simulate the real wallet in seeded worlds, in virtual time.",
      footer = {
        "Each world has 1 to 8 peers with delays, lost connections, stalls, lies and floods, a",
        "chain that is reorganised, a slow disk, and a client that crashes between any two steps.",
        "After every step these must hold: no unproven payment is confirmed, no unserved block",
        "counts as scanned, memory is bounded, and no filter is sent before it is on disk. At the",
        "end the wallet must agree with the blocks. Exit code 1 if a world failed; the output",
        "then shows how to repeat it.",
        "Examples:",
        "  murmur lab simulate --worlds 100000 --seed 1 --shard 1/2",
        "  murmur lab simulate --worlds 1 --seed 27 --trace"
      })
  static final class Simulate extends Action {

    private static final Duration APART = Duration.ofSeconds(3);

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Seed of the first world (default: 1).")
    private long seed = 1;

    @Option(
        names = "--worlds",
        paramLabel = "N",
        description = "Number of worlds, with consecutive seeds (default: 100).")
    private int worlds = 100;

    @Option(
        names = "--peers",
        paramLabel = "N",
        description = "Peers per world, 1 to 8 (default: drawn from the seed).")
    private int peers;

    @Option(
        names = "--shard",
        paramLabel = "I/N",
        description = "Run every Nth world, starting with the Ith: one process per core.")
    private @Nullable String shard;

    @Option(
        names = "--files",
        paramLabel = "N",
        description = "Every Nth seed uses a wallet file, the others are in memory (default: 50).")
    private int files = WorldOptions.ALL.files();

    @Option(
        names = "--preset",
        paramLabel = "PRESET",
        completionCandidates = Choices.Presets.class,
        description =
            "fast; or private: two guards, one of which may disappear, or one guard in both"
                + " roles; no peer omits transactions; or compact: filters of blocks, some of them"
                + " false (default: fast).")
    private String preset = "fast";

    @Option(
        names = "--no-liars",
        description = "No peers that omit transactions, or prove them without sending them.")
    private boolean noLiars;

    @Option(
        names = "--small-filters",
        description = "Filters hold fewer elements than the wallet has: several passes.")
    private boolean smallFilters;

    @Option(
        names = "--sending",
        description = "The wallet itself pays and abandons payments while a session runs.")
    private boolean sending;

    @Option(
        names = "--weather",
        description =
            "Bytes from honest peers are damaged on the way, branches of equal work race for"
                + " minutes, and guards push what may be the wallet's; no honest peer may be"
                + " banned.")
    private boolean weather;

    @Option(
        names = "--witnessed",
        description = "Honest peers serve the filters of blocks, which check each scan.")
    private boolean witnessed;

    @Option(names = "--trace", description = "Print every event of the first world.")
    private boolean trace;

    private long lastLine = System.nanoTime();

    @Override
    protected ExitCode run() throws IOException {
      if (peers < 0 || peers > 8) {
        throw Failure.usage("--peers " + peers + ", expected 1 to 8");
      }
      Simulation simulation;
      try {
        Preset.Kind kind =
            Choices.meaning(
                "--preset", preset, new Choices.Presets(), List.of(Preset.Kind.values()));
        boolean guarded = kind == Preset.Kind.PRIVATE;
        WorldOptions options =
            new WorldOptions(
                peers,
                !noLiars && !guarded,
                !noLiars && kind != Preset.Kind.COMPACT,
                files,
                kind,
                guarded,
                smallFilters,
                sending,
                weather,
                witnessed);
        Shard part = shard == null ? Shard.WHOLE : Shard.parse(shard);
        simulation = new Simulation(seed, worlds, part.index(), part.count(), options);
      } catch (IllegalArgumentException e) {
        throw Failure.usage("--" + Failures.message(e));
      }
      return trace ? trace(simulation) : run(simulation);
    }

    private ExitCode trace(Simulation simulation) throws IOException {
      try {
        WorldReport report =
            Simulation.trace(
                seed, simulation.options(), line -> output().text(out -> out.println(line)));
        output().text(out -> out.println(report));
        return ExitCode.DONE;
      } catch (AssertionError e) {
        throw Failure.failed("world", "world " + seed + ": " + e.getMessage(), e);
      }
    }

    private ExitCode run(Simulation simulation) throws IOException {
      AtomicBoolean enough = new AtomicBoolean();
      Surroundings.Registration registration =
          surroundings().interrupts().onInterrupt(() -> enough.set(true));
      long began = System.nanoTime();
      try {
        Simulation.Tally tally = simulation.run(listener(simulation, enough));
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        print(simulation, tally, took);
        if (enough.get()) {
          return ExitCode.INTERRUPTED;
        }
        return tally.failed().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
      } finally {
        registration.end();
      }
    }

    private Simulation.Listener listener(Simulation simulation, AtomicBoolean enough) {
      return new Simulation.Listener() {
        @Override
        public void progress(Simulation.Tally so) {
          long now = System.nanoTime();
          if (now - lastLine >= APART.toNanos()) {
            lastLine = now;
            int all = (simulation.worlds() + simulation.shards() - 1) / simulation.shards();
            note(so.worlds() + "/" + all + " worlds, " + so.failed().size() + " failed");
          }
        }

        @Override
        public void failed(WorldFailure failure) {
          note(String.valueOf(failure.getMessage()));
          output().event("failed", new JsonObject().put("seed", failure.seed()));
        }

        @Override
        public boolean enough() {
          return enough.get();
        }
      };
    }

    /** All that a repetition needs; null peers are drawn from the seed. */
    private JsonObject parameters(Simulation simulation) {
      return new JsonObject()
          .put("worlds", simulation.worlds())
          .put("peers", peers == 0 ? null : peers)
          .put("shard", shard)
          .put("files", files)
          .put("preset", preset)
          .put("liars", !noLiars)
          .put("small_filters", smallFilters)
          .put("sending", sending);
    }

    private void print(Simulation simulation, Simulation.Tally tally, Duration took) {
      double seconds = took.toMillis() / 1e3;
      double rate = seconds > 0 ? tally.worlds() / seconds : 0;
      List<String> failed = tally.failed().stream().map(String::valueOf).toList();
      JsonObject json =
          new JsonObject()
              .put("seed", simulation.seed())
              .put("parameters", parameters(simulation))
              .put("worlds", tally.worlds())
              .put("failed", failed.size())
              .put("failed_seeds", failed)
              .put("processes", tally.processes())
              .put("crashes", tally.crashes())
              .put("commits", tally.commits())
              .put("steps", tally.steps())
              .put("blocks", tally.blocks())
              .put("claims_checked", tally.claims())
              .put("virtual_seconds", tally.time().toSeconds())
              .put("elapsed_ms", took)
              .put("worlds_per_second", Math.round(rate * 100) / 100.0);
      result(
          json,
          out -> {
            out.printf(
                Locale.ROOT,
                "%d worlds from seed %d: %d passed, %d failed (%.1f worlds/s)%n",
                tally.worlds(),
                simulation.seed(),
                tally.worlds() - failed.size(),
                failed.size(),
                rate);
            out.printf(
                Locale.ROOT,
                "%d processes, %d crashes, %d commits, %d steps, %d blocks, %d claims checked,"
                    + " %.1f simulated hours%n",
                tally.processes(),
                tally.crashes(),
                tally.commits(),
                tally.steps(),
                tally.blocks(),
                tally.claims(),
                tally.time().toSeconds() / 3600.0);
            if (!failed.isEmpty()) {
              out.println("failed seeds: " + String.join(" ", failed));
            }
          });
    }
  }
}
