package org.murmur.coins.internal.sign;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.SigningException.Reason;
import org.murmur.coins.keys.PrivateKeys;

/**
 * Signs whole transactions whose inputs are all the wallet's: P2PKH, P2SH-P2WPKH, P2WPKH, and P2TR
 * by its key. Every signature commits to all inputs and outputs.
 *
 * <p>The same transaction and keys always give the same bytes as in Bitcoin Core: ECDSA nonces are
 * of RFC 6979 with low R and low S, Schnorr nonces of BIP-0340 without auxiliary randomness.
 */
public final class Signer {

  private Signer() {}

  /**
   * Signs a transaction. A private key is requested when its input is next, and its bytes are
   * overwritten before the next one.
   *
   * @param unsigned the transaction, with empty input scripts and without witness data
   * @param spent the output that each input spends, in the order of the inputs
   * @param estimate the largest weight that the fee was computed for, in weight units
   * @throws SigningException if it is not signed
   * @throws IllegalStateException if a new signature does not verify: the machine computes wrongly
   */
  public static Tx sign(Tx unsigned, List<SpentOutput> spent, PrivateKeys keys, long estimate) {
    requireInputs(unsigned, spent.size());
    requireValues(unsigned, spent);
    InputSignatures signatures =
        new InputSignatures(
            unsigned,
            spent.stream()
                .map(output -> Optional.of(new Tx.Output(output.value(), output.script())))
                .collect(Collectors.toList()));
    List<SignedInput> signed = new ArrayList<>();
    for (int i = 0; i < spent.size(); i++) {
      int index = i;
      signed.add(
          signatures
              .sign(i, spent.get(i).path(), keys, true)
              .orElseThrow(() -> new SigningException(Reason.SCRIPT_OF_ANOTHER_KEY, index))
              .input());
    }
    Tx tx =
        SignedInput.assemble(
            unsigned.version(), unsigned.inputs(), signed, unsigned.outputs(), unsigned.lockTime());
    if (tx.weight() > estimate) {
      throw new SigningException(Reason.HEAVIER_THAN_ESTIMATED, -1);
    }
    return tx;
  }

  private static void requireInputs(Tx unsigned, int spent) {
    if (unsigned.inputs().size() != spent) {
      throw new SigningException(Reason.INPUTS_DO_NOT_MATCH, -1);
    }
    if (unsigned.hasWitness()) {
      throw new SigningException(Reason.ALREADY_SIGNED, -1);
    }
    Set<OutPoint> seen = new HashSet<>();
    for (int i = 0; i < spent; i++) {
      Tx.Input input = unsigned.inputs().get(i);
      if (!input.scriptSig().isEmpty()) {
        throw new SigningException(Reason.ALREADY_SIGNED, i);
      }
      if (!seen.add(input.outPoint())) {
        throw new SigningException(Reason.SPENT_TWICE, i);
      }
    }
  }

  private static void requireValues(Tx unsigned, List<SpentOutput> spent) {
    if (!unsigned.hasValuesInRange()) {
      throw new SigningException(Reason.VALUE_OUT_OF_RANGE, -1);
    }
    long fee = 0;
    for (int i = 0; i < spent.size(); i++) {
      long value = spent.get(i).value();
      if (value < 0 || value > Tx.MAX_MONEY) {
        throw new SigningException(Reason.VALUE_OUT_OF_RANGE, i);
      }
      fee += value;
    }
    if (fee < unsigned.outputs().stream().mapToLong(Tx.Output::value).sum()) {
      throw new SigningException(Reason.OUTPUTS_EXCEED_INPUTS, -1);
    }
  }
}
