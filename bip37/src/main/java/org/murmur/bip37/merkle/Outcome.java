package org.murmur.bip37.merkle;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;

/** The result of walking a partial Merkle tree. */
public sealed interface Outcome {

  /**
   * The tree is valid. It proves its matches if its root is a block's Merkle root.
   *
   * @param root the computed Merkle root
   * @param matches the marked transactions in block order
   * @param mayFakeItsDepth whether a node on the way to a match may be a transaction of 64 bytes;
   *     see {@link Verdict.Proven}
   */
  record Proven(Hash256 root, List<Match> matches, boolean mayFakeItsDepth) implements Outcome {}

  /**
   * The tree is invalid and proves nothing.
   *
   * @param reason the first check it fails
   */
  record Refused(Reason reason) implements Outcome {}
}
