package org.murmur.coins.internal.sign;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.SignOutcome.Reason;
import org.murmur.coins.internal.sign.SignOutcome.Refused;
import org.murmur.coins.internal.sign.SignOutcome.Signed;
import org.murmur.coins.keys.OutputType;

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
   * @return the signed transaction, or why there is none
   * @throws IllegalStateException if a new signature does not verify: the machine computes wrongly
   */
  public static SignOutcome sign(
      Tx unsigned, List<SpentOutput> spent, PrivateKeys keys, long estimate) {
    Optional<Refused> fault = UnsignedCheck.fault(unsigned, spent);
    if (fault.isPresent()) {
      return fault.get();
    }
    InputSigner signer = new InputSigner(new InputHash(unsigned, outputs(spent)));
    List<SignedInput> signed = new ArrayList<>();
    for (int i = 0; i < spent.size(); i++) {
      SpentOutput output = spent.get(i);
      SigningKey key = outputKey(output.path(), keys);
      OutputType type = output.path().type();
      if (!KeyScripts.output(type, key).equals(output.script())) {
        return Refused.because(Reason.SCRIPT_OF_ANOTHER_KEY, i);
      }
      signed.add(signer.sign(i, type, key));
    }
    Tx tx = SignedInput.assemble(unsigned, signed);
    return tx.weight() <= estimate
        ? new Signed(tx, estimate)
        : new Refused(Reason.HEAVIER_THAN_ESTIMATED, -1, tx.weight() - estimate);
  }

  static SigningKey outputKey(KeyPath path, PrivateKeys keys) {
    byte[] secret = keys.privateKey(path);
    try {
      return InputSigner.outputKey(path.type(), SigningKey.of(secret));
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  private static List<Tx.Output> outputs(List<SpentOutput> spent) {
    return spent.stream()
        .map(output -> new Tx.Output(output.value(), output.script()))
        .collect(Collectors.toList());
  }
}
