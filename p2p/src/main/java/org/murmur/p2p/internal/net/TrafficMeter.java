package org.murmur.p2p.internal.net;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;

/** Counts the bytes of messages by cause. Safe for any thread. */
final class TrafficMeter {

  /** Beyond this many unanswered requests of transactions, all of them are forgotten. */
  private static final int MAX_REQUESTED = 10_000;

  private final Map<TrafficCause, Long> received = new EnumMap<>(TrafficCause.class);
  private final Map<TrafficCause, Long> sent = new EnumMap<>(TrafficCause.class);
  // Transactions requested by id: all others belong to filtered blocks.
  private final Set<Hash256> requested = new HashSet<>();

  /** Counts a message of a peer. */
  synchronized void received(Message message, int wireBytes) {
    if (message instanceof Message.MerkleBlockMessage) {
      int empty = Math.min(wireBytes, BytesByCause.EMPTY_BLOCK_BYTES);
      add(received, TrafficCause.BLOCKS, empty);
      add(received, TrafficCause.PROOFS, wireBytes - empty);
    } else if (message instanceof Message.TxMessage tx) {
      boolean wasRequested = !requested.isEmpty() && requested.remove(tx.tx().txid());
      TrafficCause cause = wasRequested ? TrafficCause.UNCONFIRMED : TrafficCause.MATCHES;
      add(received, cause, wireBytes);
    } else {
      add(received, cause(message), wireBytes);
    }
  }

  /** Counts a message to a peer. */
  synchronized void sent(Message message, int wireBytes) {
    if (message instanceof Message.GetData request) {
      int each = request.items().isEmpty() ? 0 : wireBytes / request.items().size();
      int rest = wireBytes;
      for (InventoryItem item : request.items()) {
        add(sent, cause(item), each);
        rest -= each;
        if (cause(item) == TrafficCause.UNCONFIRMED) {
          note(item.hash());
        }
      }
      // Header and rounding.
      add(sent, cause(request.items()), rest);
    } else {
      TrafficCause cause =
          message instanceof Message.TxMessage ? TrafficCause.UNCONFIRMED : cause(message);
      add(sent, cause, wireBytes);
    }
  }

  private static void add(Map<TrafficCause, Long> to, TrafficCause cause, long bytes) {
    to.merge(cause, bytes, Long::sum);
  }

  private void note(Hash256 transaction) {
    if (requested.size() >= MAX_REQUESTED) {
      requested.clear();
    }
    requested.add(transaction);
  }

  private static TrafficCause cause(Message message) {
    if (message instanceof Message.HeadersMessage || message instanceof Message.GetHeaders) {
      return TrafficCause.HEADERS;
    }
    if (message instanceof Message.FilterLoad
        || message instanceof Message.FilterAdd
        || message instanceof Message.FilterClear) {
      return TrafficCause.FILTERS;
    }
    if (message instanceof Message.CFilter
        || message instanceof Message.CFHeaders
        || message instanceof Message.CFCheckpt
        || message instanceof Message.GetCFilters
        || message instanceof Message.GetCFHeaders
        || message instanceof Message.GetCFCheckpt) {
      return TrafficCause.BLOCK_FILTERS;
    }
    if (message instanceof Message.BlockMessage) {
      return TrafficCause.WHOLE_BLOCKS;
    }
    if (message instanceof Message.Mempool) {
      return TrafficCause.UNCONFIRMED;
    }
    if (message instanceof Message.GetAddr
        || message instanceof Message.Addr
        || message instanceof Message.AddrV2) {
      return TrafficCause.ADDRESSES;
    }
    if (message instanceof Message.Inv inv) {
      // Blocks are announced one by one; their filtered form is never announced.
      TrafficCause first = cause(inv.items());
      return first == TrafficCause.WHOLE_BLOCKS ? TrafficCause.HEADERS : first;
    }
    if (message instanceof Message.NotFound missing) {
      return cause(missing.items());
    }
    return TrafficCause.OTHER;
  }

  private static TrafficCause cause(List<InventoryItem> items) {
    return items.isEmpty() ? TrafficCause.OTHER : cause(items.get(0));
  }

  private static TrafficCause cause(InventoryItem item) {
    return switch (item.type()) {
      case InventoryItem.FILTERED_BLOCK, InventoryItem.FILTERED_WITNESS_BLOCK ->
          TrafficCause.BLOCKS;
      case InventoryItem.BLOCK, InventoryItem.WITNESS_BLOCK, InventoryItem.COMPACT_BLOCK ->
          TrafficCause.WHOLE_BLOCKS;
      case InventoryItem.TX, InventoryItem.WTX, InventoryItem.WITNESS_TX ->
          TrafficCause.UNCONFIRMED;
      default -> TrafficCause.OTHER;
    };
  }

  /** The counts so far. */
  synchronized BytesByCause traffic() {
    BytesByCause traffic = BytesByCause.NONE;
    for (TrafficCause cause : TrafficCause.values()) {
      traffic = traffic.plus(cause, received.getOrDefault(cause, 0L), sent.getOrDefault(cause, 0L));
    }
    return traffic;
  }
}
