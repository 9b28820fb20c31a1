package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bitcoinj.crypto.ECKey;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletPlan;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.KeySigner;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.sync.HistoryEntry;

/** Wallets of words whose truth is known from the whole blocks. */
final class Lives {

  /** The first test vector of BIP-0039. */
  static final Mnemonic WORDS =
      Mnemonic.parse(
          "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
              + " about");

  private Lives() {}

  static WalletRecipe recipe(OutputType... types) {
    return WalletRecipe.ofMnemonic(ChainParams.REGTEST, WORDS, "", List.of(types), 0);
  }

  static List<Bytes> scripts(WalletRecipe recipe, int chain, int count) {
    List<Bytes> scripts = new ArrayList<>();
    Descriptor descriptor = recipe.descriptors().get(chain);
    descriptor.derive(0, count).forEach(script -> scripts.add(script.scriptPubKey()));
    return scripts;
  }

  /** An active wallet. The embedded node checks no signatures, so nothing is signed. */
  static WalletPlan lively(WalletRecipe recipe, int transactions) {
    return WalletPlan.lively(
        scripts(recipe, 0, 300), scripts(recipe, 1, 300), (tx, spent) -> tx, transactions);
  }

  /** Signs spends of P2WPKH coins with the keys of {@link #WORDS}, past the wallet. */
  static Tx signed(SpvWallet wallet, Tx unsigned) {
    WalletRecipe recipe = recipe(OutputType.P2WPKH);
    List<Tx.Output> spent = new ArrayList<>();
    List<ECKey> keys = new ArrayList<>();
    for (Tx.Input input : unsigned.inputs()) {
      OutPoint coin = input.outPoint();
      Tx paid = wallet.history().transaction(coin.txid()).orElseThrow().tx();
      Tx.Output output = paid.outputs().get(coin.index());
      spent.add(output);
      boolean change = !scripts(recipe, 0, 300).contains(output.script());
      int index = scripts(recipe, change ? 1 : 0, 300).indexOf(output.script());
      try (WordKeys words = WordKeys.of(WORDS, "", KeyNetwork.REGTEST)) {
        KeyPath path = new KeyPath(OutputType.P2WPKH, 0, change, index);
        keys.add(ECKey.fromPrivate(words.privateKey(path)));
      }
    }
    return KeySigner.of(keys).sign(unsigned, spent);
  }

  static WalletTruth truth(RegtestNode node, WalletRecipe recipe) {
    List<Bytes> all = new ArrayList<>();
    for (int i = 0; i < recipe.descriptors().size(); i++) {
      all.addAll(scripts(recipe, i, 300));
    }
    return WalletTruth.scan(node.chain(), node.mempool().transactions(), all);
  }

  /** The node's wallet counts a coinbase as immature for one block more than consensus does. */
  static Balance balance(WalletTruth truth) {
    long immature = 0;
    long all = 0;
    for (ChainCoin coin : truth.coins()) {
      all += coin.value();
      if (coin.coinbase() && truth.height() - coin.height() + 1 <= 100) {
        immature += coin.value();
      }
    }
    return new Balance(all - immature, truth.unconfirmedSat(), immature, 0);
  }

  static void assertTruth(SpvWallet wallet, RegtestNode node, WalletRecipe recipe) {
    WalletTruth truth = truth(node, recipe);
    Map<Hash256, WalletTruth.Entry> expected = new HashMap<>(truth.byTxid());
    Map<Hash256, WalletTruth.Entry> actual = new HashMap<>();
    for (HistoryEntry entry : wallet.history().list()) {
      actual.put(
          entry.txid(),
          new WalletTruth.Entry(
              entry.txid(), entry.height().orElse(WalletTruth.UNCONFIRMED), entry.net()));
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(wallet.balance()).isEqualTo(balance(truth));
    assertThat(wallet.chain().tip()).isEqualTo(node.tip());
    assertThat(wallet.chain().complete()).isTrue();
  }
}
