package org.murmur.coins.internal.script;

import org.murmur.bip37.bytes.Bytes;

/** The form of an output's script, as an observer sees it. */
public enum OutputKind {
  /** Pay to public key hash. */
  P2PKH,
  /** Pay to script hash; an observer cannot see which script. */
  P2SH,
  /** Pay to witness public key hash. */
  P2WPKH,
  /** Pay to witness script hash. */
  P2WSH,
  /** Taproot. */
  P2TR,
  /** Data; it cannot be spent. */
  OP_RETURN,
  /** Any other script, for instance of a later witness version. */
  OTHER;

  private static final int RETURN = 0x6a;

  /** Returns the form of a scriptPubKey. */
  public static OutputKind of(Bytes script) {
    if (Scripts.isWitnessKeyHash(script)) {
      return P2WPKH;
    }
    if (Scripts.isWitnessScriptHash(script)) {
      return P2WSH;
    }
    if (Scripts.isTaproot(script)) {
      return P2TR;
    }
    if (Scripts.isKeyHash(script)) {
      return P2PKH;
    }
    if (Scripts.isScriptHash(script)) {
      return P2SH;
    }
    return !script.isEmpty() && script.at(0) == RETURN ? OP_RETURN : OTHER;
  }
}
