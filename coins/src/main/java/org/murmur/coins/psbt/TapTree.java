package org.murmur.coins.psbt;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;

/** Checks a tree of taproot scripts: its leaves, depth first, must make one whole tree. */
final class TapTree {

  private static final int MAX_DEPTH = 128;

  /** For each depth whether a left half waits for its right half. */
  private final List<Boolean> halves = new ArrayList<>();

  private TapTree() {}

  /** Reads depth, leaf version and script of each leaf (BIP-0371). */
  static void check(Bytes data) {
    Shape.require(!data.isEmpty(), "a tree without leaves");
    ByteReader in = new ByteReader(data.unsafeArray());
    TapTree tree = new TapTree();
    while (in.remaining() > 0) {
      int depth = in.uint8();
      Shape.require((in.uint8() & 1) == 0, "an odd leaf version");
      in.skip(in.count(1));
      tree.add(depth);
    }
    Shape.require(tree.halves.size() == 1 && tree.halves.get(0), "not a whole tree");
  }

  private void add(int leafDepth) {
    int depth = leafDepth;
    Shape.require(depth <= MAX_DEPTH && depth + 1 >= halves.size(), "leaves in a wrong order");
    while (halves.size() > depth && halves.get(depth)) {
      halves.remove(halves.size() - 1);
      Shape.require(depth > 0, "more leaves than one tree has");
      depth--;
    }
    while (halves.size() <= depth) {
      halves.add(false);
    }
    halves.set(depth, true);
  }
}
