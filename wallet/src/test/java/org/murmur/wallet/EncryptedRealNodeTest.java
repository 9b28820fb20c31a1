package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * A sync, a following session and a payment with a real node, and what somebody on the line sees of
 * them. With a node that does not encrypt, the same recording must contain what it must not contain
 * otherwise.
 */
@Tag("real-node")
@Timeout(300)
final class EncryptedRealNodeTest {

  private static final long PATIENCE_SECONDS = 120;
  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);

  @TempDir Path folder = Path.of("");

  private final BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();

  private static Bitcoind node(boolean encrypts) {
    return Bitcoind.setup().arguments("-v2transport=" + (encrypts ? 1 : 0)).start();
  }

  private static SyncOptions to(String address, Encryption encryption) {
    return SyncOptions.connect(address)
        .peers(peers -> peers.encryption(encryption))
        .limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theLine(boolean encrypts) throws Exception {
    Bytes script = Lives.scripts(RECIPE, 0, 1).get(0);
    try (Bitcoind node = node(encrypts);
        Meter meter = new Meter("127.0.0.1:" + node.p2pPort());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      node.rpc().call("createwallet", "theirs");
      Bytes coin = Bytes.ofHex(coinbase(node, script));
      node.mine(125);
      SyncOptions options = to(meter.address(), Encryption.PREFER);
      SyncReport report = wallet.sync(options, SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.peers())
          .extracting(SyncReport.Participant::encrypted)
          .containsOnly(encrypts);

      Tx paid =
          wallet
              .payments()
              .sign(wallet.payments().plan(order(node)), Credentials.NONE, SyncListener.NONE);
      assertThat(wallet.payments().broadcast(paid, options, SyncListener.NONE).isAccepted())
          .isTrue();
      follow(wallet, node, options, encrypts);
      assertThat(wallet.history().transaction(paid.txid()).orElseThrow().confirmation())
          .isPresent();

      String line = meter.line();
      assertThat(line.length()).as("hex digits").isGreaterThan(20_000);
      needles(script, coin, paid)
          .forEach((what, hex) -> assertThat(line.contains(hex)).as(what).isEqualTo(!encrypts));
    }
  }

  /** Mines a coin for the script, and returns its txid in the order of bytes on the wire. */
  private static String coinbase(Bitcoind node, Bytes script) {
    JsonNode block = node.rpc().call("generatetodescriptor", 1, "raw(" + script + ")").get(0);
    String txid = node.rpc().call("getblock", block.asText()).get("tx").get(0).asText();
    byte[] reversed = Hex.parse(txid);
    for (int i = 0; i < reversed.length / 2; i++) {
      byte swapped = reversed[i];
      reversed[i] = reversed[reversed.length - 1 - i];
      reversed[reversed.length - 1 - i] = swapped;
    }
    return Hex.format(reversed);
  }

  private static PaymentOrder order(Bitcoind node) {
    String address = node.rpc().wallet("theirs").call("getnewaddress").asText();
    Bytes script = Address.parse(address, KeyNetwork.REGTEST).scriptPubKey();
    return PaymentOrder.of(List.of(Payees.of(script, 1_000_000_000L)), FeeRate.satPerVb(5));
  }

  /** Follows until a block with the payment comes, and lets the node say how it is spoken to. */
  private void follow(SpvWallet wallet, Bitcoind node, SyncOptions options, boolean encrypts)
      throws Exception {
    CompletableFuture<SyncReport> following =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return wallet.sync(options.follow(true), events::add);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    SyncEvent.PeerReady ready = await(SyncEvent.PeerReady.class);
    assertThat(ready.encrypted()).isEqualTo(encrypts);
    JsonNode peer = node.rpc().call("getpeerinfo").get(0);
    assertThat(peer.get("transport_protocol_type").asText()).isEqualTo(encrypts ? "v2" : "v1");
    node.mine(1);
    WalletEvent.Payment seen = await(WalletEvent.Payment.class);
    while (seen.change() != WalletEvent.Payment.Change.CONFIRMED) {
      seen = await(WalletEvent.Payment.class);
    }
    wallet.stop();
    following.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private <E extends SyncEvent> E await(Class<E> type) throws InterruptedException {
    SyncEvent event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    while (event != null && !type.isInstance(event)) {
      event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
    if (event == null) {
      throw new AssertionError("no " + type);
    }
    return type.cast(event);
  }

  private static Map<String, String> needles(Bytes script, Bytes coin, Tx paid) {
    return Map.of(
        "our script, in transactions",
        script.toHex(),
        "a coin's txid",
        coin.toHex(),
        "the payment's txid",
        Hex.format(paid.txid().toInternal()),
        "the command of a version",
        ascii("version"),
        "the command of a filter",
        ascii("filterload"),
        "the command of filtered blocks",
        ascii("merkleblock"),
        "our user agent",
        ascii("/murmur/"),
        "the network's magic",
        "fabfb5da");
  }

  private static String ascii(String text) {
    return Hex.format(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void onlyEncrypted() throws Exception {
    try (Bitcoind node = node(false);
        Meter meter = new Meter("127.0.0.1:" + node.p2pPort());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      assertThatThrownBy(() -> wallet.sync(to(meter.address(), Encryption.ONLY), SyncListener.NONE))
          .isInstanceOfSatisfying(
              NoUsablePeerException.class,
              e -> assertThat(e.obstacles()).containsValue(Obstacle.NOT_ENCRYPTED));
      assertThat(meter.line()).doesNotContain(ascii("version"));
    }
    try (Bitcoind node = node(true);
        SpvWallet wallet = SpvWallet.create(folder.resolve("x"), RECIPE)) {
      SyncOptions options = to("127.0.0.1:" + node.p2pPort(), Encryption.ONLY);
      assertThat(wallet.sync(options, SyncListener.NONE).complete()).isTrue();
    }
  }
}
