package org.murmur.coins.psbt;

import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.psbt.PsbtException.Reason;

/**
 * The script that an input must satisfy, behind the hashes that hide it.
 *
 * @param script the script that is run, or what is known of it; for key hashes of both kinds {@code
 *     OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG}
 * @param segwit whether it runs by BIP-0143
 * @param redeemScript of a script hash
 * @param witnessScript of a witness script hash
 */
record SpentScript(
    Bytes script, boolean segwit, Optional<Bytes> redeemScript, Optional<Bytes> witnessScript) {

  /**
   * Looks behind the hashes.
   *
   * @throws PsbtException if a script in the PSBT has another hash
   */
  static SpentScript of(Bytes scriptPubKey, FieldMap input, int index) {
    Bytes script = scriptPubKey;
    Optional<Bytes> redeem = Optional.empty();
    if (Scripts.isScriptHash(script)) {
      redeem = input.get(Field.REDEEM_SCRIPT);
      if (redeem.isPresent() && !Scripts.scriptHash(redeem.get()).equals(script)) {
        throw new PsbtException(Reason.OTHER_REDEEM_SCRIPT, index);
      }
      script = redeem.orElse(script);
    }
    if (Scripts.isWitnessScriptHash(script)) {
      Optional<Bytes> witness = input.get(Field.WITNESS_SCRIPT);
      if (witness.isPresent() && !Scripts.witnessScriptHash(witness.get()).equals(script)) {
        throw new PsbtException(Reason.OTHER_WITNESS_SCRIPT, index);
      }
      return new SpentScript(witness.orElse(script), true, redeem, witness);
    }
    if (Scripts.isWitnessKeyHash(script)) {
      Bytes code = Scripts.keyHash(Scripts.pushed(script));
      return new SpentScript(code, true, redeem, Optional.empty());
    }
    return new SpentScript(script, Scripts.isWitness(script), redeem, Optional.empty());
  }

  /** Whether the input certainly has no witness data. */
  boolean isLegacy() {
    return !segwit && !Scripts.isScriptHash(script);
  }
}
