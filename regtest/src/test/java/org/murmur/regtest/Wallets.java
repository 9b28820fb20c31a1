package org.murmur.regtest;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bitcoinj.crypto.ECKey;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.KeySigner;

/** Wallets of plain keys for tests. */
public final class Wallets {

  private Wallets() {}

  public static List<ECKey> keys(int seed, int count) {
    List<ECKey> keys = new ArrayList<>();
    Dice dice = new Dice(seed);
    for (int i = 0; i < count; i++) {
      keys.add(ECKey.fromPrivate(new BigInteger(1, dice.bytes(31).toArray())));
    }
    return keys;
  }

  public static WalletPlan lively(int seed, Function<ECKey, Bytes> script, int transactions) {
    List<ECKey> receive = keys(seed, 200);
    List<ECKey> change = keys(~seed, 200);
    List<ECKey> all = new ArrayList<>(receive);
    all.addAll(change);
    return WalletPlan.lively(
        receive.stream().map(script).toList(),
        change.stream().map(script).toList(),
        KeySigner.of(all),
        transactions);
  }
}
