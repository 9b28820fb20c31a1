package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;

/**
 * Whatever valid messages a peer sends, in whatever order and at whatever pace, the machine holds
 * no more than {@value #BOUND} bytes because of it.
 *
 * <p>The sum, at most, per peer: transactions that came on the link, 16 MiB; wanted, waiting and
 * received announcements, 250,000 of about 200 bytes by the scale used here; matches by chance,
 * 20,000 of as many; and for all peers together: transactions not written yet, 32 MiB and one
 * message, and 50,000 known ones.
 */
class BoundedMemoryTest {

  private static final long BOUND = 128L << 20;

  private static final NodeAddress PEER = new NodeAddress("10.0.0.1", 1);

  /** A second peer that is never there, so that the answers of the first are kept for it. */
  private static final NodeAddress ABSENT = new NodeAddress("10.0.0.2", 1);

  /** A machine and a peer that sends anything. */
  private static final class Chatter {
    final Random random;
    final HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    final SimulatedNode node = new SimulatedNode();
    final SyncMachine machine;
    final ArrayDeque<Long> commits = new ArrayDeque<>();
    final List<Hash256> announced = new ArrayList<>();
    final List<Message> owed = new ArrayList<>();
    final Map<DisconnectReason, Integer> lost = new HashMap<>();
    Instant now = Instant.ofEpochSecond(1_700_000_000L);
    Instant wake = now;
    // Nothing comes back from the disk while it is slow.
    boolean slowDisk;
    Link link = new Link(0, PEER);
    long heaviest;

    Chatter(long seed) {
      this(seed, SyncSettings.of(List.of(PEER), seed));
    }

    Chatter(long seed, SyncSettings usual) {
      random = new Random(seed);
      for (int i = 0; i < 30; i++) {
        node.mine(List.of());
      }
      List<Element> log = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        log.add(new Element.Script(SimulatedWallet.element(i)));
      }
      machine =
          new SyncMachine(
              new SyncStart(
                  ChainParams.REGTEST,
                  chain,
                  new Birthday.AtHeight(1),
                  OptionalInt.of(1),
                  log,
                  List.of(),
                  List.of(),
                  List.of(),
                  1,
                  1,
                  List.of(),
                  List.of(),
                  HeaderSource.NONE),
              usual
                  .peers(who -> who.connections(1))
                  .follow(true)
                  .preset(Preset.Fast.USUAL.verify(usual.preset().verify())));
      give(new Input.Tick());
    }

    void give(Input input) {
      if (machine.isStopped()) {
        return;
      }
      for (Output output : machine.step(input, now)) {
        if (output instanceof Output.Connect connect && connect.link().address().equals(ABSENT)) {
          give(new Input.ConnectFailed(connect.link(), "connection refused"));
        } else if (output instanceof Output.Connect connect) {
          link = connect.link();
          owed.clear();
          give(new Input.Connected(link));
        } else if (output instanceof Output.Send send) {
          owed.addAll(node.receive(send.link(), send.message()));
        } else if (output instanceof Output.Commit commit) {
          commits.add(commit.batch().sequence());
        } else if (output instanceof Output.WakeAt at) {
          wake = at.at();
        } else if (output instanceof Output.Disconnect gone) {
          lost.merge(gone.reason(), 1, Integer::sum);
        }
      }
    }

    void live(int messages) {
      for (int i = 0; i < messages && !machine.isStopped(); i++) {
        pass();
        Message message = random.nextInt(3) == 0 || owed.isEmpty() ? anything() : owed.remove(0);
        give(new Input.Received(link, message, 200));
        if (!slowDisk && !commits.isEmpty()) {
          give(new Input.Committed(commits.remove(), 0, java.util.Set.of()));
        }
        if (i % 50 == 0) {
          weigh();
        }
      }
      weigh();
    }

    private void pass() {
      now = now.plusMillis(random.nextInt(random.nextInt(20) == 0 ? 60_000 : 1_000));
      if (!now.isBefore(wake)) {
        give(new Input.Tick());
      }
    }

    void weigh() {
      heaviest = Math.max(heaviest, Weight.of(machine, chain));
    }

    private Hash256 hash() {
      byte[] bytes = new byte[32];
      random.nextBytes(bytes);
      return Hash256.ofInternal(bytes);
    }

    private List<InventoryItem> items() {
      int count = random.nextInt(random.nextInt(10) == 0 ? 50_000 : 2_000);
      List<InventoryItem> items = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Hash256 hash = hash();
        if (announced.size() < 5_000) {
          announced.add(hash);
        }
        items.add(new InventoryItem(InventoryItem.TX, hash));
      }
      return items;
    }

    Tx tx(int size) {
      Bytes script = SimulatedWallet.script(random.nextInt(20));
      OutPoint input = new OutPoint(hash(), 0);
      return Tx.parse(
          new ByteWriter()
              .int32(2)
              .compactSize(1)
              .hash(input.txid())
              .int32(0)
              .varBytes(Bytes.wrap(new byte[size]))
              .int32(-1)
              .compactSize(1)
              .int64(1)
              .varBytes(script)
              .int32(0)
              .toBytes());
    }

    /** Announces a transaction and sends it, as often as the machine requests it. */
    void relay(int size) {
      Tx tx = tx(size);
      List<InventoryItem> item = List.of(new InventoryItem(InventoryItem.TX, tx.txid()));
      give(new Input.Received(link, new Message.Inv(item), 61));
      owed.removeIf(Message.NotFound.class::isInstance);
      give(new Input.Received(link, new Message.TxMessage(tx), size));
    }

    private Message anything() {
      return switch (random.nextInt(14)) {
        case 0, 1, 2 -> new Message.Inv(items());
        case 3 -> new Message.NotFound(items());
        case 4 -> new Message.TxMessage(tx(random.nextInt(100_000)));
        case 5 -> new Message.Ping(random.nextLong());
        case 6 -> new Message.Pong(random.nextLong());
        case 7 ->
            new Message.Addr(
                List.of(
                    new NetworkAddress(
                        0, 9, NetworkAddress.IPV4, Bytes.wrap(new byte[4]), random.nextInt(9))));
        case 8 -> new Message.HeadersMessage(Headers.NONE);
        case 9 -> new Message.HeadersMessage(Headers.ofStored(node.mine(List.of()).header()));
        case 10 -> new Message.GetHeaders(List.of(hash()), hash());
        case 11 -> new Message.Unknown("hum", Bytes.wrap(new byte[random.nextInt(1_000_000)]));
        case 12 -> new Message.Reject("tx", 16, "no", Bytes.wrap(new byte[32]));
        default -> new Message.Version(70016, Services.BLOOM, 0, random.nextLong(), "/x/", 9, true);
      };
    }
  }

  @Property(tries = 12)
  void anySequenceOfMessagesLeavesTheMachineSmall(@ForAll long seed) {
    Chatter chatter = new Chatter(seed);
    chatter.live(600);
    assertThat(chatter.heaviest).as("seed %d, lost %s", seed, chatter.lost).isLessThan(BOUND);
  }

  @Property(tries = 6)
  void soDoTheyWhenEveryAnswerIsKeptForASecondPeer(@ForAll long seed) {
    SyncSettings settings =
        SyncSettings.of(List.of(PEER, ABSENT), seed).preset(Preset.Fast.USUAL.verify(2));
    Chatter chatter = new Chatter(seed, settings);
    chatter.live(600);
    assertThat(chatter.heaviest).as("seed %d, lost %s", seed, chatter.lost).isLessThan(BOUND);
  }

  /** The most that a peer can send within its rations, with a disk that never answers. */
  @Test
  void aPatientPeerAndADeadDiskLeaveItSmall() {
    Chatter chatter = new Chatter(1);
    chatter.live(50);
    chatter.slowDisk = true;
    for (int i = 0; i < 1_500; i++) {
      chatter.now = chatter.now.plusMillis(100);
      chatter.relay(90_000);
    }
    chatter.weigh();
    assertThat(chatter.heaviest).isBetween(32L << 20, BOUND);
  }
}
