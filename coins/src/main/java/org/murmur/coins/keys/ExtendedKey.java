package org.murmur.coins.keys;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.bitcoinj.base.Base58;
import org.bouncycastle.math.ec.ECPoint;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.internal.Hmac;
import org.murmur.coins.internal.crypto.GeneratorSums;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.internal.crypto.Secp256k1;

/**
 * A public extended key (BIP-0032). It derives the public keys below it, never a private one.
 * Private extended keys are refused, here and everywhere in this package.
 *
 * <pre>
 *  offset size
 *   0      4   version: which network, and by SLIP-0132 which script
 *   4      1   depth, 0 for the master key
 *   5      4   fingerprint of the parent key
 *   9      4   child number, big-endian, from 2^31 hardened
 *  13     32   chain code
 *  45     33   public key, compressed
 * </pre>
 */
public final class ExtendedKey {

  private static final int LENGTH = 78;

  /** Child numbers from here are hardened: they need the private key. */
  static final int HARDENED = 0x80000000;

  /** The common versions: BIP-0032, and SLIP-0132 for the script types and multisig. */
  private enum Version {
    XPUB(0x0488b21e, KeyNetwork.MAINNET, null),
    YPUB(0x049d7cb2, KeyNetwork.MAINNET, OutputType.P2SH_P2WPKH),
    ZPUB(0x04b24746, KeyNetwork.MAINNET, OutputType.P2WPKH),
    TPUB(0x043587cf, KeyNetwork.TEST, null),
    UPUB(0x044a5262, KeyNetwork.TEST, OutputType.P2SH_P2WPKH),
    VPUB(0x045f1cf6, KeyNetwork.TEST, OutputType.P2WPKH);

    private final int number;
    private final KeyNetwork network;
    private final @Nullable OutputType script;

    Version(int number, KeyNetwork network, @Nullable OutputType script) {
      this.number = number;
      this.network = network;
      this.script = script;
    }
  }

  private final Version version;
  private final int depth;
  private final int parentFingerprint;
  private final int childNumber;
  private final byte[] chainCode;
  private final ECPoint point;
  private @Nullable Hmac hmac;

  private ExtendedKey(
      Version version,
      int depth,
      int parentFingerprint,
      int childNumber,
      byte[] chainCode,
      ECPoint point) {
    this.version = version;
    this.depth = depth;
    this.parentFingerprint = parentFingerprint;
    this.childNumber = childNumber;
    this.chainCode = chainCode;
    this.point = point;
  }

  static ExtendedKey of(
      KeyNetwork network,
      int depth,
      int parentFingerprint,
      int childNumber,
      byte[] chainCode,
      ECPoint point) {
    Version version = network == KeyNetwork.MAINNET ? Version.XPUB : Version.TPUB;
    return new ExtendedKey(
        version, depth, parentFingerprint, childNumber, chainCode, point.normalize());
  }

  /**
   * Reads a public extended key.
   *
   * @param text {@code xpub…} or {@code tpub…}, or one of SLIP-0132: {@code ypub…}, {@code upub…}
   *     (BIP-0049), {@code zpub…}, {@code vpub…} (BIP-0084)
   * @param network the wallet's network
   * @return the key
   * @throws DescriptorException if it is damaged, private, of another network, or for multisig
   */
  public static ExtendedKey parse(String text, KeyNetwork network) {
    refusePrivate(text);
    byte[] bytes = decode(text);
    Version version = version(bytes, text);
    if (!version.network.sharesKeysWith(network)) {
      throw new DescriptorException(
          String.format(
              "%s… is a key of %s, but the wallet is on %s",
              text.substring(0, 8), version.network.title(), network.title()));
    }
    int depth = bytes[4] & 0xff;
    int parentFingerprint = ByteBuffer.wrap(bytes).getInt(5);
    int childNumber = ByteBuffer.wrap(bytes).getInt(9);
    if (depth == 0 && (parentFingerprint != 0 || childNumber != 0)) {
      throw new DescriptorException(
          "the extended key contradicts itself: a master key has no parent and no number");
    }
    return new ExtendedKey(
        version,
        depth,
        parentFingerprint,
        childNumber,
        Arrays.copyOfRange(bytes, 13, 45),
        point(Arrays.copyOfRange(bytes, 45, LENGTH)));
  }

  /**
   * Whether a text begins like an extended key, public or private, known to this class or not. A
   * short one with a known letter is one that was cut off: addresses begin with other letters.
   */
  static boolean looksLike(String text) {
    return text.matches("[tuvxyzUVYZ](pub|prv)[0-9A-Za-z]*")
        || (text.length() > 50 && text.matches("[A-Za-z](pub|prv)[0-9A-Za-z]*"));
  }

  private static void refusePrivate(String text) {
    if (text.length() >= 4 && text.startsWith("prv", 1)) {
      throw new DescriptorException(
          "this is a private extended key ("
              + text.substring(0, 4)
              + "…): it can spend, and nothing here needs that; give the public one ("
              + text.charAt(0)
              + "pub…)");
    }
  }

  private static byte[] decode(String text) {
    byte[] bytes;
    try {
      bytes = Address.Base58Check.decode(text);
    } catch (IllegalArgumentException e) {
      throw new DescriptorException(
          "the extended key is mistyped or cut off: " + e.getMessage(), e);
    }
    if (bytes.length != LENGTH) {
      throw new DescriptorException(
          "an extended key has " + LENGTH + " bytes, this one " + bytes.length);
    }
    return bytes;
  }

  private static Version version(byte[] bytes, String text) {
    int number = ByteBuffer.wrap(bytes).getInt(0);
    for (Version version : Version.values()) {
      if (version.number == number) {
        return version;
      }
    }
    if (text.matches("[YZUV]pub.*")) {
      throw new DescriptorException(
          text.substring(0, 4)
              + "… is a multisig key; give a descriptor instead: wsh(sortedmulti(…))");
    }
    throw new DescriptorException(
        String.format("unknown version of extended key: %08x; expected xpub or tpub", number));
  }

  private static ECPoint point(byte[] compressed) {
    try {
      return Secp256k1.decode(compressed);
    } catch (IllegalArgumentException e) {
      throw new DescriptorException("the extended key holds no public key", e);
    }
  }

  /**
   * {@return the script type that the prefix asks for (SLIP-0132): BIP-0049 for ypub and upub,
   * BIP-0084 for zpub and vpub, nothing for xpub and tpub}
   */
  public Optional<OutputType> script() {
    return Optional.ofNullable(version.script);
  }

  /** {@return how far below the master key it is, 0 for a master key, 3 for an account} */
  public int depth() {
    return depth;
  }

  /**
   * {@return the first four bytes of the key's HASH160, as key origins in descriptors write it;
   * eight lower-case hex digits}
   */
  public String fingerprint() {
    return Hex.format(Arrays.copyOf(Hashes.hash160(Secp256k1.encode(point)), 4));
  }

  /** {@return the public key, 33 bytes, compressed} */
  public Bytes publicKey() {
    return Bytes.wrap(Secp256k1.encode(point));
  }

  /**
   * {@return the standard form of BIP-0032, the only one descriptors use; {@code xpub…} on mainnet,
   * {@code tpub…} on other networks}
   */
  public String text() {
    return text(version.network == KeyNetwork.MAINNET ? Version.XPUB : Version.TPUB);
  }

  /**
   * Returns the form of SLIP-0132, which some wallets want.
   *
   * @param script the script type for the prefix
   * @return ypub, upub, zpub or vpub; the standard form for types without a prefix of their own
   */
  public String slip132(OutputType script) {
    for (Version candidate : Version.values()) {
      if (candidate.network == version.network && candidate.script == script) {
        return text(candidate);
      }
    }
    return text();
  }

  private String text(Version as) {
    byte[] bytes =
        ByteBuffer.allocate(LENGTH)
            .putInt(as.number)
            .put((byte) depth)
            .putInt(parentFingerprint)
            .putInt(childNumber)
            .put(chainCode)
            .put(Secp256k1.encode(point))
            .array();
    return Base58.encodeChecked(bytes[0], Arrays.copyOfRange(bytes, 1, LENGTH));
  }

  /** The key's point, normalised. */
  ECPoint point() {
    return point;
  }

  /** The child of a number that is not hardened. */
  ExtendedKey child(int number) {
    byte[] compressed = Secp256k1.encode(point);
    byte[] i = mac(compressed, number);
    int fingerprint = ByteBuffer.wrap(Hashes.hash160(compressed)).getInt();
    return new ExtendedKey(
        version,
        depth + 1,
        fingerprint,
        number,
        Arrays.copyOfRange(i, 32, 64),
        GeneratorSums.of(new ECPoint[] {point}, new byte[][] {tweak(i)})[0]);
  }

  /** The points of consecutive children, normalised, computed together. */
  ECPoint[] children(int from, int count) {
    byte[] compressed = Secp256k1.encode(point);
    ECPoint[] parents = new ECPoint[count];
    byte[][] tweaks = new byte[count][];
    for (int k = 0; k < count; k++) {
      parents[k] = point;
      tweaks[k] = tweak(mac(compressed, from + k));
    }
    return GeneratorSums.of(parents, tweaks);
  }

  private byte[] mac(byte[] compressed, int number) {
    if (number < 0) {
      throw new IllegalArgumentException("a hardened child needs the private key: " + number);
    }
    byte[] data =
        ByteBuffer.allocate(Secp256k1.COMPRESSED + 4).put(compressed).putInt(number).array();
    return hmac().mac(data);
  }

  private Hmac hmac() {
    Hmac mine = hmac;
    if (mine == null) {
      mine = Hmac.sha512(chainCode);
      hmac = mine;
    }
    return mine;
  }

  /** The left half of a MAC, which is in range except once in 2^127 times. */
  private static byte[] tweak(byte[] i) {
    byte[] left = Arrays.copyOf(i, 32);
    Secp256k1.scalar(left);
    return left;
  }

  /** The same key, whatever its prefix. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ExtendedKey k && text().equals(k.text());
  }

  @Override
  public int hashCode() {
    return text().hashCode();
  }

  /** The standard form. */
  @Override
  public String toString() {
    return text();
  }
}
