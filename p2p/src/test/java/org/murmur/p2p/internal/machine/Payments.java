package org.murmur.p2p.internal.machine;

import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/** Transactions for stories: no signatures, and every foreign coin another one. */
public final class Payments {

  public static final Bytes FOREIGN = Bytes.of(new byte[] {0x51, 0x52, 0x53});

  private int serial;

  public static Tx tx(List<OutPoint> inputs, List<Bytes> scripts) {
    ByteWriter out = new ByteWriter().int32(2).compactSize(inputs.size());
    for (OutPoint input : inputs) {
      out.hash(input.txid()).int32(input.index()).varBytes(Bytes.EMPTY).int32(-1);
    }
    out.compactSize(scripts.size());
    scripts.forEach(script -> out.int64(1000).varBytes(script));
    return Tx.parse(out.int32(0).toBytes());
  }

  public OutPoint foreignCoin() {
    byte[] txid = new byte[32];
    serial++;
    txid[0] = (byte) serial;
    txid[1] = (byte) (serial >> 8);
    txid[31] = 9;
    return new OutPoint(Hash256.ofInternal(txid), 0);
  }

  /** A payment of these amounts to the wallet's script with an index 1. */
  Tx paying(long... values) {
    OutPoint coin = foreignCoin();
    ByteWriter out = new ByteWriter().int32(2).compactSize(1).hash(coin.txid());
    out.int32(coin.index()).varBytes(Bytes.EMPTY).int32(-1).compactSize(values.length);
    for (long value : values) {
      out.int64(value).varBytes(SimulatedWallet.script(1));
    }
    return Tx.parse(out.int32(0).toBytes());
  }

  /** A payment to the wallet's script with an index, and to a foreign script. */
  public Tx pay(int script) {
    return tx(List.of(foreignCoin()), List.of(SimulatedWallet.script(script), FOREIGN));
  }
}
