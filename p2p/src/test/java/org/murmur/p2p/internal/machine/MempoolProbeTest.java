package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Whether a peer answers {@code mempool} at once is known before the wallet's filter is sent. The
 * node answers like Core: silence if nothing matches.
 */
class MempoolProbeTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final NodeAddress address = world.add(node);

  @BeforeEach
  void answerLikeCore() {
    node.tellsEmptyMempool = false;
    node.mine(List.of(payments.pay(1)));
  }

  private Tx foreignTransaction() {
    Tx foreign = Payments.tx(List.of(payments.foreignCoin()), List.of(Payments.FOREIGN));
    node.mempool.put(foreign.txid(), foreign);
    return foreign;
  }

  private SyncSettings settings() {
    return SyncSettings.of(List.of(address), 1);
  }

  private boolean answersAtOnce() {
    return Objects.requireNonNull(wallet.peers.get(address)).mempoolAtOnce();
  }

  private List<BloomFilter> filters() {
    return world.sent.stream()
        .filter(Message.FilterLoad.class::isInstance)
        .map(message -> ((Message.FilterLoad) message).filter())
        .toList();
  }

  private boolean isRequested(Hash256 txid) {
    return world.sent.stream()
        .filter(Message.GetData.class::isInstance)
        .flatMap(message -> ((Message.GetData) message).items().stream())
        .anyMatch(item -> item.hash().equals(txid));
  }

  private boolean hadToWait() {
    return world.events.stream().anyMatch(SyncEvent.MempoolAwaited.class::isInstance);
  }

  @Test
  void aPeerThatAnswersAtOnceIsNotWaitedFor() {
    foreignTransaction();
    world.run(settings());
    assertThat(answersAtOnce()).isTrue();
    assertThat(hadToWait()).isFalse();
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(3));
    assertThat(world.events)
        .contains(new SyncEvent.MempoolAnswered(SyncEvent.MempoolAnswered.Answer.COMPLETE));
  }

  @Test
  void whatNoiseMatchesIsNotRequested() {
    Tx foreign = foreignTransaction();
    Tx own = payments.pay(1);
    node.mempool.put(own.txid(), own);
    world.run(settings());
    assertThat(isRequested(foreign.txid())).isFalse();
    assertThat(wallet.relevant).containsKey(own.txid()).doesNotContainKey(foreign.txid());
  }

  @Test
  void aPeerThatSpreadsItsAnnouncementsIsWaitedFor() {
    foreignTransaction();
    node.spreads = true;
    world.run(settings());
    assertThat(answersAtOnce()).isFalse();
    assertThat(hadToWait()).isTrue();
  }

  @Test
  void anEmptyMemoryPoolTellsNothing() {
    world.run(settings());
    assertThat(answersAtOnce()).isFalse();
    assertThat(hadToWait()).isTrue();
  }

  @Test
  void noiseIsSentBeforeTheWalletsFilterAndNeverAfterIt() {
    foreignTransaction();
    world.run(settings());
    List<BloomFilter> filters = filters();
    assertThat(filters).hasSizeGreaterThan(2);
    assertThat(filters.get(1).bitsSet()).as("then a filter that matches nothing").isZero();
    for (BloomFilter wallets : filters.subList(2, filters.size())) {
      assertThat(wallets.contains(SimulatedWallet.element(1))).isTrue();
    }
  }

  @Test
  void aFarPeerGetsNoiseThatMatchesOnlySome() {
    NodeAddress far = world.add(node.twin(), NodeAddress.parse("203.0.113.7:18444", 18444));
    world.run(SyncSettings.of(List.of(far), 1));
    assertThat(filters().get(0).load()).isBetween(0.03, 0.07);
    assertThat(filters().get(0).contains(SimulatedWallet.element(1))).isFalse();
  }

  @Test
  void aPeerThatIsKnownToAnswerAtOnceGetsNone() {
    foreignTransaction();
    world.run(settings());
    world.sent.clear();
    world.run(settings());
    assertThat(filters()).isNotEmpty().allMatch(filter -> filter.bitsSet() > 0);
  }

  @Test
  void aSessionThatDoesNotWaitAsksForNothing() {
    foreignTransaction();
    world.run(settings().limits(limits -> limits.mempoolWait(Duration.ZERO)));
    assertThat(world.sent).noneMatch(Message.Mempool.class::isInstance);
  }
}
