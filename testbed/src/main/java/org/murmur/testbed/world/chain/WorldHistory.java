package org.murmur.testbed.world.chain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;

/** All blocks and transactions of a world, on any branch. */
final class WorldHistory {

  private final WalletScripts wallet;
  private final Map<OutPoint, Tx.Output> paid = new LinkedHashMap<>();
  private final Map<Hash256, Tx> made = new HashMap<>();
  private final Map<Hash256, Block> blocks = new HashMap<>();
  private final Map<Hash256, List<ChainEvent>> events = new HashMap<>();

  WorldHistory(WalletScripts wallet) {
    this.wallet = wallet;
  }

  /** A block was mined, on any branch. */
  void remember(Block block) {
    blocks.put(block.hash(), block);
  }

  /** A transaction was made that may concern the wallet. */
  void note(Tx tx) {
    made.put(tx.txid(), tx);
    for (int i = 0; i < tx.outputs().size(); i++) {
      if (wallet.owns(tx.outputs().get(i).script())) {
        paid.put(tx.outPoint(i), tx.outputs().get(i));
      }
    }
  }

  @Nullable Block block(Hash256 hash) {
    return blocks.get(hash);
  }

  @Nullable Tx tx(Hash256 txid) {
    return made.get(txid);
  }

  /** Every output that ever paid the wallet, confirmed or not, the oldest first. */
  Map<OutPoint, Tx.Output> paid() {
    return paid;
  }

  /** The spends and outputs of a block that may concern the wallet, in the order of the block. */
  List<ChainEvent> events(Block block) {
    return events.computeIfAbsent(
        block.hash(),
        hash -> {
          List<ChainEvent> found = new ArrayList<>();
          for (Tx tx : block.transactions()) {
            tx.inputs().forEach(input -> found.add(new ChainEvent(input.outPoint(), null)));
            for (int i = 0; i < tx.outputs().size(); i++) {
              Bytes script = tx.outputs().get(i).script();
              if (wallet.owns(script)) {
                found.add(new ChainEvent(tx.outPoint(i), script));
              }
            }
          }
          return found;
        });
  }
}
