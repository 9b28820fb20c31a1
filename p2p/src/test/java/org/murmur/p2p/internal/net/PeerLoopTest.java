package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;

/** The shell over real sockets on 127.0.0.1. */
@Timeout(120)
final class PeerLoopTest {

  private static final CommitSink NO_COMMITS =
      batch -> {
        throw new AssertionError("no commit expected");
      };

  private final List<Thread> threads = new ArrayList<>();

  /** A loop that a test left running must not outlive it. */
  @AfterEach
  void end() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(ScriptedPeer.PATIENCE_MILLIS);
    }
  }

  @Test
  void speaksWithPeerUntilStopped() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) -> {
                if (input instanceof Input.Tick) {
                  return List.of(new Output.Connect(link));
                }
                if (input instanceof Input.Connected) {
                  return List.of(
                      new Output.Send(link, new Message.Ping(1)),
                      new Output.Send(link, new Message.Ping(2)));
                }
                return List.of();
              });
      PeerLoop loop = loop(machine, NO_COMMITS);
      Running run = start(loop);

      peer.accept();
      assertThat(peer.reads()).isEqualTo(new Message.Ping(1));
      assertThat(peer.reads()).isEqualTo(new Message.Ping(2));
      byte[] pong = FrameEncoder.encode(ScriptedPeer.MAGIC, new Message.Pong(1));
      for (byte b : pong) {
        peer.sends(new byte[] {b});
      }
      peer.sends(new Message.Verack());

      assertThat(machine.told()).isEqualTo(new Input.Tick());
      assertThat(machine.told()).isEqualTo(new Input.Connected(link));
      assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Pong(1), 32));
      assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Verack(), 24));
      assertThat(loop.bytesReceived()).isEqualTo(56);
      assertThat(loop.bytesSent()).isEqualTo(64);

      loop.post(new Input.Stop());
      run.end();
      assertThat(machine.told()).isEqualTo(new Input.Stop());
      assertThat(peer.reads()).isNull();
    }
  }

  /** Pongs are 32 bytes each: the second one's end lies beyond the limit. */
  @Test
  void readsNoMoreThanItsMachineAllowsAndReportsItOnce() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer();
        ScriptedPeer other = new ScriptedPeer()) {
      List<Link> links = List.of(peer.link(1), other.link(2));
      ScriptedMachine machine = failing(links, false);
      machine.mostToRead = 63;
      PeerLoop loop = loop(machine, NO_COMMITS);
      Running run = start(loop);
      peer.accept();
      other.accept();
      machine.told();
      machine.told();
      machine.told();
      for (int i = 0; i < 10; i++) {
        peer.sends(new Message.Pong(i));
      }
      assertThat(machine.told())
          .isEqualTo(new Input.Received(links.get(0), new Message.Pong(0), 32));
      assertThat(machine.told()).isEqualTo(new Input.LimitReached());
      other.sends(new Message.Pong(11));
      loop.post(new Input.RescanFrom(new Birthday.AtHeight(1)));
      assertThat(machine.told()).isInstanceOf(Input.RescanFrom.class);
      loop.post(new Input.Stop());
      run.end();
      assertThat(machine.rest()).containsExactly(new Input.Stop());
      assertThat(loop.bytesReceived()).isEqualTo(63);
    }
  }

  /** A machine that drops a peer when told that it failed, and fails at pings of some numbers. */
  private static ScriptedMachine failing(List<Link> links, boolean again) {
    return new ScriptedMachine(
        (input, now) -> {
          if (input instanceof Input.Tick) {
            List<Output> calls = new ArrayList<>();
            links.forEach(link -> calls.add(new Output.Connect(link)));
            return calls;
          }
          if (input instanceof Input.Received received
              && received.message().equals(new Message.Ping(13))) {
            throw new IllegalStateException("on demand");
          }
          if (input instanceof Input.Failed failed) {
            if (again) {
              throw new IllegalStateException("again");
            }
            return List.of(
                new Output.Disconnect(failed.link(), DisconnectReason.INTERNAL_ERROR, "x"));
          }
          return List.of();
        });
  }

  @Test
  void anUnexpectedExceptionCostsOnePeerAndNotTheSync() throws Exception {
    try (ScriptedPeer bad = new ScriptedPeer();
        ScriptedPeer good = new ScriptedPeer()) {
      List<Link> links = List.of(bad.link(1), good.link(2));
      ScriptedMachine machine = failing(links, false);
      PeerLoop loop = loop(machine, NO_COMMITS);
      Running run = start(loop);
      bad.accept();
      good.accept();
      for (int i = 0; i < 3; i++) {
        machine.told();
      }
      byte[] both = new byte[64];
      for (int i = 0; i < 2; i++) {
        byte[] ping = FrameEncoder.encode(ScriptedPeer.MAGIC, new Message.Ping(13 + i));
        System.arraycopy(ping, 0, both, 32 * i, 32);
      }
      bad.sends(both);
      assertThat(machine.told())
          .isEqualTo(new Input.Received(links.get(0), new Message.Ping(13), 32));
      assertThat(machine.told())
          .isEqualTo(new Input.Failed(links.get(0), "java.lang.IllegalStateException: on demand"));
      // It is disconnected, and its later messages are not processed.
      assertThat(bad.reads()).isNull();
      good.sends(new Message.Ping(2));
      assertThat(machine.told())
          .isEqualTo(new Input.Received(links.get(1), new Message.Ping(2), 32));
      loop.post(new Input.Stop());
      run.end();
    }
  }

  @Test
  void anExceptionInLettingThePeerGoEndsTheSync() throws Exception {
    try (ScriptedPeer bad = new ScriptedPeer()) {
      Running run = start(loop(failing(List.of(bad.link(1)), true), NO_COMMITS));
      bad.accept().sends(new Message.Ping(13));
      assertThatThrownBy(run::end).hasRootCauseMessage("again");
    }
  }

  @Test
  void anExceptionThatNoPeerCausedEndsTheSync() throws Exception {
    ScriptedMachine machine =
        new ScriptedMachine(
            (input, now) -> {
              throw new IllegalStateException("at a tick");
            });
    assertThatThrownBy(start(loop(machine, NO_COMMITS))::end).hasRootCauseMessage("at a tick");
  }

  @Test
  void thereIsNoListener() throws Exception {
    Link link = new Link(1, new NodeAddress("127.0.0.1", 1));
    ScriptedMachine machine = connecting(link);
    start(loop(machine, NO_COMMITS));
    machine.told();
    assertThat(machine.told()).isEqualTo(new Input.ConnectFailed(link, "connection refused"));
  }

  @Test
  void peerHangsUpBetweenMessagesAndInTheMiddleOfOne() throws Exception {
    for (int cut : new int[] {0, 1, 24, 31}) {
      try (ScriptedPeer peer = new ScriptedPeer()) {
        Link link = peer.link(1);
        ScriptedMachine machine = connecting(link);
        start(loop(machine, NO_COMMITS));
        peer.accept().sends(new Message.Verack());
        byte[] ping = FrameEncoder.encode(ScriptedPeer.MAGIC, new Message.Ping(1));
        peer.sends(Arrays.copyOf(ping, cut));
        peer.hangsUp();

        machine.told();
        machine.told();
        assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Verack(), 24));
        assertThat(machine.told())
            .isEqualTo(
                new Input.Disconnected(
                    link,
                    "closed by the other side" + (cut == 0 ? "" : " in the middle of a message")));
      }
    }
  }

  @Test
  void garbageIsReportedOnceAfterEarlierMessages() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) -> {
                if (input instanceof Input.Tick) {
                  return List.of(new Output.Connect(link));
                }
                if (input instanceof Input.Garbled) {
                  return List.of(
                      new Output.Disconnect(link, DisconnectReason.PROTOCOL_ERROR, "garbage"));
                }
                return List.of();
              });
      PeerLoop loop = loop(machine, NO_COMMITS);
      Running run = start(loop);
      peer.accept().sends(new Message.Ping(5));
      peer.sends("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

      machine.told();
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Ping(5), 32));
      assertThat(machine.told())
          .isInstanceOfSatisfying(
              Input.Garbled.class, garbled -> assertThat(garbled.why()).contains("HTTP"));
      assertThat(peer.reads()).isNull();
      loop.post(new Input.Stop());
      run.end();
      assertThat(machine.told()).isEqualTo(new Input.Stop());
      assertThat(machine.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"0b110907, testnet3", "1c163f28, testnet4", "f9beb4d9, mainnet", "0a03cf40, signet"})
  void anotherNetworkIsNamedByItsMagic(String bytes, String name) throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = connecting(link);
      start(loop(machine, NO_COMMITS));
      peer.accept().sends(Hex.parse(bytes));
      machine.told();
      machine.told();
      assertThat(machine.told())
          .isEqualTo(
              new Input.Garbled(
                  link,
                  Obstacle.OTHER_NETWORK,
                  "speaks " + name + ", which is not the network that was asked for"));
    }
  }

  /**
   * The peer reads only after the machine has disconnected it: all three megabytes must still
   * arrive.
   */
  @Test
  void disconnectComesAfterSentMessages() throws Exception {
    Message big = new Message.Unknown("big", Bytes.wrap(new byte[3_000_000]));
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) -> {
                if (input instanceof Input.Tick) {
                  return List.of(new Output.Connect(link));
                }
                if (input instanceof Input.Received) {
                  return List.of(
                      new Output.Send(link, big),
                      new Output.Send(link, new Message.Ping(9)),
                      new Output.Disconnect(link, DisconnectReason.DONE, ""),
                      new Output.Send(link, new Message.Ping(10)));
                }
                return List.of();
              });
      PeerLoop loop = loop(machine, NO_COMMITS);
      Running run = start(loop);
      peer.accept().sends(new Message.Ping(0));
      for (int i = 0; i < 3; i++) {
        machine.told();
      }
      // It will never be read.
      peer.sends(new Message.Ping(1));
      assertThat(peer.reads()).isEqualTo(big);
      assertThat(peer.reads()).isEqualTo(new Message.Ping(9));
      assertThat(peer.reads()).isNull();
      loop.post(new Input.Stop());
      run.end();
      assertThat(machine.rest()).containsExactly(new Input.Stop());
    }
  }

  @Test
  void peerThatReadsNothingIsGivenUp() throws Exception {
    // More than may wait and than the kernel's buffers hold together.
    List<Output> flood = new ArrayList<>();
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      Message megabyte = new Message.Unknown("big", Bytes.wrap(new byte[1_000_000]));
      for (int i = 0; i < 64; i++) {
        flood.add(new Output.Send(link, megabyte));
      }
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) -> {
                if (input instanceof Input.Tick) {
                  return List.of(new Output.Connect(link));
                }
                return input instanceof Input.Connected ? flood : List.of();
              });
      start(loop(machine, NO_COMMITS));
      peer.accept();
      machine.told();
      machine.told();
      assertThat(machine.told())
          .isInstanceOfSatisfying(
              Input.Disconnected.class, lost -> assertThat(lost.why()).contains("does not read"));
    }
  }

  /** None of them is too long: the bound has a total. */
  @Test
  void manyLongSendQueuesAreTooMany() throws Exception {
    Message megabyte = new Message.Unknown("big", Bytes.wrap(new byte[1_000_000]));
    Map<Link, List<Output>> floods = new HashMap<>();
    List<Output> calls = new ArrayList<>();
    List<ScriptedPeer> peers = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        ScriptedPeer peer = new ScriptedPeer();
        peers.add(peer);
        Link link = peer.link(1 + i);
        calls.add(new Output.Connect(link));
        floods.put(link, Collections.nCopies(16, new Output.Send(link, megabyte)));
      }
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) -> {
                if (input instanceof Input.Tick) {
                  return calls;
                }
                return input instanceof Input.Connected connected
                    ? floods.getOrDefault(connected.link(), List.of())
                    : List.of();
              });
      PeerLoop loop = loop(machine, NO_COMMITS);
      Running run = start(loop);
      for (ScriptedPeer peer : peers) {
        peer.accept();
      }
      Input told = machine.told();
      while (!(told instanceof Input.Disconnected)) {
        told = machine.told();
      }
      assertThat(((Input.Disconnected) told).why()).contains("does not read");
      loop.post(new Input.Stop());
      run.end();
    } finally {
      for (ScriptedPeer peer : peers) {
        peer.close();
      }
    }
  }

  /** Half a whole block each: the bound has a total. */
  @Test
  void manyLargeMessagesInTheirMiddlesAreTooMany() throws Exception {
    List<ScriptedPeer> peers = new ArrayList<>();
    try {
      List<Output> calls = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        ScriptedPeer peer = new ScriptedPeer();
        peers.add(peer);
        calls.add(new Output.Connect(peer.link(1 + i)));
      }
      ScriptedMachine machine =
          new ScriptedMachine((input, now) -> input instanceof Input.Tick ? calls : List.of());
      PeerLoop loop = loop(machine, NO_COMMITS);
      Running run = start(loop);
      assertThat(machine.told()).isEqualTo(new Input.Tick());
      for (ScriptedPeer peer : peers) {
        peer.accept();
        assertThat(machine.told()).isInstanceOf(Input.Connected.class);
      }
      byte[] block =
          FrameEncoder.encode(
              ScriptedPeer.MAGIC, new Message.BlockMessage(Bytes.wrap(new byte[3_900_000])));
      byte[] most = Arrays.copyOf(block, block.length - 1);
      for (ScriptedPeer peer : peers) {
        Thread sender =
            new Thread(
                () -> {
                  try {
                    peer.sends(most);
                  } catch (IOException e) {
                    // It was disconnected, as it should be.
                  }
                });
        sender.start();
        threads.add(sender);
      }
      for (int i = 0; i < 4; i++) {
        assertThat(machine.told())
            .isInstanceOfSatisfying(
                Input.Disconnected.class,
                lost -> assertThat(lost.why()).contains("in the middle of a large message"));
      }
      loop.post(new Input.Stop());
      run.end();
    } finally {
      for (ScriptedPeer peer : peers) {
        peer.close();
      }
    }
  }

  @Test
  void commitsDoNotBlockAndAreAnsweredInOrder() throws Exception {
    CountDownLatch disk = new CountDownLatch(1);
    List<String> written = Collections.synchronizedList(new ArrayList<>());
    CommitSink sink =
        batch -> {
          await(disk);
          written.add(Thread.currentThread().getName() + " " + batch.sequence());
          return List.of(
              new Input.WatchSetChanged((int) batch.sequence(), List.of(), List.of(), List.of()),
              new Input.Committed(batch.sequence(), 0, Set.of()));
        };
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) ->
                  input instanceof Input.Tick
                      ? List.of(
                          new Output.Commit(batch(1)),
                          new Output.Commit(batch(2)),
                          new Output.Connect(link))
                      : List.of());
      PeerLoop loop = loop(machine, sink);
      Running run = start(loop);
      peer.accept().sends(new Message.Ping(1));
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Connected(link));
      assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Ping(1), 32));
      assertThat(written).isEmpty();

      disk.countDown();
      assertThat(machine.told())
          .isEqualTo(new Input.WatchSetChanged(1, List.of(), List.of(), List.of()));
      assertThat(machine.told()).isEqualTo(new Input.Committed(1, 0, Set.of()));
      assertThat(machine.told())
          .isEqualTo(new Input.WatchSetChanged(2, List.of(), List.of(), List.of()));
      assertThat(machine.told()).isEqualTo(new Input.Committed(2, 0, Set.of()));
      assertThat(written).containsExactly("murmur-commit 1", "murmur-commit 2");
      loop.post(new Input.Stop());
      run.end();
    }
  }

  @Test
  void failedCommitEndsTheLoopAndTheNextIsNotTried() throws Exception {
    IOException full = new IOException("disk full");
    AtomicInteger calls = new AtomicInteger();
    CommitSink sink =
        batch -> {
          calls.incrementAndGet();
          throw full;
        };
    ScriptedMachine machine =
        new ScriptedMachine(
            (input, now) -> List.of(new Output.Commit(batch(1)), new Output.Commit(batch(2))));
    Running run = start(loop(machine, sink));
    assertThatThrownBy(run::end).isInstanceOf(ExecutionException.class).hasCause(full);
    assertThat(calls).hasValue(1);
  }

  /** A caller that closes the database after run() must not close it during a commit. */
  @Test
  void commitUnderWayIsWaitedFor() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch disk = new CountDownLatch(1);
    AtomicInteger finished = new AtomicInteger();
    CommitSink sink =
        batch -> {
          begun.countDown();
          await(disk);
          finished.incrementAndGet();
          throw new IOException("too late");
        };
    ScriptedMachine machine =
        new ScriptedMachine(
            (input, now) ->
                input instanceof Input.Tick ? List.of(new Output.Commit(batch(1))) : List.of());
    PeerLoop loop = loop(machine, sink);
    Running run = start(loop);
    await(begun);
    loop.post(new Input.Stop());
    machine.told();
    assertThat(machine.told()).isEqualTo(new Input.Stop());
    assertThat(run.done).isNotDone();
    disk.countDown();
    assertThatThrownBy(run::end).hasRootCauseMessage("too late");
    assertThat(finished).hasValue(1);
  }

  @Test
  void slowNameDelaysNoOther() throws Exception {
    CountDownLatch dns = new CountDownLatch(1);
    Resolver.Names names =
        host -> {
          await(dns);
          throw new UnknownHostException(host);
        };
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link slow = new Link(1, new NodeAddress("slow.example", 8333));
      Link fast = peer.link(2);
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) ->
                  input instanceof Input.Tick
                      ? List.of(new Output.Connect(slow), new Output.Connect(fast))
                      : List.of());
      start(
          new PeerLoop(
              machine,
              NO_COMMITS,
              PeerLoopTest::ignore,
              Clock.systemUTC(),
              ScriptedPeer.MAGIC,
              Route.DIRECT.names(names),
              new Random(1)));
      peer.accept().sends(new Message.Ping(1));
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Connected(fast));
      assertThat(machine.told()).isEqualTo(new Input.Received(fast, new Message.Ping(1), 32));
      dns.countDown();
      assertThat(machine.told())
          .isEqualTo(
              new Input.ConnectFailed(
                  slow, Obstacle.UNKNOWN_NAME, "the host name 'slow.example' cannot be resolved"));
    }
  }

  @Test
  void looksNamesUpForTheMachine() throws Exception {
    Resolver.Names names =
        host -> {
          if (!host.equals("x5.seed.example")) {
            throw new UnknownHostException(host);
          }
          return new InetAddress[] {
            InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
            InetAddress.getByName("2001:db8:0:0:0:0:0:7")
          };
        };
    ScriptedMachine machine =
        new ScriptedMachine(
            (input, now) ->
                input instanceof Input.Tick
                    ? List.of(new Output.LookUp("x5.seed.example", 7))
                    : input instanceof Input.LookedUp
                        ? List.of(new Output.LookUp("no.example", 7))
                        : List.of());
    start(
        new PeerLoop(
            machine,
            NO_COMMITS,
            PeerLoopTest::ignore,
            Clock.systemUTC(),
            ScriptedPeer.MAGIC,
            Route.DIRECT.names(names),
            new Random(1)));
    machine.told();
    Input.LookedUp found = (Input.LookedUp) machine.told();
    assertThat(found.name()).isEqualTo("x5.seed.example");
    assertThat(found.addresses())
        .extracting(address -> address.endpoint().orElseThrow().toString())
        .containsExactly("127.0.0.2:7", "[2001:db8::7]:7");
    assertThat(machine.told())
        .isEqualTo(
            new Input.LookUpFailed("no.example", "the host name 'no.example' cannot be resolved"));
  }

  @Test
  void everyAddressOfANameIsTried() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Resolver.Names names =
          host ->
              new InetAddress[] {
                InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
                InetAddress.getLoopbackAddress()
              };
      Link link = new Link(1, new NodeAddress("two.example", peer.port()));
      ScriptedMachine machine = connecting(link);
      start(
          new PeerLoop(
              machine,
              NO_COMMITS,
              PeerLoopTest::ignore,
              Clock.systemUTC(),
              ScriptedPeer.MAGIC,
              Route.DIRECT.names(names),
              new Random(1)));
      peer.accept();
      machine.told();
      assertThat(machine.told())
          .isEqualTo(new Input.Connected(link, new NodeAddress("127.0.0.1", peer.port()), false));
    }
  }

  @Test
  void disconnectWhileTheNameIsLookedUp() throws Exception {
    CountDownLatch dns = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    Resolver.Names names =
        host -> {
          await(dns);
          answered.countDown();
          throw new UnknownHostException(host);
        };
    Link link = new Link(1, new NodeAddress("slow.example", 8333));
    ScriptedMachine machine =
        new ScriptedMachine(
            (input, now) ->
                input instanceof Input.Tick
                    ? List.of(
                        new Output.Connect(link),
                        new Output.Disconnect(link, DisconnectReason.CONNECT_TIMEOUT, ""))
                    : List.of());
    PeerLoop loop =
        new PeerLoop(
            machine,
            NO_COMMITS,
            PeerLoopTest::ignore,
            Clock.systemUTC(),
            ScriptedPeer.MAGIC,
            Route.DIRECT.names(names),
            new Random(1));
    Running run = start(loop);
    machine.told();
    dns.countDown();
    await(answered);
    loop.post(new Input.Stop());
    run.end();
    assertThat(machine.rest()).containsExactly(new Input.Stop());
  }

  @Test
  void wakesWhenAskedAndNotBefore() throws Exception {
    Instant start = Clock.systemUTC().instant();
    List<Instant> ticks = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch two = new CountDownLatch(2);
    ScriptedMachine machine =
        new ScriptedMachine(
            (input, now) -> {
              ticks.add(now);
              two.countDown();
              return ticks.size() > 1
                  ? List.of()
                  : List.of(
                      new Output.WakeAt(now.plus(Duration.ofDays(1))),
                      new Output.WakeAt(start.plusMillis(50)));
            });
    start(loop(machine, NO_COMMITS));
    await(two);
    assertThat(ticks.get(1)).isAfterOrEqualTo(start.plusMillis(50));
    assertThat(machine.rest()).containsExactly(new Input.Tick(), new Input.Tick());
  }

  @Test
  void inputsOfManyThreadsComeOnceAndInEachThreadsOrder() throws Exception {
    ScriptedMachine machine = new ScriptedMachine((input, now) -> List.of());
    PeerLoop loop = loop(machine, NO_COMMITS);
    List<Thread> posters = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int from = t * 1_000;
      posters.add(
          new Thread(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  loop.post(new Input.Committed(from + i, 0, Set.of()));
                }
              }));
    }
    posters.get(0).start();
    posters.get(1).start();
    Running run = start(loop);
    posters.get(2).start();
    posters.get(3).start();
    for (Thread poster : posters) {
      poster.join();
    }
    loop.post(new Input.Stop());
    run.end();
    List<Long> came =
        machine.rest().stream()
            .flatMap(i -> i instanceof Input.Committed c ? Stream.of(c.sequence()) : Stream.empty())
            .toList();
    assertThat(came).hasSize(4_000).doesNotHaveDuplicates();
    for (int t = 0; t < 4; t++) {
      long from = t * 1_000L;
      assertThat(came.stream().filter(s -> s >= from && s < from + 1_000)).isSorted();
    }
  }

  @Test
  void eventsAreToldOnTheLoopsThread() throws Exception {
    SyncEvent event = new SyncEvent.Progress(1, 2, 3, 4, 5, Duration.ZERO, Optional.empty());
    List<Object> told = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch once = new CountDownLatch(1);
    ScriptedMachine machine = new ScriptedMachine((input, now) -> List.of(new Output.Emit(event)));
    start(
        new PeerLoop(
            machine,
            NO_COMMITS,
            e -> {
              told.add(e);
              told.add(Thread.currentThread());
              once.countDown();
            },
            Clock.systemUTC(),
            ScriptedPeer.MAGIC));
    await(once);
    assertThat(told).containsExactly(event, threads.get(0));
  }

  @Test
  void interruptEndsTheLoop() throws Exception {
    ScriptedMachine machine = new ScriptedMachine((input, now) -> List.of());
    Running run = start(loop(machine, NO_COMMITS));
    machine.told();
    threads.get(0).interrupt();
    assertThatThrownBy(run::end).hasCauseInstanceOf(InterruptedIOException.class);
  }

  @Test
  void faultOfTheMachineReachesTheCaller() throws Exception {
    ScriptedMachine machine =
        new ScriptedMachine(
            (input, now) -> {
              throw new IllegalStateException("a bug");
            });
    Running run = start(loop(machine, NO_COMMITS));
    assertThatThrownBy(run::end).hasRootCauseMessage("a bug");
  }

  private static void ignore(SyncEvent event) {}

  /** A loop on its own thread, with a way to wait for its end. */
  private record Running(CompletableFuture<Void> done) {
    void end() throws InterruptedException, ExecutionException, TimeoutException {
      done.get(ScriptedPeer.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private static ScriptedMachine connecting(Link link) {
    return new ScriptedMachine(
        (input, now) ->
            input instanceof Input.Tick ? List.of(new Output.Connect(link)) : List.of());
  }

  private static PeerLoop loop(ScriptedMachine machine, CommitSink sink) {
    return new PeerLoop(machine, sink, PeerLoopTest::ignore, Clock.systemUTC(), ScriptedPeer.MAGIC);
  }

  private Running start(PeerLoop loop) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
                done.complete(null);
              } catch (IOException | RuntimeException | Error e) {
                done.completeExceptionally(e);
              }
            },
            "loop under test");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return new Running(done);
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(ScriptedPeer.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static CommitBatch batch(long sequence) {
    return new CommitBatch(
        sequence,
        0,
        Headers.NONE,
        OptionalInt.empty(),
        List.of(),
        List.of(),
        Integer.MAX_VALUE,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }
}
