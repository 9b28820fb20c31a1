package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.chain.Chain;

/** How a node describes itself, what it answers or ignores, and when it disconnects. */
public abstract class ConversationContract extends NodeContract {

  private static final Hash256 UNKNOWN = Hash256.ofDisplay("5a".repeat(Hash256.LENGTH));
  private static final Bytes ELEMENT = Bytes.ofHex("00112233445566778899aabbccddeeff00112233");

  private final Chain chain = Chain.ofGenesis();

  @BeforeAll
  void build() {
    try (RegtestNode builder = RegtestNode.start(chain)) {
      builder.mine(20);
    }
    serve(
        chain,
        ContractNode.Kind.TRUSTING,
        ContractNode.Kind.UNTRUSTING,
        ContractNode.Kind.WITHOUT_BLOOM);
  }

  private TestPeer peer(ContractNode.Kind kind) {
    return TestPeer.connect("127.0.0.1", node(kind).port());
  }

  private TestPeer trusted() {
    return peer(ContractNode.Kind.TRUSTING);
  }

  private TestPeer stranger() {
    return peer(ContractNode.Kind.UNTRUSTING);
  }

  private static Message load() {
    return new Message.FilterLoad(NodeProtocolTest.filter(UpdateFlag.ALL, ELEMENT));
  }

  private static Message askFrom(Hash256... locator) {
    return new Message.GetHeaders(List.of(locator), Hash256.ZERO);
  }

  @Test
  void reportsItsServices() {
    try (TestPeer peer = trusted();
        TestPeer other = peer(ContractNode.Kind.WITHOUT_BLOOM)) {
      long told = Services.NETWORK | Services.NETWORK_LIMITED | Services.WITNESS;
      long mask = told | Services.BLOOM;
      assertThat(peer.version().services() & mask).isEqualTo(told | Services.BLOOM);
      assertThat(other.version().services() & mask).isEqualTo(told);
      assertThat(peer.version().protocol()).isEqualTo(70016);
      assertThat(peer.version().startHeight()).isEqualTo(20);
      assertThat(peer.version().userAgent()).matches("/[^/:]+:[^/]+/.*");
      assertThat(peer.version().relay()).isTrue();
    }
  }

  @Test
  void greetsWithItsSettings() {
    try (TestPeer peer = trusted()) {
      peer.barrier();
      assertThat(peer.greetings())
          .hasAtLeastOneElementOfType(Message.WtxidRelay.class)
          .hasAtLeastOneElementOfType(Message.SendAddrV2.class)
          .hasAtLeastOneElementOfType(Message.SendCmpct.class)
          .hasAtLeastOneElementOfType(Message.Ping.class)
          .contains(new Message.FeeFilter(1000));
    }
  }

  /** An older client, such as bitcoinj, disconnects at a message that it does not know. */
  @Test
  void sendsOlderPeersOnlyKnownMessages() {
    try (TestPeer peer =
        TestPeer.connect(
            "127.0.0.1",
            node(ContractNode.Kind.TRUSTING).port(),
            new TestPeer.Hello(70013, 0, false, false))) {
      peer.barrier();
      assertThat(peer.greetings()).hasAtLeastOneElementOfType(Message.FeeFilter.class);
      assertThat(peer.greetings())
          .noneMatch(
              m ->
                  m instanceof Message.SendCmpct
                      || m instanceof Message.WtxidRelay
                      || m instanceof Message.SendAddrV2);
    }
  }

  @Test
  void answersNothingBeforeTheHandshakeIsOver() {
    try (TestPeer peer = TestPeer.open("127.0.0.1", node(ContractNode.Kind.UNTRUSTING).port())) {
      peer.send(new Message.Version(70016, 0, 0, 7, "/x/", 0, false));
      peer.send(new Message.Ping(2), askFrom(chain.blockAt(0).hash()));
      assertThat(peer.next()).isInstanceOf(Message.Version.class);
      assertThat(peer.next()).isInstanceOf(Message.Verack.class);
      peer.send(new Message.Verack());
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void aSecondVersionChangesNothing() {
    try (TestPeer peer = stranger()) {
      peer.send(new Message.Version(70016, 0, 0, 8, "/x/", 0, true), new Message.Verack());
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void answersInTheOrderAsked() {
    try (TestPeer peer = trusted()) {
      peer.send(load(), new Message.Ping(1), askFrom(chain.blockAt(0).hash()));
      peer.ask(InventoryItem.FILTERED_BLOCK, chain.blockAt(3).hash(), chain.blockAt(2).hash());
      peer.send(new Message.Ping(2));
      peer.ask(InventoryItem.BLOCK, chain.blockAt(1).hash());
      List<Message> answers = peer.barrier();
      assertThat(answers)
          .extracting(Message::getClass)
          .extracting(Class::getSimpleName)
          .containsExactly(
              "Pong",
              "HeadersMessage",
              "MerkleBlockMessage",
              "MerkleBlockMessage",
              "Pong",
              "BlockMessage");
    }
  }

  @Test
  void ignoresUnknownMessages() {
    try (TestPeer peer = stranger()) {
      peer.send(new Message.Unknown("whatever", Bytes.ofHex("0102")));
      peer.ask(77, chain.blockAt(1).hash());
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void ignoresWhatFollowsAFilter() {
    try (TestPeer peer = trusted()) {
      // One byte, one function, tweak 0, no update; then two bytes more.
      peer.send(
          new Message.Unknown("filterload", Bytes.ofHex("01ff01000000" + "00000000" + "00cafe")));
      assertThat(peer.barrier()).isEmpty();
      peer.send(new Message.Unknown("filteradd", Bytes.ofHex("020102" + "cafe")));
      assertThat(peer.barrier()).isEmpty();
      peer.send(new Message.Unknown("filterclear", Bytes.ofHex("cafe")));
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void beginsAtTheGenesisBlockForAnUnknownLocator() {
    try (TestPeer peer = trusted()) {
      peer.send(askFrom(UNKNOWN));
      Message.HeadersMessage all = (Message.HeadersMessage) peer.next();
      assertThat(all.headers().count()).isEqualTo(20);
      assertThat(all.headers().hash(0)).isEqualTo(chain.blockAt(1).hash());
    }
  }

  @Test
  void answersHeadersWithNothingNew() {
    try (TestPeer peer = trusted()) {
      peer.send(askFrom(chain.tip().hash()));
      assertThat(((Message.HeadersMessage) peer.next()).headers().count()).isZero();
    }
  }

  @Test
  void anEmptyLocatorAsksForOneHeader() {
    try (TestPeer peer = trusted()) {
      peer.send(new Message.GetHeaders(List.of(), chain.blockAt(7).hash()));
      Message.HeadersMessage one = (Message.HeadersMessage) peer.next();
      assertThat(one.headers().hash(0)).isEqualTo(chain.blockAt(7).hash());
      assertThat(one.headers().count()).isEqualTo(1);
      peer.send(new Message.GetHeaders(List.of(), UNKNOWN));
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void stopsHeadersWhereAsked() {
    try (TestPeer peer = trusted()) {
      peer.send(new Message.GetHeaders(List.of(chain.blockAt(2).hash()), chain.blockAt(9).hash()));
      assertThat(((Message.HeadersMessage) peer.next()).headers().count()).isEqualTo(7);
    }
  }

  @Test
  void walksAlongWithGetBlocks() {
    try (TestPeer peer = trusted()) {
      peer.send(new Message.GetBlocks(List.of(chain.blockAt(4).hash()), chain.blockAt(7).hash()));
      assertThat(((Message.Inv) peer.next()).items())
          .extracting(InventoryItem::hash)
          .containsExactly(chain.blockAt(5).hash(), chain.blockAt(6).hash());
      peer.send(new Message.GetBlocks(List.of(chain.tip().hash()), Hash256.ZERO));
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("blockKinds")
  void saysNothingOfUnknownBlocks(int kind) {
    try (TestPeer peer = trusted()) {
      peer.send(load());
      peer.ask(kind, UNKNOWN, chain.blockAt(5).hash());
      assertThat(peer.barrier()).hasSize(1);
    }
  }

  static Stream<Integer> blockKinds() {
    return Stream.of(
        InventoryItem.BLOCK,
        InventoryItem.WITNESS_BLOCK,
        InventoryItem.FILTERED_BLOCK,
        InventoryItem.FILTERED_WITNESS_BLOCK);
  }

  @ParameterizedTest
  @MethodSource("transactionKinds")
  void saysWhichTransactionsItDoesNotHave(int kind) {
    try (TestPeer peer = trusted()) {
      peer.ask(kind, UNKNOWN, Hash256.ZERO);
      assertThat(peer.barrier())
          .containsExactly(
              new Message.NotFound(
                  List.of(
                      new InventoryItem(kind, UNKNOWN), new InventoryItem(kind, Hash256.ZERO))));
    }
  }

  static Stream<Integer> transactionKinds() {
    return Stream.of(InventoryItem.TX, InventoryItem.WITNESS_TX, InventoryItem.WTX);
  }

  @Test
  void aConfirmedTransactionOfTheTipIsServed() {
    try (TestPeer peer = trusted()) {
      peer.ask(InventoryItem.TX, chain.tip().txid(0));
      peer.ask(InventoryItem.TX, chain.blockAt(5).txid(0));
      List<Message> answers = peer.barrier();
      assertThat(TestPeer.transactions(answers))
          .extracting(tx -> tx.txid())
          .containsExactly(chain.tip().txid(0));
      assertThat(answers).hasSize(2).last().isInstanceOf(Message.NotFound.class);
    }
  }

  @Test
  void saysNothingToFilteredBlocksWithoutAFilter() {
    try (TestPeer peer = stranger()) {
      peer.ask(InventoryItem.FILTERED_BLOCK, chain.blockAt(5).hash());
      peer.send(load(), new Message.FilterClear());
      peer.ask(InventoryItem.FILTERED_BLOCK, chain.blockAt(5).hash());
      assertThat(peer.barrier()).isEmpty();
    }
  }

  /** Messages that a peer without permissions is disconnected for. */
  static Stream<Arguments> tooMuch() {
    Bytes items = many(50_001);
    return Stream.of(
        Arguments.of("a filter of 36,001 bytes", filter(36_001, 10)),
        Arguments.of("a filter of 51 functions", filter(100, 51)),
        Arguments.of(
            "an element of 521 bytes",
            new Message.Unknown(
                "filteradd", new ByteWriter().varBytes(Bytes.wrap(new byte[521])).toBytes())),
        Arguments.of("a getdata of 50,001", new Message.Unknown("getdata", items)),
        Arguments.of("an inv of 50,001", new Message.Unknown("inv", items)),
        Arguments.of("a locator of 102", new Message.Unknown("getheaders", locator(102))));
  }

  private static Bytes many(int count) {
    ByteWriter out = new ByteWriter(count * 36 + 9).compactSize(count);
    for (int i = 0; i < count; i++) {
      out.int32(InventoryItem.BLOCK).hash(UNKNOWN);
    }
    return out.toBytes();
  }

  private static Bytes locator(int count) {
    ByteWriter out = new ByteWriter().int32(70016).compactSize(count);
    Collections.nCopies(count + 1, UNKNOWN).forEach(out::hash);
    return out.toBytes();
  }

  private static Message filter(int bytes, int functions) {
    return new Message.Unknown(
        "filterload",
        new ByteWriter()
            .varBytes(Bytes.wrap(new byte[bytes]))
            .int32(functions)
            .int32(0)
            .uint8(0)
            .toBytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tooMuch")
  void hangsUpOn(String name, Message message) {
    try (TestPeer peer = stranger()) {
      peer.send(load());
      assertThat(peer.barrier()).isEmpty();
      peer.send(message);
      assertThat(peer.untilClosed()).as(name).isEmpty();
    }
  }

  @Test
  void takesTheLargestFilterElementAndQuestion() {
    try (TestPeer peer = stranger()) {
      peer.send(
          filter(36_000, 50),
          new Message.Unknown(
              "filteradd", new ByteWriter().varBytes(Bytes.wrap(new byte[520])).toBytes()),
          new Message.Unknown("getdata", many(50_000)),
          new Message.Unknown("getheaders", locator(101)));
      assertThat(peer.barrier()).singleElement().isInstanceOf(Message.HeadersMessage.class);
    }
  }

  @Test
  void hangsUpOnAnElementWithoutAFilter() {
    try (TestPeer peer = stranger()) {
      peer.send(new Message.FilterAdd(ELEMENT));
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  @Test
  void hangsUpOnGarbage() {
    try (TestPeer peer = stranger()) {
      peer.barrier();
      peer.sendRaw(new byte[100]);
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  static Stream<Message> bloomMessages() {
    return Stream.of(
        load(), new Message.FilterAdd(ELEMENT), new Message.FilterClear(), new Message.Mempool());
  }

  @ParameterizedTest
  @MethodSource("bloomMessages")
  void hangsUpOnFiltersIfItServesNone(Message message) {
    try (TestPeer peer = peer(ContractNode.Kind.WITHOUT_BLOOM)) {
      peer.send(message);
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  @Test
  void hasNoFilteredBlocksIfItServesNone() {
    try (TestPeer peer = peer(ContractNode.Kind.WITHOUT_BLOOM)) {
      peer.ask(InventoryItem.FILTERED_BLOCK, chain.blockAt(5).hash());
      assertThat(peer.barrier()).isEmpty();
    }
  }

  @Test
  void answersAnyNumberOfPings() {
    try (TestPeer peer = stranger()) {
      List<Message> pongs = new ArrayList<>();
      for (int nonce = 1; nonce <= 100; nonce++) {
        peer.send(new Message.Ping(nonce));
        pongs.add(new Message.Pong(nonce));
      }
      assertThat(peer.barrier()).isEqualTo(pongs);
    }
  }
}
