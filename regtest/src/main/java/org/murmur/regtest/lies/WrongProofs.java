package org.murmur.regtest.lies;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.regtest.node.FilteredBlock;
import org.murmur.regtest.node.Mask;

/** Sends filtered blocks with a wrong Merkle proof. */
public record WrongProofs() implements Mask.Same {

  @Override
  public FilteredBlock serves(FilteredBlock block) {
    PartialMerkleTree tree = block.tree();
    List<Hash256> hashes = new ArrayList<>(tree.hashes());
    byte[] last = hashes.remove(hashes.size() - 1).toInternal();
    last[0] ^= 1;
    hashes.add(Hash256.ofInternal(last));
    return block.with(PartialMerkleTree.of(tree.transactions(), hashes, tree.flags()));
  }
}
