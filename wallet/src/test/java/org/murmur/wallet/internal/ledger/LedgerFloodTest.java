package org.murmur.wallet.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;

/** Attacks on the books by a peer that invents transactions; foreign inputs cost it nothing. */
@Timeout(60)
final class LedgerFloodTest {

  /** With this many inputs a thousand transactions reach the limit of bytes. */
  private static final int INPUTS = 93;

  private static final int OWN = 1;
  private static final int FOREIGN = 9;

  private final Ledger ledger = new Ledger(LedgerWorld::find, LedgerWorld::isSigned);
  private int tip = 1000;
  private long strangers;

  private OutPoint foreign() {
    byte[] txid = new byte[Hash256.LENGTH];
    ByteBuffer.wrap(txid).putLong(++strangers * 0x9E3779B97F4A7C15L).putLong(strangers);
    return new OutPoint(Hash256.ofInternal(txid), 0);
  }

  /** Each could exist, all together cannot; the largest are invented, whichever came last. */
  @Test
  void pendingPaymentsNeverMakeMoreThanThereCanBe() {
    long mined = 100_000_000;
    Tx confirmed = new TxBuilder().spend(foreign()).pay(mined, LedgerWorld.script(OWN)).build();
    mine(confirmed);
    Tx small = new TxBuilder().spend(foreign()).pay(5_000, LedgerWorld.script(OWN)).build();
    relay(List.of(small));
    for (int i = 0; i < 3; i++) {
      Tx huge =
          new TxBuilder()
              .spend(foreign())
              .pay(Tx.MAX_MONEY - i, LedgerWorld.script(OWN))
              .pay(i, LedgerWorld.script(FOREIGN))
              .build();
      relay(List.of(huge));
      relay(List.of(new TxBuilder().spend(huge.outPoint(0)).pay(9, LedgerWorld.script(1)).build()));
      assertThat(ledger.balance(tip)).isEqualTo(new Balance(mined, 5_000, 0, 0));
      assertThat(ledger.status(small.txid())).isEqualTo(TxStatus.PENDING);
      assertThat(ledger.status(huge.txid())).isEqualTo(TxStatus.DEAD);
    }
    Tx large =
        new TxBuilder()
            .spend(foreign())
            .pay(Tx.MAX_MONEY - mined - 5_000, LedgerWorld.script(OWN))
            .build();
    relay(List.of(large));
    assertThat(ledger.balance(tip).total()).isEqualTo(Tx.MAX_MONEY);
    mine(large);
    assertThat(ledger.balance(tip)).isEqualTo(new Balance(Tx.MAX_MONEY - 5_000, 5_000, 0, 0));
  }

  private LedgerChange tell(List<LedgerInput.Mined> mined, List<Tx> relayed, List<Tx> denied) {
    List<Hash256> missing = denied.stream().map(Tx::txid).toList();
    return ledger.apply(
        LedgerInput.ofPeers(tip, tip, mined, relayed, missing, 5), OwnScripts.Growth.NONE);
  }

  private LedgerChange relay(List<Tx> txs) {
    return tell(List.of(), txs, List.of());
  }

  private void mine(Tx... txs) {
    tip++;
    List<LedgerInput.Mined> mined = new ArrayList<>();
    for (Tx tx : txs) {
      mined.add(
          new LedgerInput.Mined(
              tx, new Confirmation(tip, LedgerWorld.blockHash(tip, 3), mined.size(), tip)));
    }
    ledger.apply(
        LedgerInput.ofPeers(tip - 1, tip, mined, List.of(), List.of(), 5), OwnScripts.Growth.NONE);
  }

  private long unconfirmed() {
    return ledger.balance(tip).unconfirmed();
  }

  private Tx payment(OutPoint from, long value) {
    return new TxBuilder().spend(from).pay(value, LedgerWorld.script(OWN)).build();
  }

  /** Each pays the wallet and a foreign script, and spends one of both from the one before. */
  private List<Tx> chain(Tx root, int length, int inputs, int output) {
    List<Tx> chain = new ArrayList<>(List.of(root));
    Tx last = root;
    while (chain.size() < length) {
      TxBuilder next = new TxBuilder().spend(last.outPoint(output));
      for (int k = 1; k < inputs; k++) {
        next.spend(foreign());
      }
      last = next.pay(1, LedgerWorld.script(OWN)).pay(0, LedgerWorld.script(FOREIGN)).build();
      chain.add(last);
    }
    return chain;
  }

  /** The same input twice: it can never be. */
  private Tx impossible() {
    OutPoint twice = foreign();
    return new TxBuilder()
        .spend(twice)
        .spend(twice)
        .pay(1, LedgerWorld.script(OWN))
        .pay(1, LedgerWorld.script(FOREIGN))
        .build();
  }

  /** All ancestors of each were walked for each: two minutes in all. */
  @Test
  void chainsThatCanNeverBeAreLookedAtOnce() {
    List<Tx> spends = chain(impossible(), UnconfirmedLimit.MAX_UNCONFIRMED, INPUTS, 0);
    List<Tx> payments = chain(impossible(), UnconfirmedLimit.MAX_UNCONFIRMED, INPUTS, 1);
    relay(spends);
    relay(payments);
    Tx real = payment(foreign(), 5);
    mine(real);
    assertThat(ledger.status(real.txid())).isEqualTo(TxStatus.CONFIRMED);
    assertThat(unconfirmed()).isZero();
    Ledger restored =
        Ledger.restore(LedgerWorld::find, LedgerWorld::isSigned, ledger.facts(), Archive.EMPTY);
    assertThat(restored.balance(tip)).isEqualTo(ledger.balance(tip));
    tell(List.of(), List.of(), payments);
    assertThat(unconfirmed()).isZero();
  }

  /** Two conflict, and all the rest spends both. */
  @Test
  void descendantsOfTwoConflictsAreVisitedOnce() {
    OutPoint coin = foreign();
    Tx one = new TxBuilder().spend(coin).pay(1, LedgerWorld.script(OWN)).build();
    Tx other = new TxBuilder().spend(coin).pay(2, LedgerWorld.script(OWN)).build();
    Tx both =
        new TxBuilder()
            .spend(one.outPoint(0))
            .spend(other.outPoint(0))
            .pay(1, LedgerWorld.script(OWN))
            .pay(1, LedgerWorld.script(FOREIGN))
            .build();
    relay(List.of(one, other));
    relay(chain(both, UnconfirmedLimit.MAX_UNCONFIRMED - 2, INPUTS, 0));
    assertThat(unconfirmed()).isEqualTo(2);
  }

  /** No node relays so long a chain; the rest of it counts when blocks hold the beginning. */
  @Test
  void tooLargePackagesDoNotCountYet() {
    List<Tx> chain = chain(payment(foreign(), 1), ConflictResolution.MAX_PACKAGE_COUNT + 20, 1, 0);
    relay(chain);
    Tx last = chain.get(chain.size() - 1);
    assertThat(ledger.status(chain.get(ConflictResolution.MAX_PACKAGE_COUNT - 1).txid()))
        .isEqualTo(TxStatus.PENDING);
    assertThat(ledger.status(chain.get(ConflictResolution.MAX_PACKAGE_COUNT).txid()))
        .isEqualTo(TxStatus.DEAD);
    assertThat(ledger.status(last.txid())).isEqualTo(TxStatus.DEAD);
    mine(chain.subList(0, 20).toArray(Tx[]::new));
    assertThat(ledger.status(last.txid())).isEqualTo(TxStatus.PENDING);
  }

  /** Each kept one made all others be checked again, once an input: a gigabyte of queue. */
  @Test
  void conflictsOfOneBatchAreVisitedOnce() {
    List<OutPoint> inputs = new ArrayList<>();
    for (int i = 0; i < INPUTS; i++) {
      inputs.add(foreign());
    }
    List<Tx> conflicts = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      TxBuilder next = new TxBuilder().lockTime(i);
      inputs.forEach(next::spend);
      conflicts.add(next.pay(1, LedgerWorld.script(OWN)).build());
    }
    relay(conflicts);
    assertThat(unconfirmed()).isEqualTo(1);
    assertThat(ledger.facts()).hasSizeLessThanOrEqualTo(UnconfirmedLimit.MAX_UNCONFIRMED);
  }

  /** Irrelevant conflicts were searched for each input of a transaction that spends the same. */
  @Test
  void conflictsOfConflictsAreVisitedOnce() {
    OutPoint coin = foreign();
    OutPoint often = foreign();
    relay(List.of(payment(coin, 10)));
    List<Tx> conflicts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      conflicts.add(spendsOften(often, i).spend(coin).pay(1, LedgerWorld.script(FOREIGN)).build());
    }
    relay(conflicts);
    Tx conflictOfMany = spendsOften(often, 40).pay(1, LedgerWorld.script(FOREIGN)).build();
    relay(List.of(conflictOfMany));
    assertThat(ledger.fact(conflictOfMany.txid())).isNull();
    Ledger restored =
        Ledger.restore(LedgerWorld::find, LedgerWorld::isSigned, ledger.facts(), Archive.EMPTY);
    assertThat(restored.balance(tip)).isEqualTo(ledger.balance(tip));
    assertThat(unconfirmed()).isEqualTo(10);
  }

  private static TxBuilder spendsOften(OutPoint coin, int lockTime) {
    TxBuilder tx = new TxBuilder().lockTime(lockTime);
    for (int i = 0; i < 2_300; i++) {
      tx.spend(coin);
    }
    return tx;
  }

  /** The replacement of each was searched among all spenders of all its inputs, at every start. */
  @Test
  void aLoserOfAConflictIsCheckedOnce() {
    OutPoint often = foreign();
    OutPoint coin = foreign();
    List<Tx> conflicts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      conflicts.add(spendsOften(often, i).spend(coin).pay(1, LedgerWorld.script(OWN)).build());
    }
    relay(conflicts);
    Tx last = payment(coin, 7);
    relay(List.of(last));
    assertThat(unconfirmed()).isEqualTo(7);
    Ledger restored =
        Ledger.restore(LedgerWorld::find, LedgerWorld::isSigned, ledger.facts(), Archive.EMPTY);
    for (Tx conflict : conflicts) {
      assertThat(restored.replacement(conflict.txid()))
          .isEqualTo(new Replacement(last.txid(), OptionalInt.empty(), Replacement.Origin.OTHER));
    }
  }

  /** Each child's package has two megabytes. */
  @Test
  void childrenOfLargeParentsAreLookedAtOnce() {
    TxBuilder[] children = new TxBuilder[999];
    for (int i = 0; i < children.length; i++) {
      children[i] = new TxBuilder().lockTime(i);
    }
    List<Tx> parents = new ArrayList<>();
    for (int p = 0; p < 20; p++) {
      TxBuilder parent = new TxBuilder();
      for (int i = 0; i < 2_300; i++) {
        parent.spend(foreign());
      }
      Tx built = parent.pay(1, LedgerWorld.script(OWN)).build();
      parents.add(built);
      for (TxBuilder child : children) {
        child.spend(built.outPoint(0));
      }
    }
    relay(parents);
    List<Tx> all = new ArrayList<>();
    for (TxBuilder child : children) {
      all.add(child.pay(1, LedgerWorld.script(FOREIGN)).build());
    }
    relay(all);
    for (int i = 0; i < 50; i++) {
      relay(List.of(payment(foreign(), 1)));
    }
    assertThat(unconfirmed()).isEqualTo(20 + 50);
  }

  /**
   * A peer may still have a transaction that only lost to an invented one, so it must not make
   * room.
   */
  @Test
  void aFloodHidesNoPaymentThatWasThereBefore() {
    OutPoint coin = foreign();
    Tx payment = payment(coin, 100);
    relay(List.of(payment));
    List<Tx> flood = new ArrayList<>();
    flood.add(payment(coin, 1));
    for (int i = 0; i < UnconfirmedLimit.MAX_UNCONFIRMED; i++) {
      flood.add(payment(foreign(), 1));
    }
    flood.forEach(tx -> relay(List.of(tx)));
    tell(List.of(), List.of(), flood);
    assertThat(ledger.status(payment.txid())).isEqualTo(TxStatus.REPLACED);
    relay(List.of(payment));
    assertThat(unconfirmed()).isEqualTo(100);
  }

  /** The same holds for descendants of a payment that only lost. */
  @Test
  void norDoDescendants() {
    OutPoint coin = foreign();
    Tx parent =
        new TxBuilder()
            .spend(coin)
            .pay(100, LedgerWorld.script(OWN))
            .pay(50, LedgerWorld.script(FOREIGN))
            .build();
    Tx child = payment(parent.outPoint(1), 30);
    relay(List.of(parent, child));
    assertThat(unconfirmed()).isEqualTo(130);
    Tx conflict = payment(coin, 1);
    relay(List.of(conflict));
    for (int i = 0; i < UnconfirmedLimit.MAX_UNCONFIRMED; i++) {
      relay(List.of(payment(foreign(), 1)));
    }
    tell(List.of(), List.of(), List.of(conflict));
    assertThat(ledger.status(parent.txid())).isEqualTo(TxStatus.REPLACED);
    relay(List.of(parent));
    assertThat(ledger.status(parent.txid())).isEqualTo(TxStatus.PENDING);
    assertThat(ledger.status(child.txid())).isEqualTo(TxStatus.PENDING);
  }

  /** All were denied; one of them is announced again, which does not help the others. */
  @Test
  void deniedConflictsMakeRoom() {
    OutPoint coin = foreign();
    List<Tx> conflicts = new ArrayList<>();
    for (int i = 1; i <= UnconfirmedLimit.MAX_UNCONFIRMED; i++) {
      conflicts.add(payment(coin, i));
    }
    relay(conflicts);
    tell(List.of(), List.of(), conflicts);
    relay(conflicts.subList(0, 1));
    assertThat(unconfirmed()).isEqualTo(1);
    relay(List.of(payment(foreign(), 5), payment(foreign(), 7)));
    assertThat(unconfirmed()).isEqualTo(13);
  }

  /** The last one makes room first, then its parent. */
  @Test
  void aDeniedChainMakesRoomWithOneBatch() {
    int links = 90;
    Tx root =
        new TxBuilder()
            .spend(foreign())
            .pay(1, LedgerWorld.script(OWN))
            .pay(1, LedgerWorld.script(FOREIGN))
            .build();
    List<Tx> denied = chain(root, links, 1, 1);
    relay(denied);
    List<Tx> rest = new ArrayList<>();
    for (int i = links; i < UnconfirmedLimit.MAX_UNCONFIRMED; i++) {
      rest.add(payment(foreign(), 1));
    }
    relay(rest);
    tell(List.of(), List.of(), denied);
    assertThat(unconfirmed()).isEqualTo(rest.size());
    List<Tx> news = new ArrayList<>();
    for (int i = 0; i < links; i++) {
      news.add(payment(foreign(), 2));
    }
    relay(news);
    assertThat(unconfirmed()).isEqualTo(rest.size() + 2L * links);
  }

  /** The block of its conflict is disconnected with the batch that needs room. */
  @Test
  void aTransactionInConflictWithABlockMayCountAgain() {
    OutPoint coin = foreign();
    Tx payment = payment(coin, 100);
    relay(List.of(payment));
    Tx conflict = new TxBuilder().spend(coin).pay(3, LedgerWorld.script(FOREIGN)).build();
    mine(conflict);
    assertThat(unconfirmed()).isZero();
    List<Tx> flood = new ArrayList<>();
    for (int i = 1; i < UnconfirmedLimit.MAX_UNCONFIRMED; i++) {
      flood.add(payment(foreign(), 1));
    }
    relay(flood);
    ledger.apply(
        LedgerInput.ofPeers(tip - 1, tip, List.of(), List.of(payment(foreign(), 1)), List.of(), 5),
        OwnScripts.Growth.NONE);
    tell(List.of(), List.of(), List.of(conflict));
    assertThat(ledger.status(payment.txid())).isEqualTo(TxStatus.REPLACED);
    relay(List.of(payment));
    assertThat(ledger.status(payment.txid())).isEqualTo(TxStatus.PENDING);
  }

  /** The user spends with another copy of the wallet, and bumps each fee a few times. */
  @Test
  void spendsThatABlockHasOutdoneMakeRoomForTheNext() {
    for (int life = 0; life < UnconfirmedLimit.MAX_UNCONFIRMED / 3 + 20; life++) {
      Tx coin = payment(foreign(), 100_000);
      mine(coin);
      Tx spend = coin;
      for (int bump = 0; bump < 4; bump++) {
        spend =
            new TxBuilder()
                .spend(coin.outPoint(0))
                .pay(90_000 - bump, LedgerWorld.script(FOREIGN))
                .build();
        relay(List.of(spend));
        assertThat(unconfirmed()).as("spend %d, bump %d", life, bump).isEqualTo(-100_000);
      }
      mine(spend);
      assertThat(ledger.balance(tip).confirmed()).isZero();
    }
    assertThat(ledger.facts().stream().filter(fact -> fact.confirmation() == null))
        .hasSizeLessThanOrEqualTo(UnconfirmedLimit.MAX_UNCONFIRMED);
  }

  /**
   * Two stripes are scanned at once, and the spend of a forgotten payment's coin comes before the
   * block that holds the payment. The scan covered it there, so no peer will be asked for it again.
   */
  @Test
  void aSpendIsKeptThoughItsCoinWasForgotten() {
    Tx coin = payment(foreign(), 100);
    relay(List.of(coin));
    tell(List.of(), List.of(), List.of(coin));
    List<Tx> flood = new ArrayList<>();
    for (int i = 0; i < UnconfirmedLimit.MAX_UNCONFIRMED; i++) {
      flood.add(payment(foreign(), 1));
    }
    relay(flood);
    tell(List.of(), List.of(), flood);
    assertThat(ledger.fact(coin.txid())).isNull();
    Tx spend = new TxBuilder().spend(coin.outPoint(0)).pay(90, LedgerWorld.script(FOREIGN)).build();
    OwnScripts.Growth log =
        new OwnScripts.Growth() {
          @Override
          public boolean grow(BitSet used, BitSet mined) {
            return false;
          }

          @Override
          public boolean isLookedFor(OutPoint outPoint) {
            return outPoint.equals(coin.outPoint(0));
          }
        };
    tip += 10;
    ledger.apply(mined(spend, tip), log);
    ledger.apply(mined(coin, tip - 5), log);
    assertThat(ledger.balance(tip).confirmed()).isZero();
    assertThat(ledger.unspent(tip)).isEmpty();
  }

  private LedgerInput mined(Tx tx, int height) {
    Confirmation where = new Confirmation(height, LedgerWorld.blockHash(height, 3), 1, height);
    return LedgerInput.ofPeers(
        tip, tip, List.of(new LedgerInput.Mined(tx, where)), List.of(), List.of(), 5);
  }
}
