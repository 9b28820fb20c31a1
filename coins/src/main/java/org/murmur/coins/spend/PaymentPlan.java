package org.murmur.coins.spend;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.TxWeight;

/**
 * A payment that is complete except for its signatures.
 *
 * @param inputs in order
 * @param outputs in order
 * @param fee inputs less outputs, in satoshi
 * @param requested the rate that was asked for
 * @param weight the largest weight with signatures, in weight units
 * @param ancestorFee the part of the fee that lifts unconfirmed ancestors to the rate, in satoshi
 * @param dropped the part of the fee that is too small to be change, in satoshi
 * @param waste what the choice of coins costs compared with spending them at the long-term rate, in
 *     satoshi, with the cost of change or what was dropped; negative if it saves fees
 * @param lockTime the height that the block must exceed; 0 for any
 * @param algorithm how the coins were chosen
 */
public record PaymentPlan(
    List<Input> inputs,
    List<Output> outputs,
    long fee,
    FeeRate requested,
    int weight,
    long ancestorFee,
    long dropped,
    long waste,
    int lockTime,
    Algorithm algorithm) {

  /** Sequence number of inputs of a payment that can be replaced (BIP-0125). */
  public static final int REPLACEABLE = 0xfffffffd;

  /** Sequence number of other inputs; the lock time counts under it. */
  public static final int NOT_REPLACEABLE = 0xfffffffe;

  /** Version 2, as most wallets write. */
  private static final int VERSION = 2;

  /** {@link Output#recipient} of change. */
  static final int CHANGE = -1;

  /**
   * An input.
   *
   * @param coin what it spends
   * @param sequence 32 bits
   */
  public record Input(InputCoin coin, int sequence) {}

  /**
   * An output.
   *
   * @param script the scriptPubKey
   * @param value in satoshi
   * @param recipient index of the recipient in the order; -1 for change
   */
  public record Output(Bytes script, long value, int recipient) {

    /** {@return whether the wallet pays itself what is left; false for a recipient} */
    public boolean isChange() {
      return recipient == CHANGE;
    }
  }

  /** Copies the lists. */
  public PaymentPlan {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** {@return the position of the change, its index in the outputs; empty if there is none} */
  public OptionalInt change() {
    for (int i = 0; i < outputs.size(); i++) {
      if (outputs.get(i).isChange()) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** {@return what leaves the wallet or moves within it, without fee and change; satoshi} */
  public long paid() {
    return outputs.stream().filter(output -> !output.isChange()).mapToLong(Output::value).sum();
  }

  /**
   * {@return the fee without what it pays for unconfirmed parents, and without what is too small
   * for a change output: that of the rate, or the least that replaces a payment; satoshi}
   */
  public long ownFee() {
    return fee - dropped - ancestorFee;
  }

  /** {@return the largest virtual size in virtual bytes} */
  public int vsize() {
    return TxWeight.vsize(weight);
  }

  /**
   * Returns the rate that the payment pays.
   *
   * @return fee over virtual size, rounded down; above the requested one by what was dropped and by
   *     what is paid for ancestors
   */
  public FeeRate paidRate() {
    return FeeRate.paid(fee, vsize());
  }

  /**
   * {@return the transaction without signatures, as a PSBT of version 0 holds it; serialised
   * without witness data, with empty input scripts}
   */
  public Bytes unsigned() {
    return Tx.serialise(
        VERSION,
        inputs.stream()
            .map(input -> new Tx.Input(input.coin.outPoint(), Bytes.EMPTY, input.sequence))
            .collect(Collectors.toList()),
        List.of(),
        outputs.stream()
            .map(output -> new Tx.Output(output.value, output.script))
            .collect(Collectors.toList()),
        lockTime);
  }
}
