package org.murmur.p2p.sync;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.Services;

/** Unconfirmed transactions: those that peers announce, and those the user sends. */
final class Relay {

  /** Announced transactions asked for at once; an endless inv costs no more memory than this. */
  private static final int MOST_WANTED = 10_000;

  private final Session session;
  private final Map<Hash256, Tx> outgoing = new LinkedHashMap<>();
  // Transactions already handed to the wallet in this session.
  private final Set<Hash256> known = new HashSet<>();

  Relay(Session session) {
    this.session = session;
  }

  void broadcast(Tx tx) {
    outgoing.put(tx.txid(), tx);
    for (Peer peer : session.peers.values()) {
      if (peer.isReady()) {
        announce(peer, tx.txid());
      }
    }
  }

  /** Tells a new peer what the user wants to send. */
  void greet(Peer peer) {
    outgoing.keySet().forEach(txid -> announce(peer, txid));
  }

  /** Takes announcements; returns whether one of them is a block. */
  boolean received(Peer peer, Message.Inv inv) {
    boolean block = false;
    List<InventoryItem> asks = new ArrayList<>();
    for (InventoryItem item : inv.items()) {
      if (item.type() == InventoryItem.BLOCK) {
        block |= !session.chain.knows(item.hash());
      } else if (item.type() == InventoryItem.TX) {
        if (outgoing.containsKey(item.hash())) {
          session.emit(new SyncEvent.TransactionAnnounced(item.hash(), peer.link.address()));
        }
        if (!known.contains(item.hash()) && peer.wanted.size() < MOST_WANTED) {
          asks.add(ask(peer, item.hash()));
        }
      }
    }
    if (!asks.isEmpty()) {
      session.send(peer, new Message.GetData(asks));
    }
    return block;
  }

  /** Asks for transactions by txid, whether they were announced or not. */
  void ask(Peer peer, Collection<Hash256> txids) {
    List<InventoryItem> asks = new ArrayList<>();
    txids.forEach(txid -> asks.add(ask(peer, txid)));
    session.send(peer, new Message.GetData(asks));
  }

  private InventoryItem ask(Peer peer, Hash256 txid) {
    boolean witness =
        peer.version != null && Services.has(peer.version.services(), Services.WITNESS);
    peer.beginsToOwe(session.now);
    peer.wanted.add(txid);
    return new InventoryItem(witness ? InventoryItem.WITNESS_TX : InventoryItem.TX, txid);
  }

  /** Takes a transaction that is no part of a block; returns whether it was asked for. */
  boolean received(Peer peer, Tx tx) {
    boolean asked = peer.wanted.remove(tx.txid());
    peer.see(tx);
    if (asked && known.add(tx.txid())) {
      session.journal.unconfirmed(tx, session.now);
    }
    return asked;
  }

  /** Returns whether it answers anything. */
  boolean received(Peer peer, Message.NotFound notFound) {
    boolean asked = false;
    for (InventoryItem item : notFound.items()) {
      asked |= peer.wanted.remove(item.hash());
      // Should it come back, it is news again.
      known.remove(item.hash());
    }
    return asked;
  }

  /** Sends what a peer asks for, if it is something the user wants sent. */
  void received(Peer peer, Message.GetData getData) {
    List<InventoryItem> missing = new ArrayList<>();
    for (InventoryItem item : getData.items()) {
      Tx tx = outgoing.get(item.hash());
      if (tx == null) {
        missing.add(item);
      } else {
        boolean witness = item.type() == InventoryItem.WITNESS_TX;
        session.send(peer, new Message.TxMessage(witness ? tx : Tx.parse(tx.stripped())));
        // A node may leave out of a block's matches what it knows that we have.
        peer.see(tx);
        session.emit(new SyncEvent.TransactionTaken(tx.txid(), peer.link.address()));
      }
    }
    if (!missing.isEmpty()) {
      session.send(peer, new Message.NotFound(missing));
    }
  }

  void received(Peer peer, Message.Reject reject) {
    if (reject.data().length() == Hash256.LENGTH) {
      Bytes data = reject.data();
      Hash256 txid = Hash256.read(data.unsafeArray(), 0);
      if (outgoing.containsKey(txid)) {
        session.emit(new SyncEvent.TransactionRefused(txid, peer.link.address(), reject.reason()));
      }
    }
  }

  private void announce(Peer peer, Hash256 txid) {
    session.send(peer, new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, txid))));
  }
}
