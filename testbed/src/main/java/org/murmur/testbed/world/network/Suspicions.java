package org.murmur.testbed.world.network;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.world.chain.Economy;

/**
 * A guard suspects that a transaction which its filter matches is the wallet's: it pushes such
 * transactions and watches what the client does. Some pay the wallet, others match by chance.
 */
public final class Suspicions {

  /** The amount that each of these transactions pays, in satoshi. */
  public static final long VALUE = 1_000;

  private static final int MOST = 45;

  private static final int TRIES = 100_000;

  private final Dice dice;
  private final Economy economy;

  public Suspicions(Dice dice, Economy economy) {
    this.dice = dice;
    this.economy = economy;
  }

  /**
   * Draws what a guard pushes: one transaction again and again, or several. {@code shown} is the
   * payload of the filter that it holds.
   */
  public List<Message> pushes(Bytes shown) {
    BloomFilter filter = BloomFilter.fromPayload(shown);
    List<Bytes> scripts = new ArrayList<>(dice.chance(0.5) ? own(filter) : List.of());
    if (scripts.isEmpty()) {
      scripts.add(foreign(filter));
    }
    boolean same = dice.chance(0.5);
    Message first = paying(scripts.get(dice.below(scripts.size())));
    List<Message> pushes = new ArrayList<>();
    for (int i = dice.between(1, MOST); i > 0; i--) {
      pushes.add(same ? first : paying(scripts.get(dice.below(scripts.size()))));
    }
    return pushes;
  }

  private List<Bytes> own(BloomFilter filter) {
    return economy.receiveScripts().stream()
        .filter(script -> filter.contains(Economy.element(script)))
        .toList();
  }

  private Bytes foreign(BloomFilter filter) {
    Bytes program = dice.bytes(20);
    for (int i = 0; i < TRIES && !filter.contains(program); i++) {
      program = dice.bytes(20);
    }
    return OutputScripts.payToWitnessPubKeyHash(program);
  }

  private Message paying(Bytes script) {
    OutPoint nobodys = new OutPoint(Hash256.ofInternal(dice.bytes(32).toArray()), 0);
    return new Message.TxMessage(new TxBuilder().spend(nobodys).pay(VALUE, script).build());
  }
}
