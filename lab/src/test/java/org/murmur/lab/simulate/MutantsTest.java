package org.murmur.lab.simulate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.machine.Footprint;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Signer;
import org.murmur.testbed.world.World;
import org.murmur.testbed.world.WorldFailure;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.network.Suspicions;
import org.murmur.testbed.world.plan.WorldOptions;

/** The real wallet with one habit that a guard can see: the worlds find it. */
class MutantsTest {

  private static final WalletInWorld.Maker REAL = new WalletInWorld.Maker();

  /** A client whose machines are changed. */
  private record Changed(TestedClient real, UnaryOperator<Machine> change) implements TestedClient {
    @Override
    public Machine start(SyncSettings settings) throws IOException {
      return change.apply(real.start(settings));
    }

    @Override
    public List<Input> commit(CommitBatch batch, Instant now) throws IOException {
      return real.commit(batch, now);
    }

    @Override
    public Optional<Paid> pay(Bytes script, long chance, Instant now) throws IOException {
      return real.pay(script, chance, now);
    }

    @Override
    public List<Input> abandon(long chance, Instant now) throws IOException {
      return real.abandon(chance, now);
    }

    @Override
    public Footprint footprint() {
      return real.footprint();
    }

    @Override
    public Holdings holdings() throws IOException {
      return real.holdings();
    }

    @Override
    public Claims claims() throws IOException {
      return real.claims();
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }

  private static void assertFound(String words, UnaryOperator<Machine> change) {
    TestedClient.Maker maker =
        new TestedClient.Maker() {
          @Override
          public List<Bytes> scripts(int chain, int count) {
            return REAL.scripts(chain, count);
          }

          @Override
          public Signer signer() {
            return REAL.signer();
          }

          @Override
          public TestedClient make(TestedClient.Wallet wallet) throws IOException {
            return new Changed(REAL.make(wallet), change);
          }
        };
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= 60; seed++) {
                World.run(seed, WorldOptions.GUARDED.withWeather(true), maker);
              }
            })
        .isInstanceOf(WorldFailure.class)
        .hasMessageContaining(words);
  }

  /** It does not request what another guard has sent. */
  @Test
  void clientThatRequestsNothingTwiceIsFound() {
    assertFound(
        "it can tell",
        real ->
            new Machine() {
              private final Set<Hash256> asked = new HashSet<>();

              @Override
              public List<Output> step(Input input, Instant now) {
                List<Output> outputs = new ArrayList<>();
                for (Output output : real.step(input, now)) {
                  if (output instanceof Output.Send send
                      && send.message() instanceof Message.GetData ask
                      && ask.items().get(0).type() != InventoryItem.FILTERED_BLOCK) {
                    List<InventoryItem> news =
                        ask.items().stream().filter(item -> asked.add(item.hash())).toList();
                    if (!news.isEmpty()) {
                      outputs.add(new Output.Send(send.link(), new Message.GetData(news)));
                    }
                  } else {
                    outputs.add(output);
                  }
                }
                return outputs;
              }

              @Override
              public boolean isStopped() {
                return real.isStopped();
              }
            });
  }

  /** It takes pushed payments to the wallet without a charge. */
  @Test
  void clientThatForgivesPushesOfItsOwnIsFound() {
    Collection<Bytes> own = new HashSet<>(REAL.scripts(0, 2_000));
    assertFound(
        "it can tell that they are ours",
        real ->
            new Machine() {
              private final Set<Hash256> asked = new HashSet<>();

              @Override
              public List<Output> step(Input input, Instant now) {
                if (input instanceof Input.Received received
                    && received.message() instanceof Message.TxMessage pushed
                    && !asked.contains(pushed.tx().txid())
                    && paysUs(pushed.tx())) {
                  return List.of();
                }
                List<Output> outputs = real.step(input, now);
                for (Output output : outputs) {
                  if (output instanceof Output.Send send
                      && send.message() instanceof Message.GetData ask) {
                    ask.items().forEach(item -> asked.add(item.hash()));
                  }
                }
                return outputs;
              }

              private boolean paysUs(Tx tx) {
                Tx.Output first = tx.outputs().get(0);
                return first.value() == Suspicions.VALUE && own.contains(first.script());
              }

              @Override
              public boolean isStopped() {
                return real.isStopped();
              }
            });
  }
}
