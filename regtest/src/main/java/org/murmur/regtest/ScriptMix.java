package org.murmur.regtest;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;

/**
 * How often foreign payments use each type of script. The numbers are weights: only their
 * proportions count.
 */
public record ScriptMix(
    int pubKeyHash, int scriptHash, int witnessPubKeyHash, int witnessScriptHash, int taproot) {

  /** A mix of all types, most of them native segwit. */
  public static final ScriptMix TYPICAL = new ScriptMix(15, 10, 45, 5, 25);

  public ScriptMix {
    if (pubKeyHash < 0
        || scriptHash < 0
        || witnessPubKeyHash < 0
        || witnessScriptHash < 0
        || taproot < 0
        || pubKeyHash + scriptHash + witnessPubKeyHash + witnessScriptHash + taproot <= 0) {
      throw new IllegalArgumentException("script mix with no or negative weights");
    }
  }

  /** A foreign script. Its program is random, so its coins can never be spent. */
  Bytes draw(Dice dice) {
    int all = pubKeyHash + scriptHash + witnessPubKeyHash + witnessScriptHash + taproot;
    int drawn = dice.below(all);
    if ((drawn -= pubKeyHash) < 0) {
      return OutputScripts.payToPubKeyHash(dice.bytes(20));
    }
    if ((drawn -= scriptHash) < 0) {
      return OutputScripts.payToScriptHash(dice.bytes(20));
    }
    if ((drawn -= witnessPubKeyHash) < 0) {
      return OutputScripts.payToWitnessPubKeyHash(dice.bytes(20));
    }
    return drawn - witnessScriptHash < 0
        ? OutputScripts.payToWitnessScriptHash(dice.bytes(32))
        : OutputScripts.payToTaproot(dice.bytes(32));
  }
}
