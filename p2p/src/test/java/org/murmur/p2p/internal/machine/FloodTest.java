package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Discovery;

/** Floods on every kind of link, and together: each ends soon, and costs a bounded amount. */
class FloodTest {

  private static final NodeAddress SEED = new NodeAddress("10.1.0.1", 18444);

  private final List<Link> calls = new ArrayList<>();
  private final List<Output.Disconnect> drops = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_700_000_000L);
  private long sent;
  private long received;
  private SyncMachine machine = new SyncMachine(start(), settings(1));

  private static SyncStart start() {
    return SimulatedWallet.ofEpochs(5, 50).start();
  }

  private static SyncSettings settings(int peers) {
    return SyncSettings.of(
            IntStream.range(0, peers)
                .mapToObj(i -> new NodeAddress("10.0.0." + (1 + i), 18444))
                .toList(),
            7)
        .follow(true);
  }

  private void give(Input input) {
    for (Output output : machine.step(input, now)) {
      if (output instanceof Output.Connect connect) {
        calls.add(connect.link());
      } else if (output instanceof Output.Disconnect gone) {
        drops.add(gone);
      } else if (output instanceof Output.Send send) {
        sent += FrameEncoder.encode(1, send.message()).length;
      } else if (output instanceof Output.Commit commit) {
        give(new Input.Committed(commit.batch().sequence(), 0, Set.of()));
      }
    }
  }

  private void receive(Link link, Message message, int bytes) {
    received += bytes;
    give(new Input.Received(link, message, bytes));
  }

  private void greet(Link link) {
    give(new Input.Connected(link));
    long services = Services.NETWORK | Services.BLOOM;
    receive(link, new Message.Version(70_016, services, 0, link.id(), "/x/", 5, true), 120);
    receive(link, new Message.Verack(), 24);
  }

  private void flood(Link link) {
    received = 0;
    Message block = new Message.BlockMessage(Bytes.wrap(new byte[400_000]));
    for (int i = 0; i < 1_000 && drops.isEmpty(); i++) {
      receive(link, block, 400_024);
      now = now.plusMillis(4);
    }
    assertThat(drops).extracting(Output.Disconnect::reason).contains(DisconnectReason.FLOODING);
    assertThat(received).isLessThan(2_000_000);
  }

  /** Nothing was asked yet, so whole blocks answer nothing. */
  @Test
  void aPeerThatFloodsInPlaceOfItsHandshakeGoes() {
    give(new Input.Tick());
    give(new Input.Connected(calls.get(0)));
    flood(calls.get(0));
  }

  /** It was asked for addresses, and nothing else. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSeedNodeThatFloodsGoes(boolean greets) {
    Discovery found =
        new Discovery(
            Optional.of(List.of()),
            List.of(SEED),
            Optional.of(Scope.LOCAL),
            18444,
            Optional.empty());
    machine =
        new SyncMachine(
            start(), SyncSettings.of(List.of(), 7).peers(who -> who.discovering(found)));
    give(new Input.Tick());
    assertThat(calls).extracting(Link::address).containsExactly(SEED);
    if (greets) {
      greet(calls.get(0));
    } else {
      give(new Input.Connected(calls.get(0)));
    }
    flood(calls.get(0));
  }

  /** A block that does not exist, 61 bytes; a question for it, a thousand; no headers, 25. */
  @Test
  void announcementsThatLeadToNothingCostABoundedAmount() {
    give(new Input.Tick());
    Link link = calls.get(0);
    greet(link);
    receive(link, new Message.HeadersMessage(Headers.NONE), 25);
    received = 0;
    sent = 0;
    for (int i = 0; i < 200_000 && drops.isEmpty(); i++) {
      byte[] hash = new ByteWriter(32).int64(i).int64(1).int64(2).int64(3).toBytes().toArray();
      InventoryItem made = new InventoryItem(InventoryItem.BLOCK, Hash256.ofInternal(hash));
      receive(link, new Message.Inv(List.of(made)), 61);
      receive(link, new Message.HeadersMessage(Headers.NONE), 25);
      now = now.plusMillis(1);
    }
    assertThat(drops).isNotEmpty();
    assertThat(sent).isLessThan(received + 2_300_000);
  }

  private static Tx megabyte(int number) {
    return Tx.parse(
        new ByteWriter()
            .int32(2)
            .compactSize(1)
            .hash(Hash256.ZERO)
            .int32(number)
            .varBytes(Bytes.wrap(new byte[900_000]))
            .int32(-1)
            .compactSize(1)
            .int64(1)
            .varBytes(Bytes.EMPTY)
            .int32(0)
            .toBytes());
  }

  /** Each may fill its share; all together fill no more than two could alone. */
  @Test
  void sixteenLiarsTogetherFillABoundedAmount() {
    machine = new SyncMachine(start(), settings(16));
    give(new Input.Tick());
    assertThat(calls).hasSize(16);
    calls.forEach(this::greet);
    long most = 0;
    for (int i = 0; i < 17; i++) {
      for (Link link : calls) {
        receive(link, new Message.TxMessage(megabyte(16 * i + link.id())), 900_100);
        most = Math.max(most, machine.footprint().relayedBytes());
      }
    }
    assertThat(most).isBetween(16L << 20, 34L << 20);
  }
}
