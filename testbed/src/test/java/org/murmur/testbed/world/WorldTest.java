package org.murmur.testbed.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.Footprint;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.Signer;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.judge.Scenery;
import org.murmur.testbed.world.plan.WorldOptions;

/** A client that breaks a rule does not survive a world. */
class WorldTest {

  private static final Hash256 GENESIS = Chain.ofGenesis().tip().hash();

  /** A machine with given answers to each input, which stops when it is asked to. */
  private static final class Puppet implements Machine {
    private final BiFunction<Input, Instant, List<Output>> answers;
    private boolean stopped;

    Puppet(BiFunction<Input, Instant, List<Output>> answers) {
      this.answers = answers;
    }

    @Override
    public List<Output> step(Input input, Instant now) {
      stopped |= input instanceof Input.Stop;
      return answers.apply(input, now);
    }

    @Override
    public boolean isStopped() {
      return stopped;
    }
  }

  /** A wallet that never learns anything, with a footprint of this many pings. */
  private record Empty(Machine machine, int pings) implements TestedClient {
    @Override
    public Machine start(SyncSettings settings) {
      return machine instanceof Puppet puppet ? new Puppet(puppet.answers) : machine;
    }

    @Override
    public List<Input> commit(CommitBatch batch, Instant now) {
      return List.of();
    }

    @Override
    public Footprint footprint() {
      return new Footprint(0, 0, 0, 0, 0, pings, 0, 0, 0, 0, 0);
    }

    @Override
    public Holdings holdings() {
      return new Holdings(0, GENESIS, 0, 0, 0, List.of(), Set.of());
    }

    @Override
    public Claims claims() {
      return new Claims(-1, -1, 0);
    }

    @Override
    public void close() {}
  }

  private static TestedClient.Maker maker(Machine machine, int pings) {
    return new TestedClient.Maker() {
      @Override
      public List<Bytes> scripts(int chain, int count) {
        return IntStream.range(0, count)
            .mapToObj(
                i ->
                    OutputScripts.sha256(OutputScripts.anyoneCanSpend(1_000_000 * (chain + 1) + i)))
            .map(hash -> OutputScripts.payToWitnessPubKeyHash(hash.slice(0, 20)))
            .toList();
      }

      @Override
      public Signer signer() {
        return (unsigned, spent) -> unsigned;
      }

      @Override
      public TestedClient make(TestedClient.Wallet wallet) {
        return new Empty(machine, pings);
      }
    };
  }

  private static void assertFails(String words, TestedClient.Maker maker) {
    assertFails(words, maker, WorldOptions.ALL);
    assertFails(words, maker, WorldOptions.GUARDED);
  }

  private static void assertFails(String words, TestedClient.Maker maker, WorldOptions options) {
    assertThatThrownBy(() -> World.run(1, options, maker))
        .isInstanceOf(WorldFailure.class)
        .hasMessageContaining(words)
        .hasMessageContaining("to see it again: murmur lab simulate --worlds 1 --seed 1");
  }

  private static void assertFails(String words, BiFunction<Input, Instant, List<Output>> answers) {
    assertFails(words, maker(new Puppet(answers), 0));
  }

  /** A machine that wants to be woken again and again, and ends never or at once. */
  private static Machine waking(Duration pause, boolean ends) {
    return new Machine() {
      @Override
      public List<Output> step(Input input, Instant now) {
        return List.of(new Output.WakeAt(now.plus(pause)));
      }

      @Override
      public boolean isStopped() {
        return ends;
      }
    };
  }

  @Test
  void clientIsCompleteInTheEnd() {
    assertFails(
        "an honest peer can be reached, and the sync is not complete",
        maker(waking(Duration.ZERO, true), 0));
  }

  @Test
  void clientContinuesUntilItIsOver() {
    assertFails("nothing is left to happen", (in, now) -> List.of());
  }

  @Test
  void clientDoesNotHang() {
    assertFails("the client hangs: after 144", maker(waking(Duration.ofMinutes(1), false), 0));
  }

  @Test
  void clientDoesNotSpin() {
    assertFails("and 400000 steps", maker(waking(Duration.ZERO, false), 0), WorldOptions.ALL);
  }

  @Test
  void clientKeepsLittleInMemory() {
    assertFails(
        "too much is kept in memory",
        maker(new Puppet((in, now) -> List.of(new Output.WakeAt(now.plusSeconds(1)))), 1_001));
  }

  @Test
  void clientHandsOutOneBatchAtATime() {
    CommitBatch batch = Scenery.batch(List.of(), List.of(), List.of());
    assertFails(
        "while one is being written",
        (in, now) -> List.of(new Output.Commit(batch), new Output.Commit(batch)));
  }

  @Test
  void clientCallsKnownPeers() {
    Link stranger = new Link(1, new NodeAddress("10.9.9.9", 18444));
    assertFails("which it does not know", (in, now) -> List.of(new Output.Connect(stranger)));
  }

  @Test
  void clientIsNotCompleteToATipThatIsNotOnDisk() {
    SyncEvent complete = new SyncFact.Complete(7, Hash256.ZERO);
    assertFails("is claimed, but", (in, now) -> List.of(new Output.Emit(complete)));
  }

  /** A world that cannot be repeated is a fault of the world or of the client in any case. */
  @Test
  void failedWorldIsLivedThroughTwice() {
    AtomicInteger inputs = new AtomicInteger();
    Link stranger = new Link(1, new NodeAddress("10.9.9.9", 18444));
    SyncEvent complete = new SyncFact.Complete(7, Hash256.ZERO);
    BiFunction<Input, Instant, List<Output>> fickle =
        (in, now) ->
            List.of(
                inputs.incrementAndGet() == 1
                    ? new Output.Connect(stranger)
                    : new Output.Emit(complete));
    assertThatThrownBy(() -> World.run(1, WorldOptions.ALL, maker(new Puppet(fickle), 0)))
        .isInstanceOf(WorldFailure.class)
        .hasMessageContaining("is claimed, but");
    assertThat(inputs).hasValue(2);
  }
}
