package org.murmur.p2p.internal.v2;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.internal.Hmac;

/**
 * The keys of one connection, derived by HKDF-SHA256 (RFC 5869; BIP-0324, "Keys and session ID
 * derivation"). Each has 32 bytes, so one block of HKDF is enough.
 */
final class SessionKeys {

  /** Bytes of a garbage terminator. */
  static final int TERMINATOR = 16;

  private static final byte FIRST_BLOCK = 1;

  private final Hmac expand;
  private final boolean initiating;

  /**
   * @param secret 32 bytes that both sides have
   * @param magic the network's four bytes, read as a little-endian integer
   * @param initiating whether this side opened the connection
   */
  SessionKeys(byte[] secret, int magic, boolean initiating) {
    byte[] name = ascii("bitcoin_v2_shared_secret");
    byte[] salt = Arrays.copyOf(name, name.length + Integer.BYTES);
    LittleEndian.putInt32(salt, name.length, magic);
    byte[] extracted = Hmac.sha256(salt).mac(secret);
    this.expand = Hmac.sha256(extracted);
    this.initiating = initiating;
    Arrays.fill(extracted, (byte) 0);
  }

  byte[] sessionId() {
    return expand("session_id");
  }

  LengthCipher lengths(boolean sending) {
    return new LengthCipher(expand(isInitiators(sending) ? "initiator_L" : "responder_L"));
  }

  PacketCipher packets(boolean sending) {
    byte[] key = expand(isInitiators(sending) ? "initiator_P" : "responder_P");
    return new PacketCipher(key, sending);
  }

  /** The bytes that end the garbage of one direction. */
  byte[] terminator(boolean sending) {
    byte[] both = expand("garbage_terminators");
    int from = isInitiators(sending) ? 0 : TERMINATOR;
    return Arrays.copyOfRange(both, from, from + TERMINATOR);
  }

  /** Forgets the secret. */
  void wipe() {
    expand.wipe();
  }

  private boolean isInitiators(boolean sending) {
    return sending == initiating;
  }

  byte[] expand(String info) {
    byte[] name = ascii(info);
    byte[] block = Arrays.copyOf(name, name.length + 1);
    block[name.length] = FIRST_BLOCK;
    return expand.mac(block);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
