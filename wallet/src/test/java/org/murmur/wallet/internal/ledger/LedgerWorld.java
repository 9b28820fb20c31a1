package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.ledger.Confirmation;

/** A small Bitcoin with every possible event of a wallet, from a seed. */
final class LedgerWorld {

  static final int OWN = 5;

  /** The lock time of transactions whose signatures are wrong. */
  static final int FORGED = -1;

  final Random dice;
  private final List<List<Tx>> blocks = new ArrayList<>();
  private final List<Tx> relayed = new ArrayList<>();
  private final List<Tx> every = new ArrayList<>();
  private int counter;

  LedgerWorld(long seed) {
    dice = new Random(seed);
  }

  static Bytes script(int number) {
    byte[] script = new byte[22];
    script[1] = 20;
    script[2] = (byte) number;
    return Bytes.wrap(script);
  }

  /** Scripts 0 to OWN - 1 are the wallet's. */
  static int find(Bytes script) {
    return script.length() == 22 && script.at(2) < OWN ? script.at(2) : OwnScripts.FOREIGN;
  }

  /** Signatures are right, except in transactions with a lock time below 0. */
  static boolean isSigned(Tx spend, int input, List<Optional<Tx.Output>> spent) {
    return spent.get(input).isPresent() && spend.lockTime() >= 0;
  }

  int height() {
    return blocks.size();
  }

  static Hash256 blockHash(int height, int salt) {
    byte[] hash = new byte[32];
    hash[0] = (byte) height;
    hash[1] = (byte) (height >> 8);
    hash[2] = (byte) salt;
    return Hash256.ofInternal(hash);
  }

  /** An event. */
  LedgerInput next() {
    int what = dice.nextInt(100);
    if (what < 45) {
      return mine(height(), 1 + dice.nextInt(2));
    }
    if (what < 85 || height() < 4) {
      List<Tx> pending = new ArrayList<>();
      for (int i = dice.nextInt(3); i >= 0; i--) {
        pending.add(relay());
      }
      return LedgerInput.ofPeers(height(), height(), List.of(), pending, missing(), counter);
    }
    int depth = 1 + dice.nextInt(3);
    return mine(height() - depth, depth + dice.nextInt(2));
  }

  /** Now and then a peer announces its whole memory pool, and a transaction is not in it. */
  private List<Hash256> missing() {
    List<Hash256> missing = new ArrayList<>();
    while (!relayed.isEmpty() && dice.nextInt(3) == 0) {
      missing.add(relayed.get(dice.nextInt(relayed.size())).txid());
    }
    return missing;
  }

  private Tx relay() {
    if (!relayed.isEmpty() && dice.nextInt(5) == 0) {
      return relayed.get(dice.nextInt(relayed.size()));
    }
    Tx tx = payment(every, Set.of());
    relayed.add(tx);
    return tx;
  }

  private LedgerInput mine(int fork, int count) {
    while (blocks.size() > fork) {
      blocks.remove(blocks.size() - 1);
    }
    List<LedgerInput.Mined> mined = new ArrayList<>();
    int salt = ++counter;
    for (int i = 0; i < count; i++) {
      List<Tx> block = block();
      blocks.add(block);
      for (int j = 0; j < block.size(); j++) {
        mined.add(
            new LedgerInput.Mined(
                block.get(j),
                new Confirmation(height(), blockHash(height(), salt), j, 1000L * height())));
      }
    }
    Collections.shuffle(mined, dice);
    return LedgerInput.ofPeers(fork, height(), mined, List.of(), List.of(), counter);
  }

  private List<Tx> block() {
    List<Tx> block = new ArrayList<>();
    Set<OutPoint> spent = new HashSet<>();
    Set<Hash256> confirmed = new HashSet<>();
    for (List<Tx> earlier : blocks) {
      for (Tx tx : earlier) {
        confirmed.add(tx.txid());
        tx.inputs().forEach(input -> spent.add(input.outPoint()));
      }
    }
    Tx coinbase =
        new TxBuilder()
            .spend(
                new OutPoint(Hash256.ZERO, -1),
                Bytes.of(new byte[] {(byte) ++counter}),
                -1,
                List.of())
            .pay(50_000 + counter, script(dice.nextInt(12)))
            .lockTime(counter)
            .build();
    add(coinbase, block, spent, confirmed);
    for (Tx tx : relayed) {
      boolean valid =
          !confirmed.contains(tx.txid())
              && tx.inputs().stream()
                  .allMatch(
                      i ->
                          !spent.contains(i.outPoint())
                              && (confirmed.contains(i.outPoint().txid())
                                  || !isOurs(i.outPoint().txid())));
      if (valid && dice.nextInt(3) == 0) {
        add(tx, block, spent, confirmed);
      }
    }
    for (int i = dice.nextInt(3); i > 0; i--) {
      List<Tx> usable = new ArrayList<>(block);
      blocks.forEach(usable::addAll);
      add(payment(usable, spent), block, spent, confirmed);
    }
    return block;
  }

  private boolean isOurs(Hash256 txid) {
    return every.stream().anyMatch(tx -> tx.txid().equals(txid));
  }

  private void add(Tx tx, List<Tx> block, Set<OutPoint> spent, Set<Hash256> confirmed) {
    block.add(tx);
    confirmed.add(tx.txid());
    tx.inputs().forEach(input -> spent.add(input.outPoint()));
    if (!isOurs(tx.txid())) {
      every.add(tx);
    }
  }

  /** Spends an existing coin, or a foreign one from outside of this little world. */
  private Tx payment(List<Tx> usable, Set<OutPoint> spent) {
    TxBuilder builder = new TxBuilder();
    Set<OutPoint> inputs = new HashSet<>();
    for (int i = dice.nextInt(2); i >= 0; i--) {
      OutPoint o = outside();
      if (!usable.isEmpty() && dice.nextInt(4) > 0) {
        Tx parent = usable.get(usable.size() - 1 - dice.nextInt(Math.min(8, usable.size())));
        o = parent.outPoint(dice.nextInt(parent.outputs().size()));
      }
      if (!spent.contains(o) && inputs.add(o)) {
        builder.spend(o);
      }
    }
    if (inputs.isEmpty()) {
      builder.spend(outside());
    }
    int outputs = 1 + dice.nextInt(3);
    long most = spendable(inputs) / outputs;
    for (int i = 0; i < outputs; i++) {
      builder.pay(Math.min(most, 1000 + dice.nextInt(1000)), script(dice.nextInt(12)));
    }
    Tx tx = builder.lockTime(++counter).build();
    if (!isOurs(tx.txid())) {
      every.add(tx);
    }
    return tx;
  }

  /** No transaction pays more than it spends; coins from outside are large. */
  private long spendable(Set<OutPoint> inputs) {
    long sum = 0;
    for (OutPoint input : inputs) {
      sum +=
          every.stream()
              .filter(tx -> tx.txid().equals(input.txid()))
              .mapToLong(tx -> tx.outputs().get(input.index()).value())
              .findFirst()
              .orElse(10_000);
    }
    return sum;
  }

  /** Few, so that conflicts are common. */
  private OutPoint outside() {
    byte[] txid = new byte[32];
    txid[31] = 1;
    txid[0] = (byte) dice.nextInt(60);
    return new OutPoint(Hash256.ofInternal(txid), 0);
  }
}
