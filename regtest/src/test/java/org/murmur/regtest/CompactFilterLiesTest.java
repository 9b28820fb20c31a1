package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.FilterHeaders;
import org.murmur.bip37.internal.gcs.FilterMatcher;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.merkle.Reason;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.lies.AddsJunk;
import org.murmur.regtest.lies.FalseFilterHeaders;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.IndexLags;
import org.murmur.regtest.lies.OmitsForeignSpends;
import org.murmur.regtest.lies.OmitsScripts;
import org.murmur.regtest.lies.OtherBlocksFilter;
import org.murmur.regtest.lies.WrongBlocks;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Lie;

/** Each lie about compact filters and whole blocks, as a peer sees it. */
class CompactFilterLiesTest {

  private static final Bytes OURS = script("aa");
  private static final Bytes OTHERS = script("bb");
  private static final Bytes PAID_LAST = script("cc");

  private final Chain chain = Chain.ofGenesis();

  /** Pays to both. */
  private final Block paying;

  /** Spends both coins, and pays to another script. */
  private final Block spending;

  private final int height;

  CompactFilterLiesTest() {
    try (RegtestNode node = RegtestNode.start(chain)) {
      Tx pays = Lane.spend(Lane.fund(node)).pay(5_000, OURS).pay(4_000, OTHERS).build();
      paying = node.mine(List.of(pays));
      height = node.height();
      spending =
          node.mine(
              List.of(
                  new TxBuilder()
                      .spend(pays.outPoint(0))
                      .spend(pays.outPoint(1))
                      .pay(8_000, PAID_LAST)
                      .build()));
    }
  }

  private static Bytes script(String twice) {
    return OutputScripts.payToWitnessPubKeyHash(Bytes.ofHex(twice.repeat(20)));
  }

  private void telling(Lie lie, Consumer<TestPeer> seen) {
    behaving(Behaviour.honest().with(lie), seen);
  }

  private void behaving(Behaviour behaviour, Consumer<TestPeer> seen) {
    try (RegtestNode node = RegtestNode.start(chain, behaviour.withCompactFilters());
        TestPeer peer = TestPeer.connect(node)) {
      seen.accept(peer);
    }
  }

  private static List<Message> answers(TestPeer peer, Message request) {
    peer.send(request);
    return peer.barrier();
  }

  private static Bytes payload(TestPeer peer, Block block, int height) {
    peer.send(new Message.GetCFilters(Message.BASIC_FILTER, height, block.hash()));
    Message.CFilter filter = peer.await(Message.CFilter.class);
    assertThat(filter.block()).isEqualTo(block.hash());
    return filter.filter();
  }

  private List<Bytes> pays(TestPeer peer) {
    return found(paying, payload(peer, paying, height));
  }

  private List<Bytes> spends(TestPeer peer) {
    return found(spending, payload(peer, spending, height + 1));
  }

  private static List<Bytes> found(Block block, Bytes filter) {
    List<Bytes> scripts = List.of(OURS, OTHERS, PAID_LAST);
    FilterMatcher matcher = new FilterMatcher();
    scripts.forEach(matcher::add);
    return IntStream.of(matcher.match(filter, block.hash())).mapToObj(scripts::get).toList();
  }

  /** The number of elements in the filter of the last block: one byte up to 252. */
  private int elements(TestPeer peer) {
    return payload(peer, spending, height + 1).at(0);
  }

  private Bytes honest(Block block) {
    return Objects.requireNonNull(chain.filters().filter(block.hash()));
  }

  private Message.CFHeaders headers(TestPeer peer, int from) {
    peer.send(new Message.GetCFHeaders(Message.BASIC_FILTER, from, spending.hash()));
    return peer.await(Message.CFHeaders.class);
  }

  /** The headers commit to the filters, so only another peer or the block shows the lie. */
  private void headersFit(TestPeer peer) {
    Message.CFHeaders both = headers(peer, height);
    assertThat(both.hashes())
        .containsExactly(
            FilterHeaders.hash(payload(peer, paying, height)),
            FilterHeaders.hash(payload(peer, spending, height + 1)));
    assertThat(headers(peer, height + 1).previousHeader())
        .isEqualTo(FilterHeaders.header(both.hashes().get(0), both.previousHeader()));
    assertThat(both).isNotEqualTo(honestHeaders());
  }

  private Message honestHeaders() {
    Message[] honest = new Message[1];
    behaving(Behaviour.honest(), peer -> honest[0] = headers(peer, height));
    return honest[0];
  }

  @Test
  void anHonestNodeTellsNone() {
    behaving(
        Behaviour.honest(),
        peer -> {
          assertThat(pays(peer)).containsExactly(OURS, OTHERS);
          assertThat(spends(peer)).containsExactly(OURS, OTHERS, PAID_LAST);
          assertThat(elements(peer)).as("with the coinbase's").isEqualTo(4);
          assertThat(payload(peer, paying, height)).isEqualTo(honest(paying));
        });
  }

  @Test
  void omitsTheWalletsScriptsWherePaidAndWhereSpent() {
    telling(
        new OmitsScripts(Set.of(OURS)),
        peer -> {
          assertThat(pays(peer)).containsExactly(OTHERS);
          assertThat(spends(peer)).containsExactly(OTHERS, PAID_LAST);
          headersFit(peer);
        });
  }

  @Test
  void omitsForeignSpendsOnly() {
    telling(
        new OmitsForeignSpends(Set.of(OURS)),
        peer -> {
          assertThat(pays(peer)).containsExactly(OURS, OTHERS);
          assertThat(spends(peer)).containsExactly(OURS, PAID_LAST);
          headersFit(peer);
        });
  }

  @Test
  void addsJunk() {
    telling(
        new AddsJunk(5),
        peer -> {
          assertThat(spends(peer)).containsExactly(OURS, OTHERS, PAID_LAST);
          assertThat(elements(peer)).isEqualTo(4 + 5);
          headersFit(peer);
        });
  }

  @Test
  void hasAFalseChainOfHeadersOfTrueFilters() {
    telling(
        new FalseFilterHeaders(height),
        peer -> {
          assertThat(payload(peer, paying, height)).isEqualTo(honest(paying));
          assertThat(payload(peer, spending, height + 1)).isEqualTo(honest(spending));
          Message.CFHeaders told = headers(peer, height - 1);
          Message.CFHeaders later = headers(peer, height + 1);
          assertThat(told.hashes().get(0))
              .isEqualTo(FilterHeaders.hash(honest(chain.blockAt(height - 1))));
          assertThat(told.hashes().get(1)).isNotEqualTo(FilterHeaders.hash(honest(paying)));
          Hash256 first = FilterHeaders.header(told.hashes().get(0), told.previousHeader());
          assertThat(later.previousHeader())
              .isEqualTo(FilterHeaders.header(told.hashes().get(1), first));
        });
  }

  @Test
  void sendsAnotherBlocksFilter() {
    telling(
        new OtherBlocksFilter(),
        peer -> {
          assertThat(payload(peer, spending, height + 1)).isEqualTo(honest(paying));
          assertThat(headers(peer, height)).isEqualTo(honestHeaders());
        });
  }

  @Test
  void lagsUntilAskedOften() {
    Message tip = new Message.GetCFilters(Message.BASIC_FILTER, height, spending.hash());
    telling(
        new IndexLags(1, 3),
        peer -> {
          assertThat(answers(peer, tip)).isEmpty();
          assertThat(payload(peer, paying, height)).isEqualTo(honest(paying));
          assertThat(
                  answers(peer, new Message.GetCFHeaders(Message.BASIC_FILTER, 5, spending.hash())))
              .isEmpty();
          assertThat(answers(peer, tip)).hasSize(2);
          assertThat(headers(peer, height)).isEqualTo(honestHeaders());
        });
  }

  @Test
  void lagsForEver() {
    try (RegtestNode node =
            RegtestNode.start(
                chain,
                Behaviour.honest().with(new IndexLags(1, Integer.MAX_VALUE)).withCompactFilters());
        TestPeer peer = TestPeer.connect(node)) {
      Message tip = new Message.GetCFilters(Message.BASIC_FILTER, height + 1, spending.hash());
      for (int i = 0; i < 5; i++) {
        assertThat(answers(peer, tip)).isEmpty();
      }
      // A header of an earlier block is there, so this is answered, as in Core.
      assertThat(answers(peer, new Message.GetCFCheckpt(Message.BASIC_FILTER, spending.hash())))
          .hasSize(1);
      node.mine(1);
      assertThat(payload(peer, spending, height + 1)).isEqualTo(honest(spending));
    }
  }

  @ParameterizedTest
  @CsvSource({"PREVIOUS", "CHANGED"})
  void sendsWrongBlocks(WrongBlocks lie) {
    telling(
        lie,
        peer -> {
          peer.ask(InventoryItem.BLOCK, spending.hash());
          FullBlock block = FullBlock.parse(peer.await(Message.BlockMessage.class).raw());
          if (lie == WrongBlocks.PREVIOUS) {
            assertThat(block.hash()).isEqualTo(paying.hash());
          } else {
            assertThat(block.hash()).isEqualTo(spending.hash());
            assertThat(block.refusal()).isEqualTo(Reason.WRONG_ROOT);
          }
        });
  }

  @Test
  void withholdsBlocks() {
    telling(
        Ignores.WHOLE_BLOCKS,
        peer -> {
          peer.ask(InventoryItem.BLOCK, spending.hash());
          assertThat(peer.barrier()).isEmpty();
          assertThat(payload(peer, spending, height + 1)).isEqualTo(honest(spending));
        });
  }

  @Test
  void isSlow() {
    behaving(
        Behaviour.honest().pausing(Duration.ofMillis(20)),
        peer -> {
          long start = System.nanoTime();
          peer.send(new Message.GetCFilters(Message.BASIC_FILTER, height - 9, paying.hash()));
          for (int i = 0; i < 10; i++) {
            peer.await(Message.CFilter.class);
          }
          assertThat(Duration.ofNanos(System.nanoTime() - start))
              .isGreaterThan(Duration.ofMillis(180));
        });
  }
}
