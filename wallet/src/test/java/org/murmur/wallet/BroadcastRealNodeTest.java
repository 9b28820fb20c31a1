package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bitcoinj.crypto.ChildNumber;
import org.bitcoinj.crypto.DeterministicKey;
import org.bitcoinj.crypto.HDKeyDerivation;
import org.bitcoinj.crypto.MnemonicCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.chain.KeySigner;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.wallet.privacy.DisclosedPayment;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/**
 * A wallet's own payments, signed with its keys, reach a real node's memory pool and are mined
 * there: one test for each type of script that they spend.
 */
@Tag("real-node")
@Timeout(300)
final class BroadcastRealNodeTest {

  private static final String WORDS = "abandon ".repeat(11) + "about";

  /** How often each is sent in the long run. */
  private static final int TIMES = 10;

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource
  void isInTheMemoryPoolAndThenMined(OutputType type) throws Exception {
    broadcasts(type, 1);
  }

  /** Includes transactions that the node refused silently: it learned of them anyway. */
  @Test
  void aPeerThatFetchedAPaymentIsReportedToKnowItsAddresses() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2TR);
    List<Bytes> scripts = Lives.scripts(recipe, 0, 3);
    Universe universe = Universe.chosen(1e9);
    try (Bitcoind node = Bitcoind.start()) {
      node.rpc().call("generatetodescriptor", 1, "raw(" + scripts.get(0) + ")");
      node.mine(100);
      String peer = "127.0.0.1:" + node.p2pPort();
      SyncOptions options =
          SyncOptions.connect(peer).limits(limits -> limits.mempoolWait(Duration.ZERO));
      try (SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
        wallet.sync(options, SyncListener.NONE);
        assertThat(wallet.privacy().report(universe).peers().get(0).byTransactions()).isZero();
        WalletCoin coin = wallet.coins().list().get(0);
        KeySigner signer = KeySigner.of(keys(OutputType.P2TR, 2));
        // Signed, and not standard.
        Tx refused =
            signed(
                wallet,
                coin,
                new TxBuilder()
                    .spend(coin.outPoint())
                    .pay(coin.value() - 2_000, scripts.get(2))
                    .pay(1_000, Bytes.ofHex("51"))
                    .build(),
                signer);
        Tx payment = payment(wallet, coin, scripts.get(1), signer);
        assertThat(wallet.payments().broadcast(refused, options, SyncListener.NONE).fetchedBy())
            .hasSize(1);
        assertThat(wallet.payments().broadcast(payment, options, SyncListener.NONE).fetchedBy())
            .hasSize(1);
      }
      try (SpvWallet wallet = SpvWallet.open(folder.resolve("w"))) {
        PrivacyReport report = wallet.privacy().report(universe);
        assertThat(report.payments()).extracting(DisclosedPayment::scripts).containsExactly(2, 2);
        assertThat(report.peers())
            .singleElement()
            .satisfies(
                known -> {
                  assertThat(known.peers().get(0).toString()).isEqualTo(peer);
                  assertThat(known.byTransactions()).isEqualTo(3);
                  assertThat(known.named()).isGreaterThanOrEqualTo(3);
                  assertThat(known.known().orElseThrow().own()).isGreaterThanOrEqualTo(3);
                });
      }
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void tenTimesInARow(OutputType type) throws Exception {
    broadcasts(type, TIMES);
  }

  private void broadcasts(OutputType type, int times) throws Exception {
    WalletRecipe recipe = Lives.recipe(type);
    KeySigner signer = KeySigner.of(keys(type, times + 1));
    List<Bytes> scripts = Lives.scripts(recipe, 0, times + 1);
    try (Bitcoind node = Bitcoind.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      for (int i = 0; i < times; i++) {
        node.rpc().call("generatetodescriptor", 1, "raw(" + scripts.get(i) + ")");
      }
      node.mine(100);
      SyncOptions options =
          SyncOptions.connect("127.0.0.1:" + node.p2pPort())
              .limits(limits -> limits.mempoolWait(Duration.ZERO));
      wallet.sync(options, SyncListener.NONE);
      List<WalletCoin> coins = wallet.coins().list();
      assertThat(coins).hasSize(times);
      for (WalletCoin coin : coins) {
        Tx payment = payment(wallet, coin, scripts.get(times), signer);
        String txid = payment.txid().toDisplay();
        BroadcastReport report = wallet.payments().broadcast(payment, options, SyncListener.NONE);
        assertThat(report.acceptedBy()).isEqualTo(report.fetchedBy()).hasSize(1);
        assertThat(node.rpc().call("getrawmempool")).extracting(JsonNode::asText).contains(txid);
        String block = node.mine(1).get(0);
        assertThat(node.rpc().call("getblock", block).get("tx"))
            .extracting(JsonNode::asText)
            .contains(txid);
        wallet.sync(options, SyncListener.NONE);
        assertThat(wallet.history().transaction(payment.txid()).orElseThrow().confirmation())
            .isPresent();
      }
    }
  }

  private static Tx payment(SpvWallet wallet, WalletCoin coin, Bytes to, KeySigner signer) {
    Tx unsigned = new TxBuilder().spend(coin.outPoint()).pay(coin.value() - 1_000, to).build();
    return signed(wallet, coin, unsigned, signer);
  }

  private static Tx signed(SpvWallet wallet, WalletCoin coin, Tx unsigned, KeySigner signer) {
    Tx source = wallet.history().transaction(coin.outPoint().txid()).orElseThrow().tx();
    return signer.sign(unsigned, List.of(source.outputs().get(coin.outPoint().index())));
  }

  /** The wallet's own keys, derived by an independent library (BIP-0044, 49, 84 and 86). */
  private static List<DeterministicKey> keys(OutputType type, int count) {
    int purpose =
        switch (type) {
          case P2PKH -> 44;
          case P2SH_P2WPKH -> 49;
          case P2WPKH -> 84;
          case P2TR -> 86;
        };
    DeterministicKey key =
        HDKeyDerivation.createMasterPrivateKey(MnemonicCode.toSeed(List.of(WORDS.split(" ")), ""));
    for (ChildNumber step :
        List.of(
            new ChildNumber(purpose, true),
            new ChildNumber(1, true),
            new ChildNumber(0, true),
            new ChildNumber(0, false))) {
      key = HDKeyDerivation.deriveChildKey(key, step);
    }
    List<DeterministicKey> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(HDKeyDerivation.deriveChildKey(key, i));
    }
    return keys;
  }
}
