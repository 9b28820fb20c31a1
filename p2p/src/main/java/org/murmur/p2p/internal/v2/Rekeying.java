package org.murmur.p2p.internal.v2;

import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * The key and the nonces of one cipher in one direction. After 224 uses the cipher's own output is
 * the next key, so that a key stolen later does not open earlier packets (BIP-0324, "Rekeying
 * wrappers").
 */
final class Rekeying {

  static final int KEY = 32;

  /** Uses of one key (REKEY_INTERVAL). */
  static final int INTERVAL = 224;

  /** The first four bytes of the nonce that makes the next key of packets. */
  static final int LAST = -1;

  private static final int NONCE = 12;

  private KeyParameter key;
  private int uses;
  private long rekeyings;

  Rekeying(byte[] first) {
    key = new KeyParameter(first);
  }

  /** Counts a use. Returns whether it was the last one of the key. */
  boolean used() {
    return ++uses == INTERVAL;
  }

  int uses() {
    return uses;
  }

  void replace(byte[] next) {
    key = new KeyParameter(next);
    uses = 0;
    rekeyings++;
  }

  /** Key and nonce: four bytes, and how often the key was replaced, both little-endian. */
  ParametersWithIV parameters(int firstFour) {
    byte[] nonce = new byte[NONCE];
    LittleEndian.putInt32(nonce, 0, firstFour);
    LittleEndian.putInt64(nonce, Integer.BYTES, rekeyings);
    return new ParametersWithIV(key, nonce);
  }
}
