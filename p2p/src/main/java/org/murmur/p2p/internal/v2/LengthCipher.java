package org.murmur.p2p.internal.v2;

import org.bouncycastle.crypto.engines.ChaCha7539Engine;

/**
 * Encrypts or decrypts the lengths of packets in one direction: FSChaCha20 of BIP-0324, with chunks
 * of three bytes. Not thread safe.
 */
final class LengthCipher {

  /** Bytes of an encrypted length. */
  static final int LENGTH = 3;

  private final ChaCha7539Engine chacha = new ChaCha7539Engine();
  private final Rekeying keys;

  LengthCipher(byte[] key) {
    keys = new Rekeying(key);
    begin();
  }

  /** Encrypts or decrypts three bytes in place; both are the same. */
  void crypt(byte[] bytes, int offset) {
    chacha.processBytes(bytes, offset, LENGTH, bytes, offset);
    if (keys.used()) {
      byte[] next = new byte[Rekeying.KEY];
      chacha.processBytes(next, 0, next.length, next, 0);
      keys.replace(next);
      begin();
    }
  }

  private void begin() {
    chacha.init(true, keys.parameters(0));
  }
}
