package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;

/** Handshakes in any order that Core accepts, from peers of any age. */
class HandshakeTest {

  private static final Message VERACK = new Message.Verack();
  private static final Message FUTURE = new Message.Unknown("feature", Bytes.ofHex("0102"));

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final Tx payment = payments.pay(1);

  @BeforeEach
  void aPaymentIsInABlock() {
    node.mine(List.of(payment));
  }

  private void assertSyncs() {
    world.run(SyncSettings.of(List.of(world.add(node)), 1));
    assertThat(wallet.confirmed).containsOnlyKeys(payment.txid());
    assertThat(world.events).filteredOn(SyncEvent.PeerReady.class::isInstance).hasSize(1);
  }

  static Stream<Arguments> greetings() {
    Message addresses = new Message.SendAddrV2();
    Message wtxids = new Message.WtxidRelay();
    return Stream.of(
        named("of Core", own -> List.of(own, wtxids, addresses, VERACK)),
        named("verack first", own -> List.of(VERACK, own)),
        named("all before the version", own -> List.of(addresses, wtxids, VERACK, own)),
        named("without verack", own -> List.of(own)),
        named("unknown before verack (BIP-0434)", own -> List.of(own, FUTURE, FUTURE, VERACK)),
        named("unknown first", own -> List.of(FUTURE, own, VERACK)),
        named("a ping before verack", own -> List.of(own, new Message.Ping(7), VERACK)),
        named("twice", own -> List.of(own, VERACK, own, VERACK)));
  }

  private static Arguments named(String name, Function<Message.Version, List<Message>> greets) {
    return Arguments.of(Named.of(name, greets));
  }

  @ParameterizedTest
  @MethodSource("greetings")
  void syncs(Function<Message.Version, List<Message>> greets) {
    node.greets = greets;
    assertSyncs();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void syncsInAnyOrder(long seed) {
    node.greets =
        own -> {
          List<Message> all =
              new ArrayList<>(
                  List.of(own, VERACK, FUTURE, new Message.SendAddrV2(), new Message.WtxidRelay()));
          Collections.shuffle(all, new Random(seed));
          return all;
        };
    assertSyncs();
  }

  /** Filters of peers came with 70001 (BIP-0037), their service bit with 70011 (BIP-0111). */
  @ParameterizedTest
  @ValueSource(ints = {70_001, 70_011, 70_012, 70_016, 70_100})
  void syncsWithPeersOfAnyAge(int protocol) {
    node.protocol = protocol;
    assertSyncs();
  }
}
