package org.murmur.regtest;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/** Test coins that need no signature, and how to spend them. */
public final class Lane {

  private static final int NUMBER = 42;
  public static final Bytes SCRIPT = OutputScripts.payToAnyone(NUMBER);

  /**
   * {@code OP_TRUE} alone. Knots relays a spend of this one. For {@link #SCRIPT} it reports {@code
   * txn-datacarrier-nonstandard}, since that contains data, and accepts it in blocks only.
   */
  static final Bytes PLAIN_WITNESS = Bytes.ofHex("51");

  static final Bytes PLAIN_SCRIPT =
      OutputScripts.payToWitnessScriptHash(OutputScripts.sha256(PLAIN_WITNESS));

  private Lane() {}

  static TxBuilder spendPlain(OutPoint... outPoints) {
    TxBuilder builder = new TxBuilder();
    for (OutPoint outPoint : outPoints) {
      builder.spend(outPoint, Bytes.EMPTY, TxBuilder.REPLACEABLE, List.of(PLAIN_WITNESS));
    }
    return builder;
  }

  public static TxBuilder spend(OutPoint... outPoints) {
    TxBuilder builder = new TxBuilder();
    for (OutPoint outPoint : outPoints) {
      builder.spendAnyones(outPoint, NUMBER);
    }
    return builder;
  }

  /** A mature coin of 50 BTC on a node that had none: mines 101 blocks. */
  public static OutPoint fund(RegtestNode node) {
    Tx coinbase = node.mineTo(SCRIPT, 1).get(0).tx(0);
    node.mine(100);
    return coinbase.outPoint(0);
  }
}
