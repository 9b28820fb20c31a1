package org.murmur.coins.spend.fee;

import java.util.Collection;
import org.murmur.bip37.bytes.Bytes;

/** Weight of a transaction (BIP-0141), exact to the last length field. */
public final class TxWeight {

  /** Weight of a byte that is not witness data. */
  public static final int PER_BYTE = InputSize.WEIGHT_PER_BYTE;

  /** The largest weight that nodes relay (Core's MAX_STANDARD_TX_WEIGHT). */
  public static final int MAX_STANDARD = 400_000;

  /**
   * The smallest size without witness data that nodes relay, in bytes (Core's
   * MIN_STANDARD_TX_NONWITNESS_SIZE). 64 bytes could pose as an inner node of a Merkle tree.
   */
  public static final int MIN_STANDARD_STRIPPED = 65;

  /** Version and lock time. */
  private static final int FIXED = 8;

  /** Marker and flag of BIP-0144, which count once. */
  private static final int SEGWIT_MARKER = 2;

  private static final int VALUE = 8;

  private TxWeight() {}

  /**
   * Returns the weight of a transaction.
   *
   * @param inputs the size of each input
   * @param outputs the script of each output
   * @return weight units
   */
  public static int of(Collection<InputSize> inputs, Collection<Bytes> outputs) {
    boolean witness = inputs.stream().anyMatch(InputSize::hasWitness);
    int weight = stripped(inputs, outputs) * PER_BYTE;
    if (witness) {
      weight += SEGWIT_MARKER;
      weight += inputs.stream().mapToInt(TxWeight::witnessSize).sum();
    }
    return weight;
  }

  /**
   * Returns the size of a transaction without its witness data.
   *
   * @param inputs the size of each input
   * @param outputs the script of each output
   * @return bytes
   */
  public static int stripped(Collection<InputSize> inputs, Collection<Bytes> outputs) {
    return FIXED
        + CompactSize.bytes(inputs.size())
        + inputs.stream().mapToInt(InputSize::strippedSize).sum()
        + CompactSize.bytes(outputs.size())
        + outputs.stream().mapToInt(TxWeight::outputSize).sum();
  }

  /**
   * Returns a weight that everything except the inputs does not exceed: the fixed fields, the
   * outputs, the number of inputs, and what is lost when weight is rounded to virtual bytes.
   *
   * @param maxInputs the largest number of inputs
   * @param outputs the script of each output
   * @return weight units
   */
  public static int besideInputs(int maxInputs, Collection<Bytes> outputs) {
    int bytes =
        FIXED
            + CompactSize.bytes(maxInputs)
            + CompactSize.bytes(outputs.size())
            + outputs.stream().mapToInt(TxWeight::outputSize).sum();
    return bytes * PER_BYTE + SEGWIT_MARKER + PER_BYTE - 1;
  }

  /**
   * Returns the weight of an input among others that may have witness data: then an input without
   * any has an empty stack.
   *
   * @param input the input
   * @return weight units, never less than its share of the transaction
   */
  public static int ofInput(InputSize input) {
    return input.strippedSize() * PER_BYTE + witnessSize(input);
  }

  /**
   * Returns the virtual size, by which fee rates are counted.
   *
   * @param weight weight units
   * @return virtual bytes: a quarter of the weight, rounded up
   */
  public static int vsize(int weight) {
    return (weight + PER_BYTE - 1) / PER_BYTE;
  }

  /**
   * Returns the size of an output: value, length and script.
   *
   * @param script the scriptPubKey
   * @return bytes
   */
  public static int outputSize(Bytes script) {
    return VALUE + CompactSize.bytes(script.length()) + script.length();
  }

  /** Where one input has witness data, those without any have an empty stack. */
  private static int witnessSize(InputSize input) {
    return Math.max(1, input.witness());
  }
}
