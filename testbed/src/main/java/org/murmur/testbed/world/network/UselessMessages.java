package org.murmur.testbed.world.network;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.chain.Economy;

/** The useless messages of a noisy node. */
public final class UselessMessages {

  private final Dice dice;
  private final Economy economy;

  public UselessMessages(Dice dice, Economy economy) {
    this.dice = dice;
    this.economy = economy;
  }

  /** How many kinds there are. */
  public static final int KINDS = 6;

  /** About this many messages of a kind, from 0. */
  public List<Message> of(int kind, int count) {
    return switch (kind) {
      case 0 -> transactions(count);
      case 1 -> List.of(new Message.Inv(unknown(InventoryItem.TX, 4 * count)));
      case 2 -> List.of(new Message.Inv(unknown(InventoryItem.BLOCK, 1)));
      case 3 -> pongs(Math.min(count, 50));
      case 4 -> pings(Math.min(count, 20));
      default -> List.of(notFound());
    };
  }

  private List<Message> transactions(int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(new Message.TxMessage(economy.noise()));
    }
    return messages;
  }

  private List<InventoryItem> unknown(int type, int count) {
    List<InventoryItem> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(new InventoryItem(type, Hash256.ofInternal(dice.bytes(Hash256.LENGTH).toArray())));
    }
    return items;
  }

  private List<Message> pongs(int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(new Message.Addr(List.of()));
      messages.add(new Message.Pong(dice.number()));
    }
    return messages;
  }

  private List<Message> pings(int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(new Message.Ping(dice.number()));
    }
    return messages;
  }

  private Message notFound() {
    List<InventoryItem> items = new ArrayList<>();
    for (Tx tx : economy.mempool.transactions()) {
      items.add(new InventoryItem(InventoryItem.TX, tx.txid()));
    }
    return new Message.NotFound(items);
  }
}
