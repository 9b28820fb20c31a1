package org.murmur.coins.internal.sign;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;
import org.murmur.coins.spend.fee.InputSize;
import org.murmur.coins.spend.fee.TxWeight;
import org.murmur.regtest.chain.TxBuilder;

/** Unsigned payments of a wallet of words; its scripts are derived from public keys alone. */
final class Payments {

  static final Mnemonic WORDS = Mnemonic.parse("abandon ".repeat(11) + "about");

  private Payments() {}

  /**
   * A payment.
   *
   * @param tx without signatures
   * @param spent what its inputs spend
   */
  record Payment(Tx tx, List<SpentOutput> spent) {

    Tx sign(PrivateKeys keys) {
      return Signer.sign(tx, spent, keys, estimate());
    }

    List<Tx.Output> outputs() {
      return spent.stream().map(s -> new Tx.Output(s.value(), s.script())).toList();
    }

    /** As coin selection estimates it. */
    long estimate() {
      return TxWeight.of(
          spent.stream().map(s -> InputSize.of(s.path().type())).toList(),
          tx.outputs().stream().map(Tx.Output::script).toList());
    }
  }

  static WordKeys keys() {
    return WordKeys.of(WORDS, "", KeyNetwork.REGTEST);
  }

  static Bytes script(KeyPath path) {
    List<Descriptor> chains =
        Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(path.type()), path.account());
    return chains.get(path.change() ? 1 : 0).derive(path.index()).scriptPubKey();
  }

  static SpentOutput coin(OutputType type, Random random) {
    return coin(new KeyPath(type, 0, random.nextBoolean(), random.nextInt(20)), random);
  }

  static SpentOutput coin(KeyPath path, Random random) {
    return new SpentOutput(10_000 + random.nextInt(1_000_000), script(path), path);
  }

  /** Spends all to one output, less 5,000 satoshi. */
  static Payment of(List<SpentOutput> spent, Random random) {
    TxBuilder tx = new TxBuilder();
    for (int i = 0; i < spent.size(); i++) {
      byte[] txid = new byte[Hash256.LENGTH];
      random.nextBytes(txid);
      tx.spend(new OutPoint(Hash256.ofInternal(txid), i));
    }
    long value = spent.stream().mapToLong(SpentOutput::value).sum();
    Bytes to = Bytes.ofHex("0014" + "11".repeat(20));
    return new Payment(tx.pay(value - 5_000, to).lockTime(101).build(), List.copyOf(spent));
  }

  static Payment random(Random random) {
    List<SpentOutput> spent = new ArrayList<>();
    int inputs = 1 + random.nextInt(8);
    OutputType[] types = OutputType.values();
    for (int i = 0; i < inputs; i++) {
      spent.add(coin(types[random.nextInt(types.length)], random));
    }
    return of(spent, random);
  }
}
