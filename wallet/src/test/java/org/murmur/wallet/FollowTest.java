package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;

/** A session of the fast preset follows a real node. */
@Tag("real-node")
class FollowTest extends FollowingLife {

  @ParameterizedTest
  @ValueSource(longs = {61, 62})
  void itsEventsAreTheWallet(long seed) throws Exception {
    follow(seed, 60, Preset.Kind.FAST);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {500})
  void itsEventsAreTheWalletForFiveHundredBlocks(long seed) throws Exception {
    follow(seed, 500, Preset.Kind.FAST);
  }

  private static String spend(JsonRpc payer, JsonNode coin, String to, double amount) {
    Object input =
        Map.of(
            "txid", coin.path("txid").asText(),
            "vout", coin.path("vout").asInt(),
            "sequence", 1);
    String raw =
        payer.call("createrawtransaction", List.of(input), List.of(Map.of(to, amount))).asText();
    String signed = payer.call("signrawtransactionwithwallet", raw).path("hex").asText();
    return payer.call("sendrawtransaction", signed, 0).asText();
  }

  @Test
  void aReplacedIncomingPaymentIsShownAsReplacedAndThenAsDoubleSpent() throws Exception {
    try (Bitcoind node = Bitcoind.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH))) {
      node.rpc().call("createwallet", "payer");
      JsonRpc payer = node.rpc().wallet("payer");
      String back = payer.call("getnewaddress").asText();
      node.rpc().call("generatetoaddress", 101, back);
      JsonNode coin = payer.call("listunspent").path(0);
      CompletableFuture<SyncReport> following =
          CompletableFuture.supplyAsync(() -> follow(wallet, node, Preset.Kind.FAST));
      await(SyncEvent.MempoolAnswered.class, e -> true);
      String paid = spend(payer, coin, wallet.receive().current().address(), 49.999);
      await(
          WalletEvent.Payment.class,
          e -> e.change() == Change.SEEN && e.entry().txid().toString().equals(paid));
      // Its input is watched from here on.
      await(SyncEvent.Note.class, e -> e.topic() == SyncEvent.Note.Topic.FILTER);
      String other = spend(payer, coin, back, 49.99);
      WalletEvent.Payment replaced =
          await(WalletEvent.Payment.class, e -> e.change() == Change.REPLACED);
      assertThat(replaced.entry().txid().toString()).isEqualTo(paid);
      assertThat(replaced.entry().replacedBy().orElseThrow().txid().toString()).isEqualTo(other);
      assertThat(replaced.entry().replacedBy().orElseThrow().height()).isEmpty();
      assertThat(wallet.balance().total()).isZero();
      node.mine(1);
      WalletEvent.Payment spent =
          await(WalletEvent.Payment.class, e -> e.change() == Change.REPLACED);
      assertThat(spent.entry().replacedBy().orElseThrow().height()).hasValue(102);
      wallet.stop();
      following.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(wallet.history().list()).isEmpty();
      assertThat(wallet.history().full().list()).singleElement().isEqualTo(spent.entry());
    }
  }

  /** Replaced while the wallet was closed: found gone when it is back, with the replacement. */
  @Test
  void aPaymentReplacedBehindOurBackIsFoundOut() throws Exception {
    try (Bitcoind node = Bitcoind.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH))) {
      node.rpc().call("createwallet", "payer");
      JsonRpc payer = node.rpc().wallet("payer");
      String back = payer.call("getnewaddress").asText();
      node.rpc().call("generatetoaddress", 101, back);
      JsonNode coin = payer.call("listunspent").path(0);
      String paid = spend(payer, coin, wallet.receive().current().address(), 49.999);
      wallet.sync(
          SyncOptions.connect("127.0.0.1:" + node.p2pPort())
              .limits(limits -> limits.time(Duration.ofMinutes(3))),
          event -> {});
      assertThat(wallet.history().list()).hasSize(1);
      String other = spend(payer, coin, back, 49.99);
      CompletableFuture<SyncReport> following =
          CompletableFuture.supplyAsync(() -> follow(wallet, node, Preset.Kind.FAST));
      WalletEvent.Payment replaced =
          await(WalletEvent.Payment.class, e -> e.change() == Change.REPLACED);
      assertThat(replaced.entry().txid().toString()).isEqualTo(paid);
      assertThat(replaced.entry().replacedBy().orElseThrow().txid().toString()).isEqualTo(other);
      wallet.stop();
      following.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
