package org.murmur.coins.internal.sign;

import org.bouncycastle.math.ec.ECPoint;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.internal.crypto.Secp256k1;

/**
 * The proof that a taproot output commits to a script (BIP-0341):
 *
 * <pre>
 * leaf version, and 1 if y of the output key is odd   1 byte
 * internal key                                        32 bytes
 * the other halves on the way to the Merkle root      0 to 128 times 32 bytes
 * </pre>
 */
public final class ControlBlock {

  private static final int HASH = 32;
  private static final int START = 1 + HASH;
  private static final int MAX_DEPTH = 128;

  private ControlBlock() {}

  /**
   * Returns whether it proves that the script of a leaf belongs to the key of an output, 32 bytes;
   * false also if it is too short or too long.
   */
  public static boolean proves(Bytes block, Bytes script, Bytes outputKey) {
    int path = block.length() - START;
    if (path < 0 || path % HASH != 0 || path / HASH > MAX_DEPTH) {
      return false;
    }
    Bytes hash = leafHash(block.at(0) & 0xfe, script);
    for (int from = START; from < block.length(); from += HASH) {
      hash = branch(hash, block.slice(from, from + HASH));
    }
    return tweaked(block.slice(1, START), hash, block.at(0) & 1, outputKey);
  }

  /** Hashes a leaf (TapLeaf) of an even version. */
  public static Bytes leafHash(int version, Bytes script) {
    return tagged("TapLeaf", new ByteWriter().uint8(version).varBytes(script));
  }

  /** In the order of their bytes; hex sorts as they do. */
  private static Bytes branch(Bytes a, Bytes b) {
    boolean inOrder = a.toHex().compareTo(b.toHex()) < 0;
    return tagged("TapBranch", new ByteWriter().bytes(inOrder ? a : b).bytes(inOrder ? b : a));
  }

  private static boolean tweaked(Bytes internal, Bytes root, int odd, Bytes outputKey) {
    try {
      ECPoint sum = Secp256k1.tapOutput(internal, root);
      Bytes expected = new ByteWriter().uint8(2 + odd).bytes(outputKey).toBytes();
      return !sum.isInfinity() && Bytes.wrap(Secp256k1.encode(sum)).equals(expected);
    } catch (IllegalArgumentException e) {
      return false; // no point of the curve
    }
  }

  private static Bytes tagged(String tag, ByteWriter data) {
    return Bytes.wrap(Hashes.tagged(tag, data.toArray()));
  }
}
