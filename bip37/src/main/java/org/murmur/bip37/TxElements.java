package org.murmur.bip37;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;

/**
 * All elements by which a filter can match a transaction, as {@link ServerFilter} tests them.
 *
 * <p>A transaction with an element that was inserted into a filter is a true match, whatever the
 * server has inserted since. A server that omits it violates the protocol.
 */
public final class TxElements {

  private TxElements() {}

  /**
   * Lists the elements: the txid, the data that each output's script pushes, each outpoint spent,
   * and the data that each input's script pushes. Witness data is ignored.
   *
   * @param tx the transaction, in either form
   * @param taker receives them in this order, some perhaps more than once
   */
  public static void forEach(Tx tx, Consumer<Bytes> taker) {
    ScriptPushes pushes = new ScriptPushes();
    taker.accept(Bytes.wrap(tx.txid().toInternal()));
    for (Tx.Output output : tx.outputs()) {
      forEachPush(pushes.over(output.script()), taker);
    }
    for (Tx.Input input : tx.inputs()) {
      taker.accept(input.outPoint().toBytes());
      forEachPush(pushes.over(input.scriptSig()), taker);
    }
  }

  /**
   * Returns the elements, each once.
   *
   * @param tx the transaction, in either form
   * @return a new set
   */
  public static Set<Bytes> distinct(Tx tx) {
    Set<Bytes> distinct = new HashSet<>();
    forEach(tx, distinct::add);
    return distinct;
  }

  private static void forEachPush(ScriptPushes pushes, Consumer<Bytes> taker) {
    while (pushes.nextData()) {
      taker.accept(pushes.data());
    }
  }
}
