package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;

/**
 * The speed of several peers, in virtual time: nodes that serve 300 filtered blocks a second each,
 * a round trip of 100 ms. The comment of {@code Stripes} explains how they divide the blocks.
 */
class SharedWorkTest {

  private static final int BLOCKS = 3_000;

  private final Payments payments = new Payments();

  /** How long nodes take to serve a chain with a coin in each of some blocks. */
  private double seconds(int nodes, List<Integer> coinsAt) {
    SimulatedNode node = new SimulatedNode();
    Map<Hash256, Integer> truth = new HashMap<>();
    for (int height = 1; height <= BLOCKS; height++) {
      List<Tx> transactions = new ArrayList<>();
      if (coinsAt.contains(height)) {
        transactions.add(payments.pay(coinsAt.indexOf(height)));
        truth.put(transactions.get(0).txid(), height);
      }
      node.mine(transactions);
    }
    SimulatedWallet wallet = new SimulatedWallet(400, 400);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    world.blocksPerSecond = 300;
    world.commitMillis = 5;
    NodeAddress[] peers = new NodeAddress[nodes];
    for (int i = 0; i < nodes; i++) {
      peers[i] = world.add(node);
      world.delays.put(peers[i], 50);
    }
    world.run(settings(peers));
    assertThat(wallet.confirmed).containsExactlyInAnyOrderEntriesOf(truth);
    return world.elapsed().toMillis() / 1e3;
  }

  /** Without the request for unconfirmed transactions, whose answer takes the same time for all. */
  private static SyncSettings settings(NodeAddress... peers) {
    SyncSettings usual = SyncSettings.of(List.of(peers), 1);
    return usual.limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  private static List<Integer> spread(int coins) {
    List<Integer> heights = new ArrayList<>();
    for (int i = 0; i < coins; i++) {
      heights.add(1 + (BLOCKS - 1) * (2 * i + 1) / (2 * coins));
    }
    return heights;
  }

  @Test
  void nodesAddUpWhileThereAreNoCoins() {
    double one = seconds(1, List.of());
    assertThat(one / seconds(2, List.of())).isGreaterThanOrEqualTo(1.9);
    assertThat(one / seconds(4, List.of())).isGreaterThanOrEqualTo(3.6);
  }

  @Test
  void aCoinNearTheEndCostsOneRoundTripMore() {
    List<Integer> late = List.of(BLOCKS - 60);
    double one = seconds(1, late);
    assertThat(one / seconds(2, late)).isGreaterThanOrEqualTo(1.85);
    assertThat(one / seconds(4, late)).isGreaterThanOrEqualTo(3.4);
  }

  @Test
  void aFewCoinsCostASecondLookAtFewBlocks() {
    List<Integer> few = spread(3);
    double one = seconds(1, few);
    assertThat(one / seconds(2, few)).isGreaterThanOrEqualTo(1.7);
    assertThat(one / seconds(4, few)).isGreaterThanOrEqualTo(2.8);
  }

  @Test
  void coinsEverywhereLeaveTheNodesWorthMoreThanOne() {
    List<Integer> many = spread(300);
    double one = seconds(1, many);
    assertThat(one / seconds(2, many)).isGreaterThanOrEqualTo(1.2);
    assertThat(one / seconds(4, many)).isGreaterThanOrEqualTo(1.9);
  }
}
