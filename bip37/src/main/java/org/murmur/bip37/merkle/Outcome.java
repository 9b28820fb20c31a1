package org.murmur.bip37.merkle;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;

/** What walking a partial Merkle tree yields. */
public sealed interface Outcome {

  /**
   * The tree is sound. It proves its matches to whoever knows that the root is a block's.
   *
   * @param root the Merkle root that follows from the tree
   * @param matches the marked transactions in block order
   * @param mayFakeItsDepth whether a node on the way to a match may be a transaction of 64 bytes;
   *     see {@link Verdict.Proven}
   */
  record Proven(Hash256 root, List<Match> matches, boolean mayFakeItsDepth) implements Outcome {}

  /**
   * The tree is not sound and proves nothing.
   *
   * @param reason the first check it fails
   */
  record Refused(Reason reason) implements Outcome {}
}
