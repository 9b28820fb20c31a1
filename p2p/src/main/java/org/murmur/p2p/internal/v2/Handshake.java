package org.murmur.p2p.internal.v2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.WireException;

/**
 * The exchange of keys at the beginning of an encrypted connection (BIP-0324, "Handshake"). Both
 * sides send
 *
 * <pre>
 * key 64 | garbage 0 to 4095 | terminator 16 | version packet, whose tag covers the garbage
 * </pre>
 *
 * <p>where the last two need the other side's key. The version packet is empty so far.
 */
final class Handshake {

  /** The most bytes of garbage. */
  static final int MAX_GARBAGE = 4095;

  /** Four bytes of magic and a version command begin the first frame of a plain connection. */
  static final int PLAIN_PREFIX = 16;

  private static final byte[] NOTHING = new byte[0];
  private static final byte[] VERSION =
      Arrays.copyOf("version".getBytes(StandardCharsets.US_ASCII), PLAIN_PREFIX - Integer.BYTES);

  private final int magic;
  private final boolean initiating;
  private final EphemeralKey key;
  private final byte[] garbage;
  private final byte[] theirs = new byte[ElligatorSwift.LENGTH];
  private int keyLength;
  private boolean greeted;
  private boolean plain;
  private byte[] received = NOTHING;
  private int receivedLength;
  private byte[] terminator = NOTHING;
  // The terminators that the same keys give on other networks.
  private final Map<Integer, byte[]> foreign = new HashMap<>();
  private byte[] outgoing = NOTHING;
  private @Nullable SessionKeys keys;
  private @Nullable PacketWriter writer;
  private @Nullable PacketReader reader;

  /** Draws a key and garbage. */
  Handshake(int magic, boolean initiating, Dice dice) {
    this(magic, initiating, EphemeralKey.draw(dice), garbage(dice));
  }

  Handshake(int magic, boolean initiating, EphemeralKey key, byte[] garbage) {
    this.magic = magic;
    this.initiating = initiating;
    this.key = key;
    this.garbage = garbage;
    if (initiating) {
      greet();
    }
  }

  private static byte[] garbage(Dice dice) {
    byte[] garbage = new byte[dice.below(MAX_GARBAGE + 1)];
    dice.fill(garbage);
    return garbage;
  }

  private void greet() {
    greeted = true;
    send(key.encoding());
    send(garbage);
  }

  private void send(byte[] bytes) {
    int before = outgoing.length;
    outgoing = Arrays.copyOf(outgoing, before + bytes.length);
    System.arraycopy(bytes, 0, outgoing, before, bytes.length);
  }

  /** Takes bytes up to the end of the garbage; later ones belong to packets. */
  void feed(ByteBuffer data) {
    while (data.hasRemaining() && reader == null && !plain) {
      if (keyLength < theirs.length) {
        theirs[keyLength++] = data.get();
        prefixGrew();
        if (keyLength == theirs.length) {
          agree();
        }
      } else {
        received[receivedLength++] = data.get();
        garbageGrew();
      }
    }
  }

  /** A peer without encryption answers, or calls, with a version message. */
  private void prefixGrew() {
    if (keyLength > PLAIN_PREFIX) {
      return;
    }
    int found = keyLength < Integer.BYTES ? magic : LittleEndian.int32(theirs, 0);
    if (keyLength == PLAIN_PREFIX && isVersion()) {
      if (found != magic) {
        throw new WireException(found, magic);
      }
      plain = true;
    } else if (initiating && found == WireException.HTTP) {
      throw new WireException(found, magic);
    } else if (!greeted && !maybePlain()) {
      greet();
    }
  }

  private boolean isVersion() {
    return Arrays.equals(Arrays.copyOfRange(theirs, Integer.BYTES, PLAIN_PREFIX), VERSION);
  }

  private boolean maybePlain() {
    byte[] prefix = new byte[PLAIN_PREFIX];
    LittleEndian.putInt32(prefix, 0, magic);
    System.arraycopy(VERSION, 0, prefix, Integer.BYTES, VERSION.length);
    return Arrays.equals(Arrays.copyOf(prefix, keyLength), Arrays.copyOf(theirs, keyLength));
  }

  private void agree() {
    byte[] secret = key.sharedSecret(theirs, initiating);
    SessionKeys derived = new SessionKeys(secret, magic, initiating);
    for (ChainParams other : ChainParams.all()) {
      SessionKeys keysThere = new SessionKeys(secret, other.magic(), initiating);
      foreign.put(other.magic(), keysThere.terminator(false));
      keysThere.wipe();
    }
    foreign.remove(magic);
    Arrays.fill(secret, (byte) 0);
    keys = derived;
    PacketWriter packets = new PacketWriter(derived);
    writer = packets;
    send(derived.terminator(true));
    send(packets.packet(NOTHING, garbage, false));
    terminator = derived.terminator(false);
    received = new byte[MAX_GARBAGE + terminator.length];
  }

  private void garbageGrew() {
    if (endsWith(terminator)) {
      SessionKeys derived = keys;
      if (derived != null) {
        reader =
            new PacketReader(derived, Arrays.copyOf(received, receivedLength - terminator.length));
        derived.wipe();
        keys = null;
        received = NOTHING;
      }
      return;
    }
    // Otherwise both sides would wait for an end that never comes.
    foreign.forEach(
        (other, end) -> {
          if (endsWith(end)) {
            throw new WireException(other, magic);
          }
        });
    if (receivedLength == received.length) {
      throw new WireException("handshake", "garbage", receivedLength, "has no end", null);
    }
  }

  private boolean endsWith(byte[] end) {
    int from = receivedLength - end.length;
    return from >= 0
        && received[receivedLength - 1] == end[end.length - 1]
        && Arrays.equals(Arrays.copyOfRange(received, from, receivedLength), end);
  }

  /** Removes the bytes that must be sent now. */
  byte[] outgoing() {
    byte[] bytes = outgoing;
    outgoing = NOTHING;
    return bytes;
  }

  /** Whether the other side speaks the plain protocol; {@link #prefix} begins its first frame. */
  boolean isPlain() {
    return plain;
  }

  /** The bytes taken so far, of a peer that is plain. */
  byte[] prefix() {
    return Arrays.copyOf(theirs, keyLength);
  }

  /** Whether the other side has not sent a byte. */
  boolean isUnanswered() {
    return keyLength == 0;
  }

  /** The keys, from the moment when the other side's key is known to the end of its garbage. */
  @Nullable SessionKeys keys() {
    return keys;
  }

  /** Encrypts from the moment when the other side's key is known. */
  @Nullable PacketWriter writer() {
    return writer;
  }

  /** Decrypts from the end of the other side's garbage. */
  @Nullable PacketReader reader() {
    return reader;
  }
}
