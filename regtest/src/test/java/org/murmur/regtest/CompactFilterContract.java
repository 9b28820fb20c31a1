package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.FilterIndex;
import org.murmur.regtest.chain.TxBuilder;

/**
 * Compact filters (BIP-0157): what a node answers, and which requests end a connection. Neither an
 * upload limit nor the lack of old blocks matters, so the node has both.
 */
public abstract class CompactFilterContract extends NodeContract {

  private static final Hash256 UNKNOWN = Hash256.ofInternal(new byte[32]);

  /** More than two thousand, so that each limit can be passed. */
  private static final int BLOCKS = 2_100;

  private static final int TYPE = Message.BASIC_FILTER;

  private final Chain chain = Chain.ofGenesis();
  private List<Block> disconnected = List.of();

  @BeforeAll
  void build() {
    try (RegtestNode builder = RegtestNode.start(chain)) {
      builder.mine(BLOCKS);
      serve(chain, ContractNode.Kind.COMPACT_FILTERS, ContractNode.Kind.UNTRUSTING);
      // It knows the blocks that are active from now on.
      chain.filters();
      // The coinbases need no signature: they pay to the first of such scripts.
      Tx tx =
          new TxBuilder()
              .spendAnyones(builder.blockAt(1).tx(0).outPoint(0), 0)
              .pay(1_000, Lane.SCRIPT)
              .build();
      builder.mine(List.of(tx));
      node(ContractNode.Kind.COMPACT_FILTERS).catchUp();
      disconnected = builder.reorg(3, 5, RegtestNode.Orphaned.FORGOTTEN);
      node(ContractNode.Kind.COMPACT_FILTERS).catchUp();
    }
  }

  private TestPeer peer() {
    return TestPeer.connect("127.0.0.1", node(ContractNode.Kind.COMPACT_FILTERS).port());
  }

  private List<Message> answers(Message request) {
    try (TestPeer peer = peer()) {
      peer.send(request);
      return peer.barrier();
    }
  }

  private Hash256 hash(int height) {
    return chain.blockAt(height).hash();
  }

  private FilterIndex.Entry entry(Hash256 block) {
    return Objects.requireNonNull(chain.filters().entry(block));
  }

  private List<Message> filters(int from, int to) {
    List<Message> filters = new ArrayList<>();
    for (int height = from; height <= to; height++) {
      filters.add(filter(hash(height)));
    }
    return filters;
  }

  private Message filter(Hash256 block) {
    return new Message.CFilter(TYPE, block, entry(block).filter());
  }

  private Message headers(int from, int to) {
    List<Hash256> hashes = new ArrayList<>();
    for (int height = from; height <= to; height++) {
      hashes.add(entry(hash(height)).hash());
    }
    Hash256 previous = from == 0 ? Hash256.ZERO : entry(hash(from - 1)).header();
    return new Message.CFHeaders(TYPE, hash(to), previous, hashes);
  }

  @Test
  void aServiceBitSaysSo() {
    try (TestPeer peer = peer()) {
      assertThat(Services.has(peer.version().services(), Services.COMPACT_FILTERS)).isTrue();
    }
  }

  @Test
  void withoutTheOptionTheBitIsMissing() {
    try (TestPeer peer = without()) {
      assertThat(Services.has(peer.version().services(), Services.COMPACT_FILTERS)).isFalse();
    }
  }

  private TestPeer without() {
    return TestPeer.connect("127.0.0.1", node(ContractNode.Kind.UNTRUSTING).port());
  }

  @Test
  void filtersComeOneByOneTheLowestFirst() {
    assertThat(answers(new Message.GetCFilters(TYPE, 0, hash(7)))).isEqualTo(filters(0, 7));
    assertThat(answers(new Message.GetCFilters(TYPE, 2_000, chain.tip().hash())))
        .isEqualTo(filters(2_000, chain.height()));
    assertThat(answers(new Message.GetCFilters(TYPE, 9, hash(9)))).isEqualTo(filters(9, 9));
  }

  @Test
  void aThousandFiltersAreServed() {
    assertThat(answers(new Message.GetCFilters(TYPE, 1, hash(1_000)))).isEqualTo(filters(1, 1_000));
  }

  @Test
  void hashesComeWithTheHeaderBefore() {
    assertThat(answers(new Message.GetCFHeaders(TYPE, 0, hash(5)))).containsExactly(headers(0, 5));
    assertThat(answers(new Message.GetCFHeaders(TYPE, 1, hash(1)))).containsExactly(headers(1, 1));
    assertThat(answers(new Message.GetCFHeaders(TYPE, 2_000, chain.tip().hash())))
        .containsExactly(headers(2_000, chain.height()));
  }

  @Test
  void twoThousandHashesAreServed() {
    assertThat(answers(new Message.GetCFHeaders(TYPE, 100, hash(2_099))))
        .containsExactly(headers(100, 2_099));
  }

  @Test
  void checkpointsAreTheHeadersOfEveryThousandthHeight() {
    for (int height : new int[] {0, 999, 1_000, 1_001, 2_000, chain.height()}) {
      List<Hash256> headers = new ArrayList<>();
      for (int i = 1_000; i <= height; i += 1_000) {
        headers.add(entry(hash(i)).header());
      }
      assertThat(answers(new Message.GetCFCheckpt(TYPE, hash(height))))
          .containsExactly(new Message.CFCheckpt(TYPE, hash(height), headers));
    }
  }

  @Test
  void aDisconnectedBlockKeepsItsFilter() {
    Hash256 stop = disconnected.get(0).hash();
    assertThat(chain.heightOf(stop)).isNegative();
    int height = entry(stop).height();
    List<Message> filters = new ArrayList<>(filters(height - 3, height - 3));
    for (int i = 2; i >= 0; i--) {
      filters.add(filter(disconnected.get(i).hash()));
    }
    assertThat(answers(new Message.GetCFilters(TYPE, height - 3, stop))).isEqualTo(filters);
    assertThat(answers(new Message.GetCFHeaders(TYPE, height, stop)))
        .containsExactly(
            new Message.CFHeaders(
                TYPE,
                stop,
                entry(disconnected.get(1).hash()).header(),
                List.of(entry(stop).hash())));
    assertThat(answers(new Message.GetCFCheckpt(TYPE, stop))).hasSize(1);
  }

  /** Requests that end the connection, by their names. */
  Stream<Arguments> refused() {
    Hash256 tip = chain.tip().hash();
    return Stream.of(
        Arguments.of("1,001 filters", new Message.GetCFilters(TYPE, 0, hash(1_000))),
        Arguments.of("2,001 hashes", new Message.GetCFHeaders(TYPE, 0, hash(2_000))),
        Arguments.of("filters of an unknown block", new Message.GetCFilters(TYPE, 0, UNKNOWN)),
        Arguments.of("hashes of an unknown block", new Message.GetCFHeaders(TYPE, 0, UNKNOWN)),
        Arguments.of("checkpoints of an unknown block", new Message.GetCFCheckpt(TYPE, UNKNOWN)),
        Arguments.of("filters above the stop", new Message.GetCFilters(TYPE, 6, hash(5))),
        Arguments.of("hashes above the stop", new Message.GetCFHeaders(TYPE, 6, hash(5))),
        Arguments.of("the highest start", new Message.GetCFilters(TYPE, 0xffffffffL, tip)),
        Arguments.of("filters of type 1", new Message.GetCFilters(1, 5, hash(5))),
        Arguments.of("hashes of type 255", new Message.GetCFHeaders(255, 5, hash(5))),
        Arguments.of("checkpoints of type 1", new Message.GetCFCheckpt(1, hash(5))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void hangsUpOn(String name, Message request) {
    try (TestPeer peer = peer()) {
      peer.barrier();
      peer.send(request);
      assertThat(peer.untilClosed()).as(name).isEmpty();
    }
  }

  Stream<Message> requests() {
    return Stream.of(
        new Message.GetCFilters(TYPE, 5, hash(5)),
        new Message.GetCFHeaders(TYPE, 5, hash(5)),
        new Message.GetCFCheckpt(TYPE, hash(5)));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void hangsUpIfItDoesNotOfferThem(Message request) {
    try (TestPeer peer = without()) {
      peer.barrier();
      peer.send(request);
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  @Test
  void answersAreInTheOrderOfRequests() {
    try (TestPeer peer = peer()) {
      peer.send(
          new Message.GetCFilters(TYPE, 3, hash(4)),
          new Message.Ping(1),
          new Message.GetCFHeaders(TYPE, 3, hash(4)));
      List<Message> expected = new ArrayList<>(filters(3, 4));
      expected.add(new Message.Pong(1));
      expected.add(headers(3, 4));
      assertThat(peer.barrier()).isEqualTo(expected);
    }
  }
}
