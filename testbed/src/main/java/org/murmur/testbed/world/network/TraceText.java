package org.murmur.testbed.world.network;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;

/**
 * Short words for a trace's lines. They do not follow the names in the code, so that traces of two
 * versions can be compared.
 */
public final class TraceText {

  private TraceText() {}

  public static String brief(Hash256 hash) {
    return hash.toDisplay().substring(0, 8) + ".." + hash.toDisplay().substring(56);
  }

  public static String brief(CommitBatch batch) {
    return "batch "
        + batch.sequence()
        + ": "
        + batch.connected().count()
        + " headers above "
        + batch.forkHeight()
        + ", rows "
        + batch.rows().stream().map(TraceText::brief).toList()
        + ", loads "
        + batch.loads().stream().map(load -> load.id() + "/" + load.elements()).toList()
        + ", matched "
        + batch.blocks().stream().map(CommitBatch.MatchedBlock::height).toList()
        + ", unconfirmed "
        + batch.unconfirmed().size()
        + ", missing "
        + batch.missing().size()
        + (batch.disowned().isEmpty() ? "" : ", disowned " + batch.disowned());
  }

  private static String brief(ScanRow row) {
    return String.format(
        "ScanRow[id=%d, load=%d, elements=%d, from=%d, to=%d, time=%d]",
        row.id(), row.view(), row.elements(), row.from(), row.to(), row.time());
  }

  /** A message, with the heights of a chain's blocks. */
  public static String brief(Message message, Chain chain) {
    if (message instanceof Message.MerkleBlockMessage block) {
      return "MerkleBlock " + height(block.merkleBlock().blockHash(), chain);
    }
    if (message instanceof Message.GetData ask && !ask.items().isEmpty()) {
      InventoryItem first = ask.items().get(0);
      return "GetData "
          + ask.items().size()
          + " of type "
          + (first.type() & 0xffff)
          + " from "
          + height(first.hash(), chain);
    }
    if (message instanceof Message.TxMessage tx) {
      return "Tx " + brief(tx.tx().txid());
    }
    if (message instanceof Message.HeadersMessage headers) {
      return "Headers " + headers.headers().count();
    }
    if (message instanceof Message.Inv inv) {
      return "Inv " + inv.items().size();
    }
    if (message instanceof Message.NotFound none) {
      return "NotFound " + none.items().size();
    }
    if (message instanceof Message.FilterLoad load) {
      return "FilterLoad " + load.filter();
    }
    return message.getClass().getSimpleName();
  }

  private static String height(Hash256 hash, Chain chain) {
    int height = chain.heightOf(hash);
    return height < 0 ? brief(hash) : Integer.toString(height);
  }
}
