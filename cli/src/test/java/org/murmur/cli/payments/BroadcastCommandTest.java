package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.OwnKeys;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mempool;

/** Which peers got a transaction, already had it, or could not be asked. */
@Timeout(120)
class BroadcastCommandTest extends RestoredWallet {

  /** Spends a coin of the wallet, which needs to be synced. */
  private Tx payment() {
    JsonNode coin = murmur("coins", "--json").json().get("coins").get(0);
    return OwnKeys.signed(
        here(),
        new TxBuilder()
            .spend(
                new OutPoint(
                    Hash256.ofDisplay(coin.get("txid").asText()), coin.get("vout").asInt()))
            .pay(coin.get("value_sat").asLong() - 20_000, Bytes.ofHex("0014" + "ab".repeat(20)))
            .build());
  }

  private Tx synced(RegtestNode node) {
    murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
    return payment();
  }

  private static String hex(Tx tx) {
    return tx.raw().toHex();
  }

  @Test
  void aPsbtIsNoTransaction() {
    for (String psbt : List.of("cHNidP8BAHECAAAAAT", "70736274ff01007102")) {
      murmur("broadcast", psbt, "--connect", "127.0.0.1").exits(ExitCode.FAILED, "is_psbt");
    }
  }

  @Test
  void aPortWithoutAListenerIsNoPeerThatRefuses() throws IOException {
    Tx payment;
    try (RegtestNode node = node()) {
      payment = synced(node);
    }
    Ran ran = murmur("broadcast", hex(payment), "--connect", NOBODY);
    assertThat(ran.exits(ExitCode.NO_USABLE_PEER).err())
        .contains(NOBODY + ": connection refused", "Is the node running");
    assertThat(ran.out()).isEmpty();
    JsonNode error =
        murmur("broadcast", hex(payment), "--connect", "foo.invalid", "--json")
            .exits(ExitCode.NO_USABLE_PEER)
            .json()
            .get("error");
    assertThat(error.get("kind").asText()).isEqualTo("no_usable_peer");
    assertThat(error.get("message").asText()).contains("cannot be resolved", "spelled");
  }

  /** Such as the RPC port: it waits for another protocol. */
  @Test
  void aPeerWithoutVersionMessageDidNotRefuse() throws IOException {
    Tx payment;
    try (RegtestNode node = node()) {
      payment = synced(node);
    }
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + mute.getLocalPort();
      Ran ran = murmur("broadcast", hex(payment), "--connect", address);
      assertThat(ran.exits(ExitCode.NO_USABLE_PEER).err())
          .contains(address, "version message", "-rpcport");
    }
  }

  /** Its version message takes three seconds; with more time, it fetches the transaction. */
  @Test
  void theTimeLimitEndsIt() {
    Tx payment;
    try (RegtestNode node = node()) {
      payment = synced(node);
    }
    Behaviour slow = Behaviour.honest().relayingAnything().withRoundTrip(Duration.ofSeconds(3));
    try (RegtestNode node = RegtestNode.start(lived().chain().copy(), slow)) {
      String[] line = {"broadcast", hex(payment), "--connect", node.address(), "--timeout", "0.5"};
      assertThat(murmur(line).exits(ExitCode.NO_USABLE_PEER).err())
          .contains(node.address() + ": no version message yet");
    }
  }

  @Test
  void anAbsentOneIsNamedThoughAnotherIsThere() throws IOException {
    try (RegtestNode node = node()) {
      Tx payment = synced(node);
      assertThat(node.broadcast(payment)).isInstanceOf(Mempool.Accepted.class);
      String[] line = {"broadcast", hex(payment), "--connect", NOBODY, "--connect", node.address()};
      assertThat(murmur(line).exits(ExitCode.DONE).out())
          .contains("not reached   " + NOBODY + ": connection refused");
      String[] json = {
        "broadcast", hex(payment), "--connect", NOBODY, "--connect", node.address(), "--json"
      };
      JsonNode problem = murmur(json).exits(ExitCode.DONE).json().get("problems").get(0);
      assertThat(problem.get("address").asText()).isEqualTo(NOBODY);
      assertThat(problem.get("reason").asText()).contains("connection refused");
    }
  }

  @Test
  void aTransactionThatThePeerHasAlreadyIsNoFailure() {
    try (RegtestNode node = node()) {
      Tx payment = synced(node);
      assertThat(node.broadcast(payment)).isInstanceOf(Mempool.Accepted.class);
      Ran ran = murmur("broadcast", hex(payment), "--connect", node.address());
      assertThat(ran.exits(ExitCode.DONE).out())
          .contains("known by      " + node.address(), "already has it")
          .doesNotContain("fetched", "Nobody");
      JsonNode json =
          murmur("broadcast", hex(payment), "--connect", node.address(), "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(json.get("taken_by")).isEmpty();
      assertThat(json.get("accepted_by")).hasSize(1);
      assertThat(json.get("known_by")).isEqualTo(json.get("accepted_by"));
      assertThat(murmur("history", "--json").json().toString())
          .contains(payment.txid().toDisplay());
    }
  }
}
