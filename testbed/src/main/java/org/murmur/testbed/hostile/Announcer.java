package org.murmur.testbed.hostile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Announces made-up transactions, one at a time: the next one after the last was fetched. */
final class Announcer implements Mask {

  private static final long BTC = 100_000_000;
  private static final List<Long> INFLATED =
      List.of(15_000_000 * BTC, 15_000_000 * BTC, 15_000_000 * BTC, 42_000_000 * BTC);

  /** How many spends are invented. */
  private static final int INVENTED = 20;

  /** The size of a signature with its key, and no signature of anything. */
  private static final List<Bytes> GARBAGE =
      List.of(Bytes.wrap(new byte[72]), Bytes.wrap(new byte[33]));

  private static final int FILLING_BYTES = 90_000;

  /** One push, which a client has to test. */
  private static final Bytes FILLING =
      new ByteWriter(FILLING_BYTES + 5)
          .uint8(0x4e)
          .int32(FILLING_BYTES)
          .bytes(Bytes.wrap(new byte[FILLING_BYTES]))
          .toBytes();

  private final IntFunction<Tx> make;
  private final int most;
  private final Map<Hash256, Tx> announced = new HashMap<>();
  private int made;

  /** Each that it makes must differ from those before. */
  private Announcer(IntFunction<Tx> make, int most) {
    this.make = make;
    this.most = most;
  }

  /** Announces payments of 90 kB to the wallet without end and delivers them. */
  static Lie flooding(Bytes script) {
    return endless(number -> spendingNothing(number).pay(1_000, script).pay(0, FILLING).build());
  }

  /** Announces made-up payments of 15 million BTC each, and then one of 42 million. */
  static Lie inflating(Bytes script) {
    return endless(
        number ->
            spendingNothing(number)
                .pay(INFLATED.get(Math.min(number, INFLATED.size() - 1)), script)
                .build());
  }

  /** Invents spends of the wallet's coins, to others and back to the wallet. */
  static Lie forging(Bytes script) {
    return (chain, seed) -> {
      List<OutPoint> coins = coins(chain, script);
      return new Announcer(
          number -> invented(number, coins.get(number % coins.size()), script), INVENTED);
    };
  }

  private static Lie endless(IntFunction<Tx> make) {
    return (chain, seed) -> new Announcer(make, Integer.MAX_VALUE);
  }

  /** The beginning of a transaction whose input does not exist. */
  static TxBuilder spendingNothing(int number) {
    return new TxBuilder().spend(new OutPoint(Hash256.ZERO, number));
  }

  private static List<OutPoint> coins(Chain chain, Bytes script) {
    List<OutPoint> coins = new ArrayList<>();
    for (int height = 1; height <= chain.height(); height++) {
      Block block = chain.blockAt(height);
      for (Tx tx : block.transactions()) {
        for (int i = 0; i < tx.outputs().size(); i++) {
          if (tx.outputs().get(i).script().equals(script)) {
            coins.add(tx.outPoint(i));
          }
        }
      }
    }
    return coins;
  }

  /** Final, so that nothing may replace it; with and without witness data; some make coins. */
  private static Tx invented(int number, OutPoint coin, Bytes own) {
    List<Bytes> witness = number % 2 == 0 ? GARBAGE : List.of();
    TxBuilder builder = new TxBuilder().spend(coin, Bytes.EMPTY, -1, witness);
    return number % 3 == 0
        ? builder.pay(2_000_000_000L + number, own).build()
        : builder.pay(500L + number, OutputScripts.anyoneCanSpend(7)).build();
  }

  /** The session does not know the made-up ones and would answer notfound. */
  @Override
  public @Nullable Message hears(Message message) {
    boolean ours =
        message instanceof Message.GetData ask
            && ask.items().stream().anyMatch(item -> announced.containsKey(item.hash()));
    return ours ? null : message;
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
    if (begins || (!answers.isEmpty() && announced.isEmpty() && made < most)) {
      Tx tx = make.apply(made++);
      announced.put(tx.txid(), tx);
      answers.add(new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid()))));
    }
    return answers;
  }
}
