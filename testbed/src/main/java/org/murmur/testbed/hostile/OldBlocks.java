package org.murmur.testbed.hostile;

import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** No lie: fails the play if a pruned peer is asked for a block that it need not keep. */
record OldBlocks() implements Lie {

  private static final int KEPT = 288;

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public @Nullable Message hears(Message message) {
        if (message instanceof Message.GetData ask) {
          for (InventoryItem item : ask.items()) {
            int height = chain.heightOf(item.hash());
            if (height >= 0 && chain.height() - height > KEPT) {
              throw new AssertionError("a pruned peer is asked for block " + height);
            }
          }
        }
        return message;
      }
    };
  }
}
