package org.murmur.regtest.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.Lane;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

class MempoolTest {

  private static final long COIN = 50_0000_0000L;
  private static final Bytes FOREIGN =
      OutputScripts.payToWitnessPubKeyHash(Bytes.wrap(new byte[20]));

  private final RegtestNode node = RegtestNode.start();
  private final Mempool mempool = node.mempool();
  private OutPoint funds = new OutPoint(Hash256.ZERO, 0);

  @BeforeEach
  void fund() {
    funds = Lane.fund(node);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Tx payment(long fee) {
    return Lane.spend(funds).pay(COIN - fee, Lane.SCRIPT).build();
  }

  @Test
  void acceptsOnceAndMinesWithTheFee() {
    Tx tx = payment(700);
    assertThat(node.broadcast(tx)).isEqualTo(new Mempool.Accepted(List.of()));
    assertThat(node.broadcast(tx)).isEqualTo(new Mempool.AlreadyKnown());
    assertThat(mempool.fee(tx.txid())).isEqualTo(700);
    Block block = node.mine(1).get(0);
    assertThat(block.tx(0).outputs().get(0).value()).isEqualTo(COIN + 700);
    assertThat(node.broadcast(tx)).isEqualTo(new Mempool.AlreadyKnown());
  }

  @Test
  void refusesTheImpossible() {
    OutPoint young = node.blockAt(50).tx(0).outPoint(0);
    assertThat(node.broadcast(payment(-1))).isInstanceOf(Mempool.Refused.class);
    assertThat(node.broadcast(Lane.spend(funds, funds).pay(1, FOREIGN).build()))
        .isInstanceOf(Mempool.Refused.class);
    assertThat(node.broadcast(Lane.spend(young).pay(1, FOREIGN).build()))
        .isInstanceOf(Mempool.Refused.class);
    assertThat(node.broadcast(Lane.spend(payment(1).outPoint(0)).pay(1, FOREIGN).build()))
        .isInstanceOf(Mempool.Refused.class);
    assertThat(mempool.size()).isZero();
  }

  @Test
  void refusesValuesThatNoBlockCouldHold() {
    Tx overflow =
        Lane.spend(funds)
            .pay(Long.MAX_VALUE, FOREIGN)
            .pay(Long.MAX_VALUE, FOREIGN)
            .pay(COIN - 998, FOREIGN)
            .build();
    assertThat(node.broadcast(overflow)).isInstanceOf(Mempool.Refused.class);
    assertThat(mempool.size()).isZero();
  }

  @Test
  void replacesByAHigherFeeWithAllDescendants() {
    Tx first = payment(1000);
    Tx child = Lane.spend(first.outPoint(0)).pay(COIN - 3000, FOREIGN).build();
    node.broadcast(first);
    node.broadcast(child);
    // Together they pay 3,000, and a replacement pays for its own relay as well.
    assertThat(node.broadcast(payment(3000))).isInstanceOf(Mempool.Refused.class);
    Tx better = payment(3200);
    assertThat(node.broadcast(better)).isEqualTo(new Mempool.Accepted(List.of(first, child)));
    assertThat(mempool.transactions()).containsExactly(better);
  }

  @Test
  void minesParentsBeforeChildren() {
    Tx first = payment(1000);
    Tx child = Lane.spend(first.outPoint(0)).pay(COIN - 3000, FOREIGN).build();
    node.broadcast(first);
    node.broadcast(child);
    assertThat(node.mine(1).get(0).txids().subList(1, 3))
        .containsExactly(first.txid(), child.txid());
  }

  @Test
  void forgetsTransactionsThatABlockConflictsWith() {
    Tx first = payment(1000);
    Tx child = Lane.spend(first.outPoint(0)).pay(COIN - 3000, FOREIGN).build();
    node.broadcast(first);
    node.broadcast(child);
    node.mine(List.of(payment(5)));
    assertThat(mempool.size()).isZero();
  }

  @Test
  void takesBackDisconnectedTransactions() {
    Tx first = payment(1000);
    node.mine(List.of(first));
    Tx child = Lane.spend(first.outPoint(0)).pay(COIN - 3000, FOREIGN).build();
    node.broadcast(child);
    node.reorg(1, 2, RegtestNode.Orphaned.TO_MEMPOOL);
    assertThat(mempool.transactions()).containsExactly(first, child);
    assertThat(node.height()).isEqualTo(103);
  }

  @Test
  void minesOrphansAgainWhereAsked() {
    Tx first = payment(1000);
    node.mine(List.of(first));
    node.mine(2);
    node.reorg(3, 4, RegtestNode.Orphaned.MINED_AGAIN);
    assertThat(node.blockAt(102).txids()).contains(first.txid());
    assertThat(mempool.size()).isZero();
  }

  @Test
  void forgetsOrphansAndTheirChildrenWhereAsked() {
    Tx first = payment(1000);
    node.mine(List.of(first));
    Tx child = Lane.spend(first.outPoint(0)).pay(COIN - 3000, FOREIGN).build();
    node.broadcast(child);
    node.reorg(1, 2, RegtestNode.Orphaned.FORGOTTEN);
    assertThat(mempool.size()).isZero();
    assertThat(node.chain().coin(funds)).isNotNull();
  }

  @Test
  void aReorganisedCoinbaseTakesItsSpendersWithIt() {
    Tx coinbase = node.mineTo(Lane.SCRIPT, 1).get(0).tx(0);
    node.mine(100);
    Tx spend = Lane.spend(coinbase.outPoint(0)).pay(1, FOREIGN).build();
    node.mine(List.of(spend));
    node.reorg(102, 103, RegtestNode.Orphaned.TO_MEMPOOL);
    assertThat(mempool.size()).isZero();
  }

  @Test
  void nodesThatShareAChainHaveMempoolsOfTheirOwn() {
    try (RegtestNode other = RegtestNode.start(node.chain())) {
      Tx tx = payment(500);
      node.broadcast(tx);
      assertThat(other.mempool().size()).isZero();
      other.mine(List.of(tx));
      assertThat(mempool.size()).isZero();
    }
  }

  @Test
  void minesNoMoreThanABlockHolds() {
    OutPoint lane = funds;
    for (int i = 1; i <= 15; i++) {
      TxBuilder big = Lane.spend(lane).pay(COIN - i * 2_000_000L, Lane.SCRIPT);
      for (int output = 0; output < 3_190; output++) {
        big.pay(500, FOREIGN);
      }
      Tx tx = big.build();
      assertThat(node.broadcast(tx)).isInstanceOf(Mempool.Accepted.class);
      lane = tx.outPoint(0);
    }
    Block first = node.mine(1).get(0);
    // Each weighs about 400,000 units, of 4,000,000.
    assertThat(first.size()).isEqualTo(1 + 10);
    assertThat(3 * first.stripped().length() + first.raw().length()).isLessThan(4_000_000);
    assertThat(node.mine(1).get(0).size()).isEqualTo(1 + 5);
  }
}
