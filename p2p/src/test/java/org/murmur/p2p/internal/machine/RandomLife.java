package org.murmur.p2p.internal.machine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** A random life of a wallet, and the truth about it. */
final class RandomLife {
  final SimulatedNode node = new SimulatedNode();
  final Random random;
  final int lookAhead;
  final TreeMap<Hash256, Integer> truth = new TreeMap<>();
  private final Payments payments = new Payments();
  private final List<OutPoint> unspent = new ArrayList<>();
  private final Set<Hash256> own = new HashSet<>();
  private int used = -1;

  RandomLife(Random random, int lookAhead) {
    this.random = random;
    this.lookAhead = lookAhead;
  }

  void block() {
    List<Tx> transactions = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      transactions.add(random.nextInt(3) == 0 && !unspent.isEmpty() ? spend() : receive());
      if (random.nextInt(3) == 0) {
        transactions.add(Payments.tx(List.of(payments.foreignCoin()), List.of(Payments.FOREIGN)));
      }
    }
    node.mine(transactions);
    transactions.stream()
        .filter(tx -> own.contains(tx.txid()))
        .forEach(tx -> truth.put(tx.txid(), node.chain.height()));
  }

  private Tx receive() {
    int script = Math.max(0, used + 1 + random.nextInt(lookAhead) - random.nextInt(lookAhead));
    Tx payment = payments.pay(script);
    used = Math.max(used, script);
    unspent.add(payment.outPoint(0));
    own.add(payment.txid());
    return payment;
  }

  private Tx spend() {
    OutPoint coin = unspent.remove(random.nextInt(unspent.size()));
    boolean change = random.nextBoolean();
    int script = used + 1;
    Tx spend =
        Payments.tx(
            List.of(coin),
            change
                ? List.of(Payments.FOREIGN, SimulatedWallet.script(script))
                : List.of(Payments.FOREIGN));
    own.add(spend.txid());
    if (change) {
      used = script;
      unspent.add(spend.outPoint(1));
    }
    return spend;
  }
}
