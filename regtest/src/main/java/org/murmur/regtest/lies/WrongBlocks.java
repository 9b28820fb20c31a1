package org.murmur.regtest.lies;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Sends wrong whole blocks. */
public enum WrongBlocks implements Lie {
  /** The block before the one that was asked for. */
  PREVIOUS,
  /** The block with another last transaction, which its Merkle root does not cover. */
  CHANGED;

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public List<Message> says(Message message) {
        return List.of(
            message instanceof Message.BlockMessage said
                ? new Message.BlockMessage(wrong(said.raw(), chain))
                : message);
      }
    };
  }

  private Bytes wrong(Bytes raw, Chain chain) {
    if (this == PREVIOUS) {
      Block block = chain.block(Block.parse(raw).previous());
      return block == null ? raw : block.stripped();
    }
    byte[] changed = raw.toArray();
    changed[changed.length - 1] ^= 1; // its lock time
    return Bytes.wrap(changed);
  }
}
