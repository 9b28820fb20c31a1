package org.murmur.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bitcoinj.crypto.ECKey;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.DerivedScript;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateAccount;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.WalletPlan;
import org.murmur.regtest.chain.KeySigner;

/** The wallet of the demonstration, and a chain with its payments. */
public final class DemoWallet {

  /** The words of BIP-0039's first test vector. */
  public static final String WORDS =
      "abandon abandon abandon abandon abandon abandon"
          + " abandon abandon abandon abandon abandon about";

  /** Coinbases mature after 100 blocks, and the wallet spends after that. */
  public static final int MIN_BLOCKS = 150;

  /** More keys than the wallet uses on this chain. */
  private static final int KEYS = 60;

  private DemoWallet() {}

  /**
   * Builds a chain of at least {@link #MIN_BLOCKS} blocks, on which the wallet receives payments,
   * spends with and without change, mines, and spends a payment in the same block. {@code
   * transactions} is their approximate number in each block.
   */
  public static BuiltChain chain(long seed, int blocks, int transactions) {
    Mnemonic mnemonic = Mnemonic.parse(WORDS);
    return ChainBuilder.ofSeed(seed)
        .blocks(blocks)
        .transactionsPerBlock(transactions)
        .spacing(spacing(blocks))
        .wallet(plan(mnemonic, Math.min(40, (blocks - 100) / 2)))
        .build();
  }

  /** Ten minutes between blocks, unless the chain would then end in the future. */
  static Duration spacing(int blocks) {
    return Duration.ofMinutes(blocks <= 100_000 ? 10 : 1);
  }

  private static WalletPlan plan(Mnemonic mnemonic, int transactions) {
    List<Descriptor> chains =
        Accounts.descriptors(mnemonic, "", KeyNetwork.REGTEST, List.of(OutputType.P2WPKH), 0);
    return WalletPlan.lively(
        scripts(chains.get(0)), scripts(chains.get(1)), signer(), transactions);
  }

  public static KeySigner signer() {
    PrivateAccount account =
        PrivateAccount.of(Mnemonic.parse(WORDS), "", KeyNetwork.REGTEST, OutputType.P2WPKH, 0);
    List<ECKey> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(account.key(false, i));
      keys.add(account.key(true, i));
    }
    return KeySigner.of(keys);
  }

  private static List<Bytes> scripts(Descriptor chain) {
    return chain.derive(0, KEYS).stream().map(DerivedScript::scriptPubKey).toList();
  }
}
