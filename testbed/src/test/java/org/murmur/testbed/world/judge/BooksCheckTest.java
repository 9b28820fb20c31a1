package org.murmur.testbed.world.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.murmur.testbed.world.judge.Scenery.assertBreach;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.plan.WorldPlan;

/** Books that differ from the blocks in one point are a breach. */
class BooksCheckTest {

  private final Scenery scenery = new Scenery(1, WorldPlan.Kind.HONEST);
  private Holdings right = scenery.holdings();

  @BeforeEach
  void somethingIsPending() {
    for (int i = 0; i < 200 && right.unconfirmedSat() == 0; i++) {
      scenery.economy.stir();
      right = scenery.holdings();
    }
    assertThat(right.unconfirmedSat()).isNotZero();
    assertThat(right.confirmedSat()).isNotZero();
  }

  private List<Block> chain() {
    return new ClientChain(scenery.economy).to(right.tip());
  }

  private void end(Holdings holdings, boolean pendingToo) {
    BooksCheck.equalsTruth(
        holdings, scenery.economy.truth(), scenery.economy.chain.tip().hash(), pendingToo);
  }

  private Holdings with(int height, long confirmed, long immature, long unconfirmed) {
    return new Holdings(
        height, right.tip(), confirmed, immature, unconfirmed, right.transactions(), right.coins());
  }

  private Holdings with(List<Holdings.Entry> entries) {
    return new Holdings(
        right.height(),
        right.tip(),
        right.confirmedSat(),
        right.immatureSat(),
        right.unconfirmedSat(),
        entries,
        right.coins());
  }

  private Holdings changing(boolean confirmed, UnaryOperator<Holdings.Entry> change) {
    List<Holdings.Entry> entries = new ArrayList<>(right.transactions());
    for (int i = 0; i < entries.size(); i++) {
      if ((entries.get(i).height() != WalletTruth.UNCONFIRMED) == confirmed) {
        entries.set(i, change.apply(entries.get(i)));
        return with(entries);
      }
    }
    throw new AssertionError("no such transaction");
  }

  private Holdings without(boolean confirmed) {
    List<Holdings.Entry> entries = new ArrayList<>(right.transactions());
    entries.removeIf(entry -> (entry.height() != WalletTruth.UNCONFIRMED) == confirmed);
    return with(entries);
  }

  @Test
  void rightBooksPass() {
    BooksCheck.proven(right, chain());
    end(right, true);
    end(right, false);
  }

  // ---------------------------------------------------------------- what is proven

  @Test
  void heightOfTheTipIsTheChains() {
    Holdings wrong =
        with(right.height() - 1, right.confirmedSat(), right.immatureSat(), right.unconfirmedSat());
    assertBreach("is at height", () -> BooksCheck.proven(wrong, chain()));
  }

  @Test
  void confirmedTransactionStandsInTheBlockThatItNames() {
    String words = "is not in that block";
    List<Block> chain = chain();
    List<UnaryOperator<Holdings.Entry>> wrongs =
        List.of(
            e -> new Holdings.Entry(e.txid(), e.height(), chain.get(1).hash(), e.netSat()),
            e -> new Holdings.Entry(e.txid(), e.height(), null, e.netSat()),
            e -> new Holdings.Entry(e.txid(), 1, chain.get(1).hash(), e.netSat()),
            e -> new Holdings.Entry(e.txid(), chain.size(), e.block(), e.netSat()),
            e -> new Holdings.Entry(e.txid(), -2, e.block(), e.netSat()),
            e -> new Holdings.Entry(Hash256.ZERO, e.height(), e.block(), e.netSat()));
    for (UnaryOperator<Holdings.Entry> wrong : wrongs) {
      assertBreach(words, () -> BooksCheck.proven(changing(true, wrong), chain));
    }
  }

  @Test
  void chainOfTheClientWasMined() {
    assertBreach(
        "which nobody mined",
        () -> new ClientChain(scenery.economy).to(scenery.economy.noise().txid()));
  }

  // ---------------------------------------------------------------- what is right at the end

  @Test
  void endsAtTheTip() {
    scenery.economy.mine(scenery.economy.chain.tip().time() + 600, false);
    assertBreach("the chain is at", () -> end(right, false));
  }

  @Test
  void lacksAndInventsNothing() {
    assertBreach("the wallet lacks", () -> end(without(true), false));
    assertBreach(
        "has instead",
        () ->
            end(
                changing(
                    true, e -> new Holdings.Entry(e.txid(), e.height(), e.block(), e.netSat() + 1)),
                false));
    assertBreach(
        "has instead",
        () ->
            end(
                changing(
                    true, e -> new Holdings.Entry(e.txid(), e.height() - 1, e.block(), e.netSat())),
                false));
    List<Holdings.Entry> more = new ArrayList<>(right.transactions());
    more.add(new Holdings.Entry(Hash256.ZERO, 3, null, 5));
    assertBreach("has instead", () -> end(with(more), false));
  }

  @Test
  void knowsPendingTransactionsIfRequested() {
    assertBreach("the wallet lacks", () -> end(without(false), true));
    Holdings other =
        changing(false, e -> new Holdings.Entry(e.txid(), e.height(), e.block(), e.netSat() + 1));
    assertBreach("has instead", () -> end(other, true));
    end(other, false);
  }

  @Test
  void balancesAreTheSumsOfTheCoins() {
    long confirmed = right.confirmedSat();
    long immature = right.immatureSat();
    long unconfirmed = right.unconfirmedSat();
    int height = right.height();
    assertBreach(
        "confirmed and", () -> end(with(height, confirmed + 1, immature, unconfirmed), false));
    assertBreach(
        "confirmed and", () -> end(with(height, confirmed, immature + 1, unconfirmed), false));
    assertBreach(
        "unconfirmed", () -> end(with(height, confirmed, immature, unconfirmed + 1), true));
    end(with(height, confirmed, immature, unconfirmed + 1), false);
  }

  /** Like Core's wallet: a hundred blocks on top are what consensus asks for, and one more. */
  @Test
  void coinbaseIsImmatureUntilItIsAHundredAndOneDeep() {
    Economy economy = scenery.economy;
    while (economy.truth().coins().stream()
        .noneMatch(coin -> coin.coinbase() && economy.chain.height() - coin.height() == 99)) {
      economy.mine(economy.chain.tip().time() + 600, economy.chain.height() < 300);
    }
    right = scenery.holdings();
    assertThat(right.immatureSat()).isPositive();
    end(right, false);
  }

  @Test
  void coinsAreThoseOfTheBlocksWhereNothingIsPending() {
    Holdings nothingPends = without(false);
    end(nothingPends, false);
    Set<OutPoint> fewer = new HashSet<>(right.coins());
    fewer.remove(right.coins().iterator().next());
    Holdings wrong =
        new Holdings(
            right.height(),
            right.tip(),
            right.confirmedSat(),
            right.immatureSat(),
            0,
            nothingPends.transactions(),
            fewer);
    assertBreach("coins, expected", () -> end(wrong, false));
  }
}
