package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/** An endless source of unrelated transactions, as blocks hold them. No element occurs twice. */
final class Strangers {

  private static final int OP_CHECKSIG = 0xac;
  private static final int COMPRESSED = 2;
  private static final int TXID_BYTES = 32;

  private final Dice dice;

  Strangers(Dice dice) {
    this.dice = dice;
  }

  /** Makes transactions with one input and 2 or 3 outputs each, with this total of outputs. */
  List<Tx> withOutputs(int outputs) {
    List<Tx> transactions = new ArrayList<>();
    int left = outputs;
    while (left > 0) {
      int here = Math.min(left, 2 + (transactions.size() & 1));
      TxBuilder builder =
          new TxBuilder()
              .spend(new OutPoint(Hash256.ofInternal(random(TXID_BYTES)), dice.below(4)));
      for (int i = 0; i < here; i++) {
        builder.pay(1000, script());
      }
      transactions.add(builder.build());
      left -= here;
    }
    return transactions;
  }

  /**
   * Makes a script with the types of the main chain; one in a hundred pays to a bare public key.
   */
  private Bytes script() {
    int drawn = dice.below(100);
    if (drawn < 45) {
      return OutputScripts.payToWitnessPubKeyHash(dice.bytes(20));
    }
    if (drawn < 70) {
      return OutputScripts.payToTaproot(dice.bytes(32));
    }
    if (drawn < 85) {
      return OutputScripts.payToPubKeyHash(dice.bytes(20));
    }
    if (drawn < 95) {
      return OutputScripts.payToScriptHash(dice.bytes(20));
    }
    if (drawn < 99) {
      return OutputScripts.payToWitnessScriptHash(dice.bytes(32));
    }
    Bytes key = new ByteWriter(33).uint8(COMPRESSED).bytes(dice.bytes(TXID_BYTES)).toBytes();
    return new ByteWriter(35).varBytes(key).uint8(OP_CHECKSIG).toBytes();
  }

  private byte[] random(int length) {
    return dice.bytes(length).unsafeArray().clone();
  }
}
