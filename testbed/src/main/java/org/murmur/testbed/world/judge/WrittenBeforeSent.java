package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.Noise;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.testbed.world.network.ConversationLog;

/** No filter is sent before its load is on disk, and no element is sent outside a filter. */
final class WrittenBeforeSent {

  private final boolean hearsAll;
  // The filters on disk, and the peers that know a transaction by txid.
  private final Map<Long, Load> loads = new HashMap<>();
  private final Map<NodeAddress, Set<Hash256>> mentioned = new HashMap<>();
  // Those of them that are recorded as payments of the user.
  private final Map<NodeAddress, Set<Hash256>> payments = new HashMap<>();

  /** Checks a client that fetches all that peers announce, or needs a filter for that. */
  WrittenBeforeSent(boolean hearsAll) {
    this.hearsAll = hearsAll;
  }

  /** A batch is on disk. */
  void written(CommitBatch batch) {
    batch.loads().forEach(load -> loads.put(load.id(), load));
    for (CommitBatch.Mention mention : batch.mentions()) {
      mentioned.computeIfAbsent(mention.peer(), peer -> new HashSet<>()).add(mention.txid());
      if (mention.sent() != null) {
        payments.computeIfAbsent(mention.peer(), peer -> new HashSet<>()).add(mention.txid());
      }
    }
  }

  /** The client sends a message. */
  void sent(ConversationLog line, Message message) {
    if (message instanceof Message.TxMessage handedOver) {
      Hash256 txid = handedOver.tx().txid();
      requireRecorded(payments, line, txid);
      require(line.offered.contains(txid), "%s got %s, which was not announced to it", line, txid);
    } else if (message instanceof Message.Inv announced) {
      for (InventoryItem item : announced.items()) {
        requireRecorded(payments, line, item.hash());
        line.offered.add(item.hash());
      }
    } else if (message instanceof Message.GetData asked) {
      for (InventoryItem item : asked.items()) {
        boolean tx = item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX;
        boolean byName = tx && !line.announced.contains(item.hash());
        if (byName) {
          requireRecorded(mentioned, line, item.hash());
        } else if (tx && !isRecorded(mentioned, line, item.hash())) {
          require(
              hearsAll || line.sentLoad >= 0,
              "%s has no filter and is asked for %s",
              line,
              item.hash());
        }
      }
    } else if (message instanceof Message.FilterLoad load && !Noise.isNoise(load.filter())) {
      line.sentLoad = newest(line, load.filter());
    } else if (message instanceof Message.FilterAdd add) {
      Load load = loads.get(line.sentLoad);
      require(
          load != null && load.filter().contains(add.element()),
          "an element is added to the filter at %s before that is on disk",
          line);
    }
  }

  /** The newest load on disk of a filter for the peer of a line. */
  private long newest(ConversationLog line, BloomFilter filter) {
    long id = -1;
    for (Load known : loads.values()) {
      if (known.peer().equals(line.peer) && known.filter().equals(filter)) {
        id = Math.max(id, known.id());
      }
    }
    require(id >= 0, "a filter is sent to %s before it is on disk", line);
    return id;
  }

  private static boolean isRecorded(
      Map<NodeAddress, Set<Hash256>> record, ConversationLog line, Hash256 txid) {
    return record.getOrDefault(line.peer.canonical(), Set.of()).contains(txid);
  }

  private static void requireRecorded(
      Map<NodeAddress, Set<Hash256>> record, ConversationLog line, Hash256 txid) {
    require(isRecorded(record, line, txid), "%s learns of %s before that is on disk", line, txid);
  }
}
