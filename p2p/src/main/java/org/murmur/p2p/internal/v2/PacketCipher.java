package org.murmur.p2p.internal.v2;

import java.util.Arrays;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.modes.ChaCha20Poly1305;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts or decrypts packets in one direction: FSChaCha20Poly1305 of BIP-0324. Not thread safe.
 *
 * <p>The cipher is Bouncy Castle's: the one of the JDK does not exist on Android 8.
 */
final class PacketCipher {

  /** Bytes of an authentication tag. */
  static final int TAG = 16;

  /** Bytes of the header that begins the plaintext of each packet. */
  static final int HEADER = 1;

  /** The bit of the header that marks a decoy. */
  static final byte IGNORE = (byte) 0x80;

  private final ChaCha20Poly1305 cipher = new ChaCha20Poly1305();
  // For the next keys: the cipher of one direction keeps its mode.
  private final boolean encrypting;
  private final Rekeying keys;
  private final byte[] header = new byte[HEADER];

  PacketCipher(byte[] key, boolean encrypting) {
    this.encrypting = encrypting;
    this.keys = new Rekeying(key);
  }

  /** Encrypts a header and contents, with additional data, and writes them and their tag. */
  void encrypt(byte head, byte[] contents, byte[] additional, byte[] target, int offset) {
    begin(additional);
    header[0] = head;
    int at = offset + cipher.processBytes(header, 0, HEADER, target, offset);
    at += cipher.processBytes(contents, 0, contents.length, target, at);
    finish(target, at);
    rekeyIfDue();
  }

  /**
   * Decrypts a header, contents and tag. Returns header and contents, or null if the tag is wrong.
   */
  byte @Nullable [] decrypt(byte[] packet, byte[] additional) {
    begin(additional);
    byte[] plain = new byte[packet.length - TAG];
    int at = cipher.processBytes(packet, 0, packet.length, plain, 0);
    try {
      cipher.doFinal(plain, at);
    } catch (InvalidCipherTextException e) {
      return null;
    }
    rekeyIfDue();
    return plain;
  }

  private void begin(byte[] additional) {
    cipher.init(encrypting, keys.parameters(keys.uses()));
    cipher.processAADBytes(additional, 0, additional.length);
  }

  private void finish(byte[] target, int at) {
    try {
      cipher.doFinal(target, at);
    } catch (InvalidCipherTextException e) {
      throw new AssertionError("encrypting checks no tag", e);
    }
  }

  private void rekeyIfDue() {
    if (keys.used()) {
      byte[] next = new byte[Rekeying.KEY + TAG];
      cipher.init(true, keys.parameters(Rekeying.LAST));
      finish(next, cipher.processBytes(new byte[Rekeying.KEY], 0, Rekeying.KEY, next, 0));
      keys.replace(Arrays.copyOf(next, Rekeying.KEY));
    }
  }
}
