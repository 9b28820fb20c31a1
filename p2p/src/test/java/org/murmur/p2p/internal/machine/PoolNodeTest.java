package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered.Answer;
import org.murmur.p2p.sync.SyncFact;

/** A machine that reads filters of blocks, and asks one node for what waits in its memory pool. */
class PoolNodeTest {

  private static final int LOOK_AHEAD = 10;

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedNode filtering = node.twin(Services.COMPACT_FILTERS);
  private SimulatedWorld world = world(LOOK_AHEAD);
  private final List<Hash256> written = new ArrayList<>();

  PoolNodeTest() {
    node.mine(List.of(payments.pay(2)));
  }

  private SimulatedWorld world(int lookAhead) {
    world = new SimulatedWorld(1, new SimulatedWallet(lookAhead));
    world.keepsQueue = true;
    world.onOutput =
        output -> {
          if (output instanceof Output.Commit commit) {
            commit.batch().unconfirmed().forEach(tx -> written.add(tx.txid()));
          }
        };
    return world;
  }

  private static SyncSettings settings(NodeAddress pool, NodeAddress... peers) {
    Preset.Pool of = Preset.Pool.of(pool);
    return SyncSettings.of(List.of(peers), 1).preset(new Preset.Compact(1, of));
  }

  private Tx waiting(int script) {
    Tx tx = Payments.tx(List.of(payments.foreignCoin()), List.of(SimulatedWallet.script(script)));
    node.mempool.put(tx.txid(), tx);
    return tx;
  }

  private <E> List<E> events(Class<E> kind) {
    return world.events.stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .collect(Collectors.toList());
  }

  private List<Answer> answers() {
    return events(SyncEvent.MempoolAnswered.class).stream()
        .map(SyncEvent.MempoolAnswered::answer)
        .toList();
  }

  /** Who got what only the node may get. */
  private Set<NodeAddress> shown() {
    return world.sends.stream()
        .filter(
            send ->
                Stream.of(Message.FilterLoad.class, Message.FilterAdd.class, Message.Mempool.class)
                    .anyMatch(kind -> kind.isInstance(send.message())))
        .map(send -> send.link().address())
        .collect(Collectors.toSet());
  }

  @Test
  void onlyTheNodeGetsAFilterAndSaysWhatIsPending() {
    NodeAddress pool = world.add(node);
    NodeAddress other = world.add(filtering);
    Tx payment = waiting(3);
    world.run(settings(pool, pool, other));
    assertThat(written).containsExactly(payment.txid());
    assertThat(answers()).containsExactly(Answer.COMPLETE);
    assertThat(events(SyncFact.Complete.class)).hasSize(1);
    assertThat(shown()).containsExactly(pool);
  }

  /** Its own filters of blocks count like those of any other peer. */
  @Test
  void oneNodeMayDoBoth() {
    NodeAddress both = world.add(filtering);
    Tx payment = waiting(3);
    world.run(settings(both, both));
    assertThat(written).containsExactly(payment.txid());
    assertThat(answers()).containsExactly(Answer.COMPLETE);
  }

  @Test
  void blocksAreReadIfItHasNoBloomFilters() {
    node.services &= ~Services.BLOOM;
    NodeAddress pool = world.add(node);
    NodeAddress other = world.add(filtering);
    waiting(3);
    world.run(settings(pool, pool, other));
    assertThat(written).isEmpty();
    assertThat(answers()).containsExactly(Answer.PARTIAL);
    assertThat(events(SyncFact.Complete.class)).hasSize(1);
    assertThat(events(SyncEvent.PeerLost.class))
        .anyMatch(lost -> lost.reason() == DisconnectReason.NO_BLOOM);
    assertThat(shown()).isEmpty();
  }

  @Test
  void itAloneServesNoBlocks() {
    NodeAddress pool = world.add(node);
    world.run(settings(pool, pool));
    assertThat(events(SyncFact.NoUsablePeer.class))
        .singleElement()
        .satisfies(
            none -> {
              assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_FILTERS);
              assertThat(none.detail()).contains("NODE_COMPACT_FILTERS");
            });
  }

  @Test
  void itIsNotBlamedIfNobodyElseIsThere() {
    NodeAddress pool = world.add(node);
    NodeAddress other = world.add(filtering);
    world.unreachable.add(other);
    world.run(settings(pool, pool, other));
    assertThat(events(SyncFact.NoUsablePeer.class))
        .singleElement()
        .satisfies(none -> assertThat(none.obstacles()).containsOnlyKeys(other));
  }

  /** A session that follows is told in time that it sees no payments, and asks the node later. */
  @Test
  void aNodeThatComesLateIsAskedThen() {
    NodeAddress pool = world.add(node);
    NodeAddress other = world.add(filtering);
    world.unreachable.add(pool);
    Tx payment = waiting(3);
    List<Answer> early = new ArrayList<>();
    world.later(
        60_000,
        () -> {
          early.addAll(answers());
          world.unreachable.clear();
        });
    world.later(900_000, () -> world.post(new Input.Stop()));
    world.run(settings(pool, pool, other).follow(true));
    assertThat(early).containsExactly(Answer.PARTIAL);
    assertThat(written).containsExactly(payment.txid());
    assertThat(shown()).containsExactly(pool);
  }

  /** They do not all fit a filter; as under the fast preset, the answer is partial then. */
  @Test
  void asManyScriptsAsFitAreAskedFor() {
    world = world(Preset.Fast.USUAL.capacity() + 100);
    NodeAddress pool = world.add(node);
    NodeAddress other = world.add(filtering);
    Tx payment = waiting(3);
    world.run(settings(pool, pool, other));
    assertThat(written).containsExactly(payment.txid());
    assertThat(answers()).containsExactly(Answer.PARTIAL);
    assertThat(shown()).containsExactly(pool);
  }
}
