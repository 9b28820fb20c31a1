package org.murmur.wallet.pay;

import org.murmur.bip37.Notice;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.overview.ChainState;

/** Something unusual about a payment, which its user should see before it is signed. */
public sealed interface PaymentWarning extends Notice {

  /**
   * The wallet does not know all blocks up to its tip, so a coin of the payment may be spent
   * already.
   *
   * @param chain what it knows
   */
  record NotComplete(ChainState chain) implements PaymentWarning {
    @Override
    public String text() {
      return "not all blocks are scanned: a coin may be spent already";
    }
  }

  /**
   * Another payment pays the same, so this one will be refused.
   *
   * @param earlier that payment
   */
  record PaidAlready(EarlierPayment earlier) implements PaymentWarning {
    @Override
    public String text() {
      return new Refusal.PaidAlready(earlier).text();
    }
  }

  /**
   * Another copy of the wallet's keys made the payment that is replaced, and named its payees.
   *
   * @param txid of that payment
   */
  record MadeElsewhere(Hash256 txid) implements PaymentWarning {
    @Override
    public String text() {
      return "this wallet has no record that it made payment " + txid + "; its keys signed it";
    }
  }

  /**
   * The payment that is replaced does not say that it may be (BIP-0125). Bitcoin Core replaces it
   * since 28.0 ({@code mempoolfullrbf}).
   *
   * @param txid of that payment
   */
  record NotSignalled(Hash256 txid) implements PaymentWarning {
    @Override
    public String text() {
      return "payment "
          + txid
          + " does not signal that it may be replaced (BIP-0125): nodes before Bitcoin Core 28"
          + " refuse the replacement";
    }
  }

  /**
   * One payee is paid several times.
   *
   * @param payee its address, or its script in hex
   * @param times how many outputs pay it
   * @param total what they pay together, in satoshi
   */
  record SamePayee(String payee, int times, long total) implements PaymentWarning {
    @Override
    public String text() {
      return payee + " is paid " + times + " times, " + total + " sat together";
    }
  }

  /**
   * The address is of taproot, and its key is not on the curve: nobody can spend what it gets.
   *
   * @param payee the address
   */
  record UnspendableKey(String payee) implements PaymentWarning {
    @Override
    public Severity severity() {
      return Severity.SERIOUS;
    }

    @Override
    public String text() {
      return payee + " has a key that is not on the curve: nobody can spend what it gets";
    }
  }

  /**
   * The address is of a kind without rules yet, so no wallet has keys for it.
   *
   * @param payee the address
   * @param version its witness version (BIP-0141)
   */
  record UnknownWitness(String payee, int version) implements PaymentWarning {
    @Override
    public Severity severity() {
      return Severity.SERIOUS;
    }

    @Override
    public String text() {
      return payee
          + " is of a kind that no wallet has keys for (witness version "
          + version
          + "): anybody may take what it gets";
    }
  }

  /**
   * The change goes to an address that a restored wallet would not find: drafts that were abandoned
   * or never sent took those before it.
   *
   * @param unused how many addresses before it no block pays
   * @param gap how many unused ones in a row a restored wallet looks at
   */
  record ChangeBeyondGap(int unused, int gap) implements PaymentWarning {
    @Override
    public String text() {
      return "no block pays the "
          + unused
          + " addresses before that of the change: a wallet restored from its words with a gap"
          + " limit of "
          + gap
          + " would not find it";
    }
  }

  /**
   * The fee is more than the amount.
   *
   * @param fee in satoshi
   * @param amount in satoshi
   */
  record FeeAboveAmount(long fee, long amount) implements PaymentWarning {
    @Override
    public String text() {
      return "the fee is more than the amount";
    }
  }

  /**
   * The fee is more than the tenth part of the amount, and more than 5,000 satoshi.
   *
   * @param fee in satoshi
   * @param amount in satoshi
   */
  record FeeAboveTenth(long fee, long amount) implements PaymentWarning {
    @Override
    public String text() {
      return "the fee is " + fee * 100 / amount + " % of the amount";
    }
  }

  /**
   * Nodes do not relay so low a rate.
   *
   * @param rate of the payment
   * @param least what Core relays by default
   */
  record FeeRateTooLow(FeeRate rate, FeeRate least) implements PaymentWarning {
    @Override
    public String text() {
      return rate + " is less than nodes relay: by default at least " + least;
    }
  }

  /**
   * Older nodes do not relay so low a rate.
   *
   * @param rate of the payment
   * @param least what Core relayed by default before
   */
  record FeeRateLow(FeeRate rate, FeeRate least) implements PaymentWarning {
    @Override
    public String text() {
      return rate + " is less than many nodes relay: older ones at least " + least;
    }
  }

  /**
   * Few users mean so high a rate: perhaps it is a sum, or satoshi per kilobyte.
   *
   * @param rate of the payment, above 500 sat/vB
   */
  record FeeRateHigh(FeeRate rate) implements PaymentWarning {
    @Override
    public String text() {
      return "a fee rate of " + rate + " is very high";
    }
  }

  /**
   * A replacement of a payment of everything: no other coin can pay its fee, so the payee does.
   *
   * @param before what the payee gets of the original, in satoshi
   * @param now what the payee gets of this one, in satoshi
   */
  record PayeeGetsLess(long before, long now) implements PaymentWarning {
    @Override
    public String text() {
      return "the payee gets " + now + " sat and not " + before + ": no other coin pays the fee";
    }
  }

  /**
   * A child pays for a parent whose fee the wallet cannot know. It counts as 0, so both together
   * pay more than was ordered.
   *
   * @param ordered the rate that was ordered
   */
  record ParentFeeUnknown(FeeRate ordered) implements PaymentWarning {
    @Override
    public String text() {
      return "the fee of the payment to you is unknown and counts as 0, so both together pay more"
          + " than "
          + ordered;
    }
  }

  /**
   * A replacement must pay more than was ordered: nodes demand it (BIP-0125, rules 3 and 4).
   *
   * @param ordered the rate that was ordered
   */
  record FeeAboveOrdered(FeeRate ordered) implements PaymentWarning {
    @Override
    public String text() {
      return "the fee is the least that replaces the payment, more than the ordered " + ordered;
    }
  }
}
