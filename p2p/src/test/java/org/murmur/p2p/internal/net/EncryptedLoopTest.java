package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.Obstacle;

/** Encrypted connections and their fall back to plain ones, over real sockets. */
final class EncryptedLoopTest {

  private static final int KEY = 64;

  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(ScriptedPeer.PATIENCE_MILLIS);
    }
  }

  @Test
  void speaksEncrypted() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer().encrypts()) {
      Link link = peer.link(1);
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      PeerLoop loop = start(machine, null);
      peer.accept();
      assertThat(peer.reads()).isEqualTo(new Message.Ping(1));
      peer.sends(new Message.Pong(1));

      assertThat(machine.told()).isEqualTo(new Input.Tick());
      assertThat(machine.told()).isEqualTo(new Input.Accepted(link));
      assertThat(machine.told()).isEqualTo(new Input.Connected(link, link.address(), true));
      assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Pong(1), 29));
      loop.post(new Input.Stop());
      assertThat(peer.reads()).isNull();
    }
  }

  @Test
  void aPeerThatHangsUpOnTheKeyIsCalledInTheClear() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      start(machine, null);
      peer.accept().reads(KEY);
      peer.hangsUp();
      talksPlainly(peer, machine, link);
    }
  }

  @Test
  void aPeerThatAnswersInTheClearIsCalledInTheClear() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      start(machine, null);
      peer.accept();
      peer.sends(new Message.Version(70016, 0, 0, 0, "/old/", 0, false));
      talksPlainly(peer, machine, link);
    }
  }

  /** On the second call of a peer. The machine learns nothing of the first one. */
  private static void talksPlainly(ScriptedPeer peer, ScriptedMachine machine, Link link)
      throws Exception {
    peer.accept();
    assertThat(peer.reads()).isEqualTo(new Message.Ping(1));
    peer.sends(new Message.Pong(1));
    assertThat(machine.told()).isEqualTo(new Input.Tick());
    assertThat(machine.told()).isEqualTo(new Input.Accepted(link));
    assertThat(machine.told()).isEqualTo(new Input.Connected(link));
    assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Pong(1), 32));
    peer.hangsUp();
    assertThat(machine.told()).isInstanceOf(Input.Disconnected.class);
    assertThat(peer.wasCalled()).isFalse();
  }

  @Test
  void aPeerThatHangsUpTwiceIsLost() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      start(machine, null);
      peer.accept().hangsUp();
      peer.accept().hangsUp();
      machine.told();
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Connected(link));
      assertThat(machine.told()).isInstanceOf(Input.Disconnected.class);
      assertThat(peer.wasCalled()).isFalse();
    }
  }

  @Test
  void noClearTextIfThatIsForbidden() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = pinging(link, Encryption.ONLY);
      start(machine, null);
      peer.accept().reads(KEY);
      peer.hangsUp();
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Accepted(link));
      assertThat(machine.told())
          .isEqualTo(
              new Input.ConnectFailed(link, Obstacle.NOT_ENCRYPTED, "does not encrypt (BIP-0324)"));
      assertThat(peer.wasCalled()).isFalse();
    }
  }

  @Test
  void aPeerThatHangsUpInTheHandshakeIsNotCalledAgain() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      start(machine, null);
      peer.accept().sends(new byte[1]);
      // The byte is read before the end of the stream.
      machine.told();
      machine.told();
      peer.reads(KEY);
      peer.hangsUp();
      assertThat(machine.told()).isInstanceOf(Input.Disconnected.class);
      assertThat(peer.wasCalled()).isFalse();
    }
  }

  @Test
  void garbageWithoutAnEndIsGarbled() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      start(machine, null);
      peer.accept().sends(new byte[KEY + 4095 + 16]);
      machine.told();
      machine.told();
      assertThat(machine.told())
          .isInstanceOfSatisfying(
              Input.Garbled.class,
              garbled -> {
                assertThat(garbled.obstacle()).isEqualTo(Obstacle.NO_NODE);
                assertThat(garbled.why()).contains("garbage: has no end");
              });
      assertThat(peer.wasCalled()).isFalse();
    }
  }

  @Test
  void everyConnectionHasItsOwnKeyAndGarbage() throws Exception {
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link one = peer.link(1);
      Link two = peer.link(2);
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) ->
                  input instanceof Input.Tick
                      ? List.of(new Output.Connect(one, Encryption.ONLY))
                      : input instanceof Input.ConnectFailed
                          ? List.of(new Output.Connect(two, Encryption.ONLY))
                          : List.of());
      start(machine, null);
      String first = peer.accept().reads(KEY);
      peer.hangsUp();
      assertThat(peer.accept().reads(KEY)).isNotEqualTo(first);
    }
  }

  @Test
  void throughAProxyToo() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("node.example", 8333));
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      PeerLoop loop = start(machine, new Proxy("127.0.0.1", proxy.port()));
      connects(proxy);
      proxy.encrypts();
      assertThat(proxy.reads()).isEqualTo(new Message.Ping(1));
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Accepted(link));
      assertThat(machine.told()).isEqualTo(new Input.Connected(link, link.address(), true));
      loop.post(new Input.Stop());
      assertThat(proxy.reads()).isNull();
    }
  }

  @Test
  void fallsBackThroughTheProxy() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("node.example", 8333));
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      start(machine, new Proxy("127.0.0.1", proxy.port()));
      String first = connects(proxy);
      proxy.reads(KEY);
      proxy.hangsUp();
      assertThat(connects(proxy)).as("another circuit").isNotEqualTo(first);
      assertThat(proxy.reads()).isEqualTo(new Message.Ping(1));
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Accepted(link));
      assertThat(machine.told()).isEqualTo(new Input.Connected(link));
    }
  }

  @Test
  void aProxyThatRefusesIsNoReasonToCallInTheClear() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("node.example", 8333));
      ScriptedMachine machine = pinging(link, Encryption.PREFER);
      start(machine, new Proxy("127.0.0.1", proxy.port()));
      proxy.accept().reads(4);
      proxy.sends(Hex.parse("0500"));
      proxy.hangsUp();
      machine.told();
      assertThat(machine.told()).isInstanceOf(Input.ConnectFailed.class);
      assertThat(proxy.wasCalled()).isFalse();
    }
  }

  /** The proxy accepts a connection and opens one; returns the login. */
  private static String connects(ScriptedPeer proxy) throws IOException {
    proxy.accept().reads(4);
    proxy.sends(Hex.parse("0502"));
    String login = proxy.reads(67);
    proxy.sends(Hex.parse("0100"));
    proxy.reads(7 + "node.example".length());
    proxy.sends(Hex.parse("05000001000000000000"));
    return login;
  }

  /** Connects, and pings once the connection is open. */
  private static ScriptedMachine pinging(Link link, Encryption encryption) {
    return new ScriptedMachine(
        (input, now) -> {
          if (input instanceof Input.Tick) {
            return List.of(new Output.Connect(link, encryption));
          }
          return input instanceof Input.Connected
              ? List.of(new Output.Send(link, new Message.Ping(1)))
              : List.of();
        });
  }

  private PeerLoop start(ScriptedMachine machine, @Nullable Proxy proxy) {
    PeerLoop loop =
        new PeerLoop(
            machine,
            batch -> {
              throw new AssertionError("no commit expected");
            },
            event -> {},
            Clock.systemUTC(),
            ScriptedPeer.MAGIC,
            proxy == null ? Route.DIRECT : Route.DIRECT.proxy(proxy),
            new Random(5));
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (IOException e) {
                // Interrupted at the end of the test.
              }
            },
            "loop under test");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return loop;
  }
}
