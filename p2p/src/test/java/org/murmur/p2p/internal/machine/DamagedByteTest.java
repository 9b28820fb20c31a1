package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** A byte is damaged on the way from an honest peer: it is called again at once. */
class DamagedByteTest {

  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final SimulatedWallet epochs = SimulatedWallet.ofEpochs(10, 50);
  private final SimulatedWorld guarded = new SimulatedWorld(1, epochs);
  private NodeAddress a = new NodeAddress("10.0.0.1", 18444);
  private NodeAddress b = new NodeAddress("10.0.0.2", 18444);

  private void people(SimulatedWorld in) {
    for (int i = 0; i < 30; i++) {
      node.mine(List.of());
    }
    a = in.add(node);
    b = in.add(node.twin());
  }

  private static SyncSettings settings(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  private static SyncSettings guardedBy(NodeAddress... peers) {
    return settings(peers).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL);
  }

  private static long completed(SimulatedWorld in) {
    return in.events.stream().filter(SyncFact.Complete.class::isInstance).count();
  }

  private void damageAt(SimulatedWorld in, Class<? extends Message> message, NodeAddress peer) {
    in.onSend = SimulatedWorld.atFirst(message, () -> in.damage(peer));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "10.0.0.2"})
  void costsAGuardOneConnection(String host) {
    people(guarded);
    damageAt(guarded, Message.GetData.class, new NodeAddress(host, 18444));
    guarded.run(guardedBy(a, b));
    assertThat(completed(guarded)).isEqualTo(1);
    assertThat(guarded.elapsed()).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void costsASinglePeerOneConnection() {
    people(world);
    damageAt(world, Message.GetData.class, a);
    world.run(settings(a));
    assertThat(completed(world)).isEqualTo(1);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(5));
    assertThat(world.events).noneMatch(event -> event instanceof SyncWarning.MisbehavedPeerCalled);
  }

  /** It was the version message. */
  @Test
  void mayBeOfTheFirstMessage() {
    people(world);
    boolean[] done = {false};
    world.onSend =
        message -> {
          if (message instanceof Message.Version && !done[0]) {
            done[0] = true;
            world.damage(a);
          }
        };
    world.run(settings(a));
    assertThat(completed(world)).isEqualTo(1);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(5));
  }

  /** No checksum covers the command, and another letter makes one that nobody knows. */
  @ParameterizedTest
  @ValueSource(strings = {"version", "verack", "headers", "merkleblock", "tx"})
  void mayBeOfACommand(String command) {
    damagesByte(4, command);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(5));
  }

  /** The client waits for the rest of a message that is longer than it was sent. */
  @ParameterizedTest
  @ValueSource(strings = {"headers", "merkleblock", "tx"})
  void mayBeOfALength(String command) {
    damagesByte(17, command);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(2));
  }

  private void damagesByte(int at, String command) {
    people(world);
    List<Tx> payments = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      OutPoint coin = new OutPoint(Hash256.ZERO, i);
      payments.add(Payments.tx(List.of(coin), List.of(SimulatedWallet.script(0))));
    }
    node.mine(payments);
    boolean[] done = {false};
    world.damaged =
        (message, frame) -> {
          String sent = new String(frame, 4, 12, StandardCharsets.US_ASCII).trim();
          boolean last =
              !(message instanceof Message.MerkleBlockMessage block)
                  || block.merkleBlock().blockHash().equals(node.chain.tip());
          if (!done[0] && sent.equals(command) && last) {
            done[0] = true;
            frame[at] ^= 1;
          }
        };
    world.run(settings(a));
    assertThat(done[0]).isTrue();
    assertThat(world.events)
        .filteredOn(SyncEvent.PeerLost.class::isInstance)
        .noneMatch(
            event ->
                ((SyncEvent.PeerLost) event).reason().backOff().compareTo(Duration.ofMinutes(1))
                    > 0);
    assertThat(completed(world)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void endsNoSessionThatFollows(int peers) {
    people(world);
    world.keepsQueue = true;
    world.later(30_000, () -> world.damage(a));
    world.later(30_000, () -> world.damage(b));
    world.later(
        60_000,
        () -> {
          node.mine(List.of());
          InventoryItem tip = new InventoryItem(InventoryItem.BLOCK, node.chain.tip());
          world.announce(node, new Message.Inv(List.of(tip)));
        });
    world.later(120_000, () -> world.post(new Input.Stop()));
    world.run((peers == 1 ? settings(a) : settings(a, b)).follow(true));
    assertThat(completed(world)).isEqualTo(2);
  }

  /** A peer that damages every connection is called ever less often. */
  @Test
  void isFollowedByABackOffIfItHappensAgain() {
    people(world);
    world.keepsQueue = true;
    world.onSend =
        message -> {
          if (message instanceof Message.Verack) {
            world.damage(a);
          }
        };
    world.later(Duration.ofHours(1).toMillis(), () -> world.post(new Input.Stop()));
    world.run(settings(a, b).follow(true));
    assertThat(world.called.stream().filter(a::equals).count()).isBetween(3L, 65L);
  }

  /** What an honest peer never does costs a day, but not the whole session. */
  @Test
  void isNotALie() {
    people(world);
    world.keepsQueue = true;
    world.later(
        30_000, () -> world.give(new Input.Malformed(world.linkOf(a), "headers, count: too many")));
    world.later(Duration.ofHours(1).toMillis(), () -> world.post(new Input.Stop()));
    world.run(settings(a, b).follow(true));
    assertThat(world.called.stream().filter(a::equals).count()).isEqualTo(1);
    CommitBatch.PeerFacts facts = Objects.requireNonNull(wallet.peers.get(a));
    assertThat(facts.misbehaviour()).isEqualTo(DisconnectReason.PROTOCOL_ERROR.name());
  }

  /** Nobody else can take the place of a guard: a new session calls it. */
  @Test
  void ofAnEarlierSessionKeepsNoGuardAway() {
    people(guarded);
    guarded.run(guardedBy(a, b));
    CommitBatch.PeerFacts before = Objects.requireNonNull(epochs.peers.get(a));
    epochs.peers.put(
        a,
        new CommitBatch.PeerFacts(
            a,
            before.services(),
            before.userAgent(),
            before.startHeight(),
            before.latencyMillis(),
            guarded.now().getEpochSecond(),
            before.mempoolAtOnce(),
            DisconnectReason.LACKS_BLOCKS.name()));
    node.mine(List.of());
    guarded.run(guardedBy(a, b));
    assertThat(guarded.events)
        .contains(new SyncFact.Complete(31, node.chain.tip()))
        .anyMatch(event -> event instanceof SyncWarning.MisbehavedPeerCalled);
  }
}
