package org.murmur.coins.internal.crypto;

import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.GCMModeCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.MalformedException;

/**
 * Keeps a secret under a password: Argon2id (RFC 9106) makes the key, AES-256-GCM encrypts. The
 * header is authenticated with the secret, so that its parameters cannot be weakened.
 *
 * <pre>
 *  offset size
 *   0      4   magic, "MSBX"
 *   4      1   version of this layout, 1
 *   5      4   Argon2id memory in KiB, little-endian
 *   9      4   Argon2id passes, little-endian
 *  13      1   Argon2id lanes
 *  14     16   salt
 *  30     12   nonce
 *  42      n   the secret, encrypted
 *  42+n   16   tag over header (offsets 0 to 41) and secret
 * </pre>
 *
 * <p>The key and the password's bytes are overwritten after use; the library clears Argon2's
 * memory. Two copies last until their memory is used again: the key in the library's cipher, and a
 * password that is not in normal form, which Java normalises into a string.
 */
public final class SecretBox {

  private static final byte[] MAGIC = "MSBX".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int SALT_LENGTH = 16;
  private static final int NONCE_LENGTH = 12;
  private static final int HEADER_LENGTH = 42;
  private static final int TAG_LENGTH = 16;
  private static final int KEY_LENGTH = 32;

  /**
   * The second recommendation of RFC 9106 (64 MiB, 3 passes), with one lane: one thread runs it.
   */
  private static final Cost DEFAULT = new Cost(NewBoxMemory.kib(), 3, 1);

  /** The limits of our boxes; a hostile file must not use up a phone's memory or its day. */
  private static final Cost MOST = new Cost(256 * 1024, 16, 4);

  /** Memory times passes is the time taken: at most 1 GiB written, some seconds. */
  private static final long MAX_WORK_KIB = 1024 * 1024;

  /** No mnemonic with passphrase is longer. */
  private static final int MAX_SECRET = 64 * 1024;

  /** The parameters of Argon2id. */
  record Cost(int memoryKib, int passes, int lanes) {
    boolean acceptable() {
      return lanes >= 1
          && lanes <= MOST.lanes
          && passes >= 1
          && passes <= MOST.passes
          && memoryKib >= 8 * lanes
          && memoryKib <= MOST.memoryKib
          && (long) memoryKib * passes <= MAX_WORK_KIB;
    }
  }

  private SecretBox() {}

  /**
   * Encrypts a secret. Takes 64 MiB of memory and a good part of a second.
   *
   * @param secret what to keep, at most 64 KiB; not changed
   * @param password any password but an empty one; not changed. Equivalent Unicode spellings count
   *     as the same
   * @param random where salt and nonce come from
   * @return the box, with different content every time
   * @throws IllegalArgumentException if the secret is too long, or the password {@linkplain
   *     #requirePassword is none}
   */
  public static Bytes seal(byte[] secret, char[] password, SecureRandom random) {
    requirePassword(password);
    return seal(secret, password, random, DEFAULT);
  }

  /**
   * Requires that something can be encrypted with a password. Null characters are what is left of
   * one that was overwritten.
   *
   * @throws IllegalArgumentException if it is empty, begins with a null character, or {@linkplain
   *     SecretText#require is no text}
   */
  public static void requirePassword(char[] password) {
    if (password.length == 0 || password[0] == '\0') {
      throw new IllegalArgumentException("empty password");
    }
    SecretText.require(CharBuffer.wrap(password));
  }

  static Bytes seal(byte[] secret, char[] password, SecureRandom random, Cost cost) {
    if (secret.length > MAX_SECRET) {
      throw new IllegalArgumentException(
          "secret of " + secret.length + " bytes: expected at most " + MAX_SECRET);
    }
    byte[] salt = new byte[SALT_LENGTH];
    byte[] nonce = new byte[NONCE_LENGTH];
    random.nextBytes(salt);
    random.nextBytes(nonce);
    byte[] header =
        new ByteWriter(HEADER_LENGTH)
            .bytes(MAGIC, 0, MAGIC.length)
            .uint8(VERSION)
            .int32(cost.memoryKib)
            .int32(cost.passes)
            .uint8(cost.lanes)
            .bytes(salt, 0, SALT_LENGTH)
            .bytes(nonce, 0, NONCE_LENGTH)
            .toArray();
    GCMModeCipher cipher = cipher(true, key(password, salt, cost), nonce, header);
    byte[] box = Arrays.copyOf(header, HEADER_LENGTH + secret.length + TAG_LENGTH);
    try {
      int written = cipher.processBytes(secret, 0, secret.length, box, HEADER_LENGTH);
      cipher.doFinal(box, HEADER_LENGTH + written);
    } catch (InvalidCipherTextException e) {
      throw new AssertionError("only decryption can fail", e);
    }
    return Bytes.wrap(box);
  }

  /**
   * Decrypts a secret.
   *
   * @param box what {@link #seal} returned
   * @param password the password; not changed
   * @return the secret; the caller may overwrite it after use
   * @throws WrongPasswordException if the password is another one or the box was altered
   * @throws MalformedException if this is no box of a known version, or its parameters would take
   *     more memory or time than any box of ours
   */
  public static byte[] open(Bytes box, char[] password) throws WrongPasswordException {
    byte[] bytes = box.toArray();
    Cost cost = cost(bytes);
    byte[] salt = Arrays.copyOfRange(bytes, 14, 30);
    byte[] nonce = Arrays.copyOfRange(bytes, 30, HEADER_LENGTH);
    byte[] header = Arrays.copyOf(bytes, HEADER_LENGTH);
    GCMModeCipher cipher = cipher(false, key(password, salt, cost), nonce, header);
    int length = bytes.length - HEADER_LENGTH;
    byte[] secret = new byte[cipher.getOutputSize(length)];
    try {
      int written = cipher.processBytes(bytes, HEADER_LENGTH, length, secret, 0);
      cipher.doFinal(secret, written);
      return secret;
    } catch (InvalidCipherTextException e) {
      // A result under a wrong key need not stay either.
      Arrays.fill(secret, (byte) 0);
      throw new WrongPasswordException();
    }
  }

  private static Cost cost(byte[] box) {
    if (box.length < HEADER_LENGTH + TAG_LENGTH) {
      throw new MalformedException("too short for a box of encrypted words", box.length);
    }
    if (!Arrays.equals(Arrays.copyOf(box, MAGIC.length), MAGIC)) {
      throw new MalformedException("not a box of encrypted words", 0);
    }
    if (box[4] != VERSION) {
      throw new MalformedException("unknown version of box: " + (box[4] & 0xff), 4);
    }
    if (box.length > HEADER_LENGTH + MAX_SECRET + TAG_LENGTH) {
      throw new MalformedException("box of " + box.length + " bytes is too long", box.length);
    }
    Cost cost = new Cost(LittleEndian.int32(box, 5), LittleEndian.int32(box, 9), box[13] & 0xff);
    if (!cost.acceptable()) {
      throw new MalformedException("the box asks for more than it may: " + cost, 5);
    }
    return cost;
  }

  private static GCMModeCipher cipher(boolean seal, byte[] key, byte[] nonce, byte[] header) {
    GCMModeCipher cipher = GCMBlockCipher.newInstance(AESEngine.newInstance());
    cipher.init(seal, new AEADParameters(new KeyParameter(key), 8 * TAG_LENGTH, nonce, header));
    Arrays.fill(key, (byte) 0);
    return cipher;
  }

  private static byte[] key(char[] password, byte[] salt, Cost cost) {
    Argon2BytesGenerator argon2 = new Argon2BytesGenerator();
    argon2.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(cost.memoryKib)
            .withIterations(cost.passes)
            .withParallelism(cost.lanes)
            .withSalt(salt)
            .build());
    byte[] utf8 = SecretText.utf8(CharBuffer.wrap(password));
    byte[] key = new byte[KEY_LENGTH];
    try {
      argon2.generateBytes(utf8, key);
    } finally {
      Arrays.fill(utf8, (byte) 0);
    }
    return key;
  }
}
