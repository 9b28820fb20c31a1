package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/** The shell and a scripted proxy on 127.0.0.1. */
@Timeout(120)
final class ProxiedLoopTest {

  private static final String ONION =
      "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion";

  private static final String ESTABLISHED = "05000001000000000000";

  private final List<Thread> threads = new ArrayList<>();

  /** Every name that was looked up by the system: a failure of the test, whatever the name. */
  private final Queue<String> lookedUp = new ConcurrentLinkedQueue<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(ScriptedPeer.PATIENCE_MILLIS);
    }
    assertThat(lookedUp).as("names asked of the system").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"seed.example", ONION, "127.0.0.1", "localhost", "2001:db8::1"})
  void speaksWithAPeerThroughTheProxy(String host) throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress(host, 8333));
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) -> {
                if (input instanceof Input.Tick) {
                  return List.of(new Output.Connect(link));
                }
                return input instanceof Input.Connected
                    ? List.of(new Output.Send(link, new Message.Ping(1)))
                    : List.of();
              });
      PeerLoop loop = start(machine, proxy);

      proxy.accept();
      assertThat(proxy.reads(4)).isEqualTo("05020002");
      proxy.sends(Hex.parse("0502"));
      assertThat(proxy.reads(67)).startsWith("0120");
      proxy.sends(Hex.parse("0100"));
      byte[] name = host.getBytes(StandardCharsets.US_ASCII);
      assertThat(proxy.reads(7 + name.length))
          .isEqualTo("05010003" + String.format("%02x", name.length) + Hex.format(name) + "208d");
      // The peer's first bytes come with the proxy's last.
      byte[] pong = FrameEncoder.encode(ScriptedPeer.MAGIC, new Message.Pong(9));
      proxy.sends(Hex.parse(ESTABLISHED + Hex.format(pong)));
      assertThat(proxy.reads()).isEqualTo(new Message.Ping(1));

      assertThat(machine.told()).isEqualTo(new Input.Tick());
      // The address of a name is known to the proxy only.
      assertThat(machine.told()).isEqualTo(new Input.Connected(link));
      assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Pong(9), 32));
      loop.post(new Input.Stop());
      assertThat(proxy.reads()).isNull();
    }
  }

  @Test
  void answersMayDripIn() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("seed.example", 1));
      ScriptedMachine machine = connecting(link);
      start(machine, proxy);
      proxy.accept();
      for (String answer : new String[] {"0500", "050000030161ffff"}) {
        for (int i = 0; i < answer.length(); i += 2) {
          proxy.sends(Hex.parse(answer.substring(i, i + 2)));
        }
      }
      for (byte b : FrameEncoder.encode(ScriptedPeer.MAGIC, new Message.Verack())) {
        proxy.sends(new byte[] {b});
      }
      machine.told();
      assertThat(machine.told()).isEqualTo(new Input.Connected(link));
      assertThat(machine.told()).isEqualTo(new Input.Received(link, new Message.Verack(), 24));
    }
  }

  @Test
  void twoConnectionsLogInAsTwo() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link one = new Link(1, new NodeAddress("a.example", 1));
      Link two = new Link(2, new NodeAddress("b.example", 1));
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) ->
                  input instanceof Input.Tick
                      ? List.of(new Output.Connect(one))
                      : input instanceof Input.ConnectFailed
                          ? List.of(new Output.Connect(two))
                          : List.of());
      start(machine, proxy);
      String[] logins = new String[2];
      for (int i = 0; i < logins.length; i++) {
        proxy.accept();
        proxy.reads(4);
        proxy.sends(Hex.parse("0502"));
        logins[i] = proxy.reads(67);
        proxy.sends(Hex.parse("01000505"));
        proxy.hangsUp();
      }
      assertThat(logins[0]).isNotEqualTo(logins[1]);
      assertThat(logins[0].substring(4, 68)).isNotEqualTo(logins[1].substring(4, 68));
    }
  }

  /** All that came is read, so that the reason is reported and not "connection reset". */
  @ParameterizedTest
  @CsvSource({
    "0500, 05050001000000000000, 'connection refused, says the proxy'",
    "0500, 05f0, 'no such onion service, or it is down (descriptor not found)'",
    "0500, '', 'the proxy closed the connection instead of connecting (closed by the other side)'"
  })
  void thePeerCannotBeReached(String first, String second, String expected) throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("seed.example", 1));
      ScriptedMachine machine = connecting(link);
      start(machine, proxy);
      proxy.accept();
      proxy.reads(4);
      proxy.sends(Hex.parse(first));
      proxy.reads(7 + "seed.example".length());
      proxy.sends(Hex.parse(second));
      proxy.hangsUp();
      machine.told();
      assertThat(machine.told())
          .isEqualTo(new Input.ConnectFailed(link, Obstacle.BEYOND_PROXY, expected));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "05ff, requires a login method that Murmur does not support",
    "'', hung up (closed by the other side); is it a SOCKS5 proxy?",
    "05, hung up (closed by the other side); is it a SOCKS5 proxy?",
    "485454502f312e3120343030, answers in HTTP; it is no SOCKS5 proxy",
    "fabfb5da76657273696f6e, answers with garbage; is it a SOCKS5 proxy?"
  })
  void theProxyCannotBeUsed(String answer, String expected) throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("seed.example", 1));
      ScriptedMachine machine = connecting(link);
      start(machine, proxy);
      proxy.accept();
      proxy.reads(4);
      proxy.sends(Hex.parse(answer));
      proxy.hangsUp();
      machine.told();
      assertThat(machine.told())
          .isEqualTo(
              new Input.ProxyFailed(
                  link,
                  Obstacle.PROXY_UNFIT,
                  "the proxy 127.0.0.1:" + proxy.port() + " " + expected));
    }
  }

  @Test
  void noProxyListens() throws Exception {
    // It would answer a direct call.
    try (ScriptedPeer peer = new ScriptedPeer()) {
      Link link = peer.link(1);
      ScriptedMachine machine = connecting(link);
      start(machine, new Proxy("127.0.0.1", 1));
      machine.told();
      assertThat(machine.told())
          .isEqualTo(
              new Input.ProxyFailed(
                  link,
                  Obstacle.PROXY_DOWN,
                  "the proxy 127.0.0.1:1 cannot be reached: connection refused"));
      assertThat(peer.wasCalled()).isFalse();
    }
  }

  @Test
  void mistypedOnionAddressesAreNotAskedFor() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("q" + ONION.substring(1), 1));
      ScriptedMachine machine = connecting(link);
      start(machine, proxy);
      machine.told();
      assertThat(machine.told())
          .isInstanceOfSatisfying(
              Input.ConnectFailed.class, failed -> assertThat(failed.why()).contains("mistyped"));
      assertThat(proxy.wasCalled()).isFalse();
    }
  }

  /** A proxy that never answers costs no more than the machine's patience. */
  @Test
  void aSilentProxyIsLeftWhenTheMachineRequestsIt() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      Link link = new Link(1, new NodeAddress("seed.example", 1));
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) -> {
                if (input instanceof Input.Tick) {
                  return List.of(new Output.Connect(link));
                }
                return input instanceof Input.Committed
                    ? List.of(new Output.Disconnect(link, DisconnectReason.CONNECT_TIMEOUT, ""))
                    : List.of();
              });
      PeerLoop loop = start(machine, proxy);
      proxy.accept();
      assertThat(proxy.reads(4)).isEqualTo("05020002");
      loop.post(new Input.Committed(1, 0, Set.of()));
      assertThat(proxy.reads()).isNull();
      proxy.hangsUp();
      loop.post(new Input.Stop());
      for (Thread thread : threads) {
        thread.join(ScriptedPeer.PATIENCE_MILLIS);
      }
      assertThat(machine.rest())
          .containsExactly(new Input.Tick(), new Input.Committed(1, 0, Set.of()), new Input.Stop());
    }
  }

  /** A machine that does not know of the proxy gets no further than this. */
  @Test
  void aQuestionForANameIsNotAsked() throws Exception {
    try (ScriptedPeer proxy = new ScriptedPeer()) {
      ScriptedMachine machine =
          new ScriptedMachine(
              (input, now) ->
                  input instanceof Input.Tick
                      ? List.of(new Output.LookUp("seed.example", 1))
                      : List.of());
      start(machine, proxy);
      machine.told();
      assertThat(machine.told())
          .isInstanceOfSatisfying(
              Input.LookUpFailed.class,
              failed -> assertThat(failed.name()).isEqualTo("seed.example"));
      assertThat(proxy.wasCalled()).isFalse();
    }
  }

  @Test
  void thePublicLoopLooksNothingUpEither() {
    assertThatThrownBy(() -> Resolver.REFUSING.lookUp("localhost"))
        .isInstanceOf(UnknownHostException.class);
  }

  private static ScriptedMachine connecting(Link link) {
    return new ScriptedMachine(
        (input, now) ->
            input instanceof Input.Tick ? List.of(new Output.Connect(link)) : List.of());
  }

  private PeerLoop start(ScriptedMachine machine, ScriptedPeer proxy) {
    return start(machine, new Proxy("127.0.0.1", proxy.port()));
  }

  private PeerLoop start(ScriptedMachine machine, Proxy proxy) {
    PeerLoop loop =
        new PeerLoop(
            machine,
            batch -> {
              throw new AssertionError("no commit expected");
            },
            event -> {},
            Clock.systemUTC(),
            ScriptedPeer.MAGIC,
            Route.DIRECT
                .names(
                    host -> {
                      lookedUp.add(host);
                      throw new AssertionError("looked up " + host);
                    })
                .proxy(proxy),
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
