package org.murmur.regtest;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.Signer;

/**
 * The payments of a wallet on a built chain.
 *
 * @param receive its receive scripts, in the order of their derivation; used in this order with
 *     small jumps, so that no gap of unused ones is longer than 6
 * @param change its change scripts, likewise, without jumps
 * @param signer signs what it spends
 * @param transactions how many transactions concern it, about evenly spread
 * @param from share of the chain in which nothing happens first, 0 to below 1
 * @param coinsLeft if not negative, the last transaction sweeps all mature coins but so many
 * @param habits how often it does what
 */
public record WalletPlan(
    List<Bytes> receive,
    List<Bytes> change,
    Signer signer,
    int transactions,
    double from,
    int coinsLeft,
    Habits habits) {

  /**
   * How often a wallet does what. The numbers are weights: only their proportions count.
   *
   * @param receives a payment to one new or used address
   * @param receivesMany a payment to several addresses at once
   * @param sends spends one to three coins, with change
   * @param sweeps spends one to three coins, without change: only outpoints and signatures show it
   * @param sameBlock is paid and spends that coin in the same block, without change
   * @param coinbases mines a block
   */
  public record Habits(
      int receives, int receivesMany, int sends, int sweeps, int sameBlock, int coinbases) {

    /** Habits in which every event occurs. */
    public static final Habits LIVELY = new Habits(40, 8, 25, 12, 8, 7);

    /** The wallet only receives. */
    public static final Habits SAVING = new Habits(1, 0, 0, 0, 0, 0);

    public Habits {
      if (receives <= 0
          || receivesMany < 0
          || sends < 0
          || sweeps < 0
          || sameBlock < 0
          || coinbases < 0) {
        throw new IllegalArgumentException("habits with negative weights or without receives");
      }
    }

    Event draw(Dice dice) {
      int index = dice.weighted(receives, receivesMany, sends, sweeps, sameBlock, coinbases);
      return List.of(Event.values()).get(index);
    }
  }

  /** The kinds of wallet events in a block, in the order of the {@link Habits}. */
  enum Event {
    RECEIVE,
    RECEIVE_MANY,
    SEND,
    SWEEP,
    SAME_BLOCK,
    COINBASE
  }

  public WalletPlan {
    receive = List.copyOf(receive);
    change = List.copyOf(change);
    if (receive.isEmpty() || change.isEmpty()) {
      throw new IllegalArgumentException("plan without receive or change scripts");
    }
    if (transactions < 0 || !(from >= 0 && from < 1)) {
      throw new IllegalArgumentException("transactions " + transactions + ", from " + from);
    }
  }

  /** Makes a plan of an active wallet; its scripts are in the order of their derivation. */
  public static WalletPlan lively(
      List<Bytes> receive, List<Bytes> change, Signer signer, int transactions) {
    return new WalletPlan(receive, change, signer, transactions, 0, -1, Habits.LIVELY);
  }

  /** Changes in which share of the chain nothing happens first, 0 to below 1. */
  public WalletPlan startingAfter(double share) {
    return new WalletPlan(receive, change, signer, transactions, share, coinsLeft, habits);
  }

  /** Changes how it ends: the last transaction sweeps the mature coins except so many. */
  public WalletPlan leaving(int coins) {
    return new WalletPlan(receive, change, signer, transactions, from, coins, habits);
  }

  public WalletPlan with(Habits changed) {
    return new WalletPlan(receive, change, signer, transactions, from, coinsLeft, changed);
  }
}
