package org.murmur.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Outcome;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.merkle.Verdict;

/**
 * A proof, against BIP-0037's walk written down plainly: both accept the same proofs, with the same
 * root and matches. The first byte says whether the header's root is put right before, since no
 * fuzzer guesses it.
 */
public final class MerkleBlocks {

  /** Where the Merkle root is in a header. */
  private static final int ROOT_AT = 36;

  /** So many transactions of 60 bytes fill a block of 4,000,000 weight units (Core's bound). */
  private static final int MAX_TRANSACTIONS = 4_000_000 / (4 * 60);

  private MerkleBlocks() {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    byte[] payload = Arrays.copyOfRange(input, 1, input.length);
    MerkleBlock[] parsed = new MerkleBlock[1];
    try {
      Check.frugally(payload.length, () -> parsed[0] = MerkleBlock.parse(Bytes.of(payload)));
    } catch (MalformedException e) {
      return;
    }
    PartialMerkleTree tree = parsed[0].tree();
    Plain plain = new Plain(tree);
    Hash256 root = plain.root();
    if (root != null && (input[0] & 1) == 0) {
      root.write(payload, ROOT_AT);
    }
    MerkleBlock block = MerkleBlock.parse(Bytes.of(payload));
    Outcome outcome = tree.extract();
    Check.equal(outcome instanceof Outcome.Proven p ? p.root() : null, root, "root of " + outcome);
    Verdict[] verdict = new Verdict[1];
    Check.frugally(payload.length, () -> verdict[0] = block.verify());
    boolean proven = root != null && root.equals(block.merkleRoot());
    Check.equal(verdict[0] instanceof Verdict.Proven, proven, "whether proven");
    if (verdict[0] instanceof Verdict.Proven p) {
      Check.equal(p.matches(), plain.matches, "matches");
    }
    Check.equal(block.toPayload(), Bytes.of(payload), "payload");
    Check.equal(PartialMerkleTree.parse(tree.toBytes()), tree, "parsed again");
  }

  /** The walk of BIP-0037 with the checks that Bitcoin Core makes. */
  private static final class Plain {

    private final long transactions;
    private final List<Hash256> hashes;
    private final Bytes flags;
    final List<Match> matches = new ArrayList<>();
    private int usedHashes;
    private int usedFlags;
    private boolean bad;

    Plain(PartialMerkleTree tree) {
      transactions = Integer.toUnsignedLong(tree.transactions());
      hashes = tree.hashes();
      flags = tree.flags();
    }

    @Nullable Hash256 root() {
      if (transactions == 0
          || transactions > MAX_TRANSACTIONS
          || hashes.size() > transactions
          || 8L * flags.length() < hashes.size()) {
        return null;
      }
      int height = 0;
      while (width(height) > 1) {
        height++;
      }
      Hash256 root = walk(height, 0);
      boolean allUsed = (usedFlags + 7) / 8 == flags.length() && usedHashes == hashes.size();
      return bad || !allUsed ? null : root;
    }

    private long width(int height) {
      return (transactions + (1L << height) - 1) >> height;
    }

    private Hash256 walk(int height, int position) {
      if (bad || usedFlags >= 8 * flags.length()) {
        bad = true;
        return DoubleSha256.of(Bytes.of(new byte[0]));
      }
      boolean parentOfMatch = (flags.toArray()[usedFlags / 8] >> usedFlags % 8 & 1) != 0;
      usedFlags++;
      if (height == 0 || !parentOfMatch) {
        if (usedHashes >= hashes.size()) {
          bad = true;
          return DoubleSha256.of(Bytes.of(new byte[0]));
        }
        Hash256 hash = hashes.get(usedHashes++);
        if (height == 0 && parentOfMatch) {
          matches.add(new Match(hash, position));
        }
        return hash;
      }
      Hash256 left = walk(height - 1, 2 * position);
      Hash256 right = left;
      if (2L * position + 1 < width(height - 1)) {
        right = walk(height - 1, 2 * position + 1);
        bad |= right.equals(left);
      }
      return DoubleSha256.ofPair(left, right);
    }
  }
}
