package org.murmur.bip37.merkle;

import org.murmur.bip37.bytes.Hash256;

/**
 * Two hashes side by side are 64 bytes, and so is the smallest transaction that somebody can make
 * fit: whoever gets one into a block can tell of a tree that is deeper than it is (CVE-2017-12842).
 *
 * <pre>
 *   0 version   4 inputs = 1   5 outpoint (36)   41 length s of its script   42 script
 *   42+s sequence   46+s outputs = 1   47+s value   55+s length p of its script   56+s script
 *   60 lock time                                                              s + p = 4
 * </pre>
 */
final class InnerNode {

  private static final int INPUTS_AT = 4;
  private static final int SCRIPT_LENGTH_AT = 41;

  /** Bytes that are left for both scripts. */
  private static final int SCRIPT_BYTES = 4;

  private InnerNode() {}

  /** Whether two children of a node, read as one, are a transaction. */
  static boolean mayBeTransaction(Hash256 left, Hash256 right) {
    byte[] node = new byte[2 * Hash256.LENGTH];
    left.write(node, 0);
    right.write(node, Hash256.LENGTH);
    int script = node[SCRIPT_LENGTH_AT];
    return node[INPUTS_AT] == 1
        && script >= 0
        && script <= SCRIPT_BYTES
        && node[46 + script] == 1
        && node[55 + script] == SCRIPT_BYTES - script;
  }
}
