package org.murmur.regtest.hostile.peers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.hostile.Mask;

/** Announces made-up transactions, one at a time: the next one after the last was fetched. */
abstract class Announcer implements Mask {

  private final Map<Hash256, Tx> announced = new HashMap<>();
  private int made;

  /** Makes the next one; each differs from those before. */
  abstract Tx make(int number);

  /** Whether it has made enough. */
  boolean ends(int number) {
    return false;
  }

  /** The beginning of a transaction whose input does not exist. */
  static TxBuilder spendingNothing(int number) {
    return new TxBuilder().spend(new OutPoint(Hash256.ZERO, number));
  }

  /** The session does not know the made-up ones and would answer notfound. */
  @Override
  public boolean hears(Message message) {
    return !(message instanceof Message.GetData ask)
        || ask.items().stream().noneMatch(item -> announced.containsKey(item.hash()));
  }

  @Override
  public List<Message> answers(Message message) {
    List<Message> answers = new ArrayList<>();
    if (message instanceof Message.GetData ask) {
      for (InventoryItem item : ask.items()) {
        Tx tx = announced.remove(item.hash());
        if (tx != null) {
          answers.add(new Message.TxMessage(tx));
        }
      }
    }
    boolean begins = message instanceof Message.FilterLoad && made == 0;
    if (begins || (!answers.isEmpty() && announced.isEmpty() && !ends(made))) {
      answers.add(announce());
    }
    return answers;
  }

  private Message announce() {
    Tx tx = make(made++);
    announced.put(tx.txid(), tx);
    return new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid())));
  }
}
