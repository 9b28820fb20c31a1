package org.murmur.lab.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.lab.network.NodeRecord.Answer;
import org.murmur.lab.network.NodeRecord.KnownBlock;
import org.murmur.lab.network.NodeRecord.Outcome;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.chain.Chain;

/** A conversation without a socket. */
class InterviewTest {

  private static final int HEIGHT = 300;

  private static final Chain CHAIN = ChainBuilder.ofSeed(6).blocks(HEIGHT).build().chain();

  private static final long BOTH = Services.BLOOM | Services.COMPACT_FILTERS;

  private static final NodeAddress ADDRESS = new NodeAddress("192.0.2.7", 8333);

  private Interview interview = begun(false, Locator.of(ChainParams.REGTEST));
  private long now = 1_000_000;

  private static Interview begun(boolean wantsAddresses, Locator locator) {
    return new Interview(ADDRESS, locator, wantsAddresses, 77, 0);
  }

  private List<Message> hears(Message message) {
    now += 1_000_000;
    return interview.hear(message, now);
  }

  private List<Message> greeted(long services, int height) {
    assertThat(hears(new Message.Version(70016, services, 0, 1, "/a/", height, true)))
        .containsExactly(new Message.SendAddrV2(), new Message.Verack());
    return hears(new Message.Verack());
  }

  private static <M extends Message> M one(List<Message> sent, Class<M> kind) {
    assertThat(sent).filteredOn(kind::isInstance).hasSize(1);
    return kind.cast(sent.stream().filter(kind::isInstance).findFirst().orElseThrow());
  }

  private static Message headers(int from, int to) {
    StringBuilder hex = new StringBuilder();
    for (int height = from; height <= to; height++) {
      hex.append(CHAIN.blockAt(height).header().bytes().toHex());
    }
    return new Message.HeadersMessage(Headers.ofStored(Bytes.ofHex(hex.toString())));
  }

  private static Message pong(List<Message> sent) {
    List<Message> pings = sent.stream().filter(Message.Ping.class::isInstance).toList();
    return new Message.Pong(((Message.Ping) pings.get(pings.size() - 1)).nonce());
  }

  private NodeRecord record() {
    return interview.record(Outcome.CLOSED);
  }

  @Test
  void asksForTheLastBlockOfTheHeaders() {
    List<Message> asked = greeted(Services.NETWORK | BOTH, HEIGHT);
    assertThat(one(asked, Message.GetHeaders.class).locator())
        .containsExactly(ChainParams.REGTEST.genesisHash());
    Hash256 tip = CHAIN.tip().hash();
    List<Message> bloom = hears(headers(1, HEIGHT));
    assertThat(one(bloom, Message.GetData.class).items().get(0).hash()).isEqualTo(tip);
    List<Message> filter = hears(pong(bloom));
    assertThat(one(filter, Message.GetCFilters.class))
        .isEqualTo(new Message.GetCFilters(0, HEIGHT, tip));
    assertThat(hears(pong(filter))).isEmpty();
    assertThat(interview.isOver()).isTrue();
    assertThat(record().bloom()).isEqualTo(Answer.NONE);
    assertThat(record().compactFilters()).isEqualTo(Answer.NONE);
    assertThat(record().block()).isEqualTo(new KnownBlock(HEIGHT, tip));
    assertThat(interview.hint()).hasValue(hint());
  }

  private static KnownBlock hint() {
    return new KnownBlock(HEIGHT - 6, CHAIN.blockAt(HEIGHT - 6).hash());
  }

  @Test
  void asksForNothingThatIsNotClaimed() {
    assertThat(greeted(Services.NETWORK, HEIGHT)).noneMatch(Message.GetAddr.class::isInstance);
    assertThat(hears(headers(1, HEIGHT))).isEmpty();
    assertThat(interview.isOver()).isTrue();
    assertThat(record().bloom()).isEqualTo(Answer.NOT_CLAIMED);
  }

  @Test
  void headersMayBeginAtWhatOthersGave() {
    interview = begun(false, Locator.of(ChainParams.REGTEST).with(hint()));
    List<Message> asked = greeted(Services.NETWORK | BOTH, HEIGHT);
    assertThat(one(asked, Message.GetHeaders.class).locator())
        .containsExactly(hint().hash(), ChainParams.REGTEST.genesisHash());
    List<Message> bloom = hears(headers(HEIGHT - 5, HEIGHT));
    assertThat(one(bloom, Message.GetData.class).items().get(0).hash())
        .isEqualTo(CHAIN.tip().hash());
    assertThat(record().block()).isEqualTo(new KnownBlock(HEIGHT, CHAIN.tip().hash()));
  }

  @Test
  void falseHintsDoNotKeepItFromTheTip() {
    KnownBlock last = new KnownBlock(2_000, CHAIN.tip().hash());
    Locator locator = Locator.of(ChainParams.REGTEST);
    for (int i = 0; i < 20; i++) {
      byte[] hash = new byte[Hash256.LENGTH];
      hash[0] = (byte) i;
      locator = locator.with(new KnownBlock(1_000_000 + i, Hash256.ofInternal(hash)));
    }
    assertThat(locator.hashes()).hasSize(9).endsWith(ChainParams.REGTEST.genesisHash());
    assertThat(locator.after(last).hashes())
        .containsExactly(last.hash(), ChainParams.REGTEST.genesisHash());
  }

  @Test
  void aNodeWhoseTipIsAHintIsAskedAgain() {
    interview = begun(false, Locator.of(ChainParams.REGTEST).with(hint()));
    greeted(Services.NETWORK | BOTH, HEIGHT - 6);
    List<Message> again = hears(new Message.HeadersMessage(Headers.NONE));
    assertThat(one(again, Message.GetHeaders.class).locator())
        .containsExactly(ChainParams.REGTEST.genesisHash());
    assertThat(one(hears(headers(1, HEIGHT - 6)), Message.GetData.class).items().get(0).hash())
        .isEqualTo(hint().hash());
  }

  @Test
  void headersOfAnotherStartChooseNoBlock() {
    greeted(Services.NETWORK | BOTH, HEIGHT);
    assertThat(hears(headers(5, HEIGHT))).isEmpty();
    assertThat(record().block()).isNull();
    assertThat(record().bloom()).isEqualTo(Answer.NOT_TRIED);
    assertThat(record().outcome()).isEqualTo(Outcome.REACHED);
  }

  @Test
  void aPrunedNodeIsNotAskedForOldBlocks() {
    greeted(Services.NETWORK_LIMITED | BOTH, 10 * HEIGHT);
    assertThat(hears(headers(1, HEIGHT))).isEmpty();
    assertThat(record().bloom()).isEqualTo(Answer.NOT_TRIED);
    interview = begun(false, Locator.of(ChainParams.REGTEST));
    greeted(Services.NETWORK_LIMITED | BOTH, HEIGHT);
    assertThat(one(hears(headers(1, HEIGHT)), Message.GetData.class).items()).hasSize(1);
  }

  @Test
  void aPingIsMeasuredAlone() {
    List<Message> asked = greeted(Services.NETWORK, HEIGHT);
    assertThat(hears(new Message.Ping(5))).containsExactly(new Message.Pong(5));
    assertThat(record().pingMicros()).isNull();
    hears(new Message.Pong(((Message.Ping) asked.get(0)).nonce()));
    assertThat(record().pingMicros()).isEqualTo(2_000);
    assertThat(record().reachedGreeting().orElseThrow().micros()).isEqualTo(2_000);
  }

  @Test
  void waitsForAddressesButNotForEver() {
    interview = begun(true, Locator.of(ChainParams.REGTEST));
    assertThat(one(greeted(Services.NETWORK, HEIGHT), Message.GetAddr.class)).isNotNull();
    assertThat(hears(headers(1, HEIGHT))).isEmpty();
    assertThat(interview.isOver()).isFalse();
    NetworkAddress own =
        new NetworkAddress(1, 1, NetworkAddress.IPV4, Bytes.ofHex("01020304"), 8333);
    hears(new Message.Addr(List.of(own)));
    assertThat(interview.isOver()).as("its own address is no answer").isFalse();
    assertThat(interview.due()).isLessThan(Long.MAX_VALUE);
    hears(new Message.AddrV2(List.of(own, own)));
    assertThat(interview.isOver()).isTrue();
    assertThat(interview.addresses()).hasSize(3);
  }

  @Test
  void withoutAVerackItWasNotReached() {
    hears(new Message.Version(70016, BOTH, 0, 1, "/a/", 3, true));
    assertThat(hears(new Message.Pong(0))).isEmpty();
    assertThat(record().outcome()).isEqualTo(Outcome.CLOSED);
    assertThat(record().reachedGreeting()).isEmpty();
    assertThat(record().pingMicros()).isNull();
  }
}
