package org.murmur.testbed.world.chain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.regtest.chain.Block;

/** The chain of a client, by the hash of its tip: real blocks on any branch. */
public final class ClientChain {

  private final Economy economy;
  private Hash256 lastTip = Hash256.ZERO;
  private List<Block> lastChain = List.of();

  public ClientChain(Economy economy) {
    this.economy = economy;
  }

  /** Its blocks from genesis on. */
  public List<Block> to(Hash256 tip) {
    if (!tip.equals(lastTip)) {
      lastChain = read(tip);
      lastTip = tip;
    }
    return lastChain;
  }

  private List<Block> read(Hash256 tip) {
    List<Block> chain = new ArrayList<>();
    Hash256 next = tip;
    while (!next.equals(Hash256.ZERO)) {
      Block block = economy.block(next);
      if (block == null) {
        throw new AssertionError("the client's chain has block " + next + ", which nobody mined");
      }
      chain.add(block);
      next = block.previous();
    }
    Collections.reverse(chain);
    return chain;
  }

  /** Whether the chain with this tip holds a block at a height. */
  public boolean holds(Hash256 tip, int height, Hash256 block) {
    List<Block> chain = to(tip);
    return height < chain.size() && chain.get(height).hash().equals(block);
  }
}
