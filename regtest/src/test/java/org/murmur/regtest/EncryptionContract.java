package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.chain.Chain;

/** How a node takes callers that encrypt (BIP-0324), and those that do so wrongly. */
public abstract class EncryptionContract extends NodeContract {

  private static final int KEY = 64;

  /** Core reads the longest garbage and a terminator, and disconnects at the next byte. */
  private static final int ENDLESS = KEY + 4095 + 16 + 1;

  /** More than three keys of each direction. */
  private static final int MANY = 700;

  @BeforeAll
  void build() {
    serve(Chain.ofGenesis(), ContractNode.Kind.UNTRUSTING, ContractNode.Kind.WITHOUT_ENCRYPTION);
  }

  private int port(ContractNode.Kind kind) {
    return node(kind).port();
  }

  private TestPeer encrypted() {
    return TestPeer.encrypted("127.0.0.1", port(ContractNode.Kind.UNTRUSTING));
  }

  @Test
  void callersMayEncrypt() {
    try (TestPeer peer = encrypted().greet(TestPeer.Hello.LIGHT)) {
      assertThat(Services.has(peer.version().services(), Services.P2P_V2)).isTrue();
      for (int i = 0; i < MANY; i++) {
        assertThat(peer.barrier()).isEmpty();
      }
    }
  }

  @Test
  void callersNeedNotEncrypt() {
    try (TestPeer peer = TestPeer.connect("127.0.0.1", port(ContractNode.Kind.UNTRUSTING))) {
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void aWrongTagEndsTheConnection() {
    try (TestPeer peer = encrypted().greet(TestPeer.Hello.LIGHT)) {
      byte[] ping = peer.transport().encode(new Message.Ping(7));
      ping[ping.length - 1] ^= 1;
      peer.sendRaw(ping);
      assertThat(peer.untilClosed()).doesNotContain(new Message.Pong(7));
    }
  }

  @Test
  void endlessGarbageEndsTheConnection() {
    try (TestPeer peer = TestPeer.open("127.0.0.1", port(ContractNode.Kind.UNTRUSTING))) {
      peer.sendRaw(new byte[ENDLESS]);
      assertThat(isClosed(peer)).isTrue();
    }
  }

  @Test
  void withoutEncryptionAKeyEndsTheConnection() {
    int port = port(ContractNode.Kind.WITHOUT_ENCRYPTION);
    try (TestPeer peer = TestPeer.connect("127.0.0.1", port)) {
      assertThat(Services.has(peer.version().services(), Services.P2P_V2)).isFalse();
    }
    try (TestPeer peer = TestPeer.open("127.0.0.1", port)) {
      peer.sendRaw(new byte[KEY]);
      assertThat(peer.receive()).as("not a byte came").isFalse();
    }
  }

  /** Reads the node's key and garbage until it disconnects; fails by time-out if it does not. */
  private static boolean isClosed(TestPeer peer) {
    boolean more = true;
    while (more) {
      more = peer.receive();
    }
    return true;
  }
}
