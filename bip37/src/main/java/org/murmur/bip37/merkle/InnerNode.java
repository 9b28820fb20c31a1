package org.murmur.bip37.merkle;

import org.murmur.bip37.bytes.Hash256;

/**
 * An inner node hashes 64 bytes: two child hashes. A transaction of 64 bytes in a block can
 * therefore pose as an inner node, and fake a deeper tree (CVE-2017-12842).
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
  private static final int OUTPUTS_AT = 46;
  private static final int OUTPUT_LENGTH_AT = 55;

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
        && node[OUTPUTS_AT + script] == 1
        && node[OUTPUT_LENGTH_AT + script] == SCRIPT_BYTES - script;
  }
}
