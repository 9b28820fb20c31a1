package org.murmur.cli.pay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.Spawned;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.RegtestNode;

/**
 * Kills {@code murmur send} (signal 9). Whatever the moment, a payment that the peer has is in the
 * wallet, and a user who goes on as the command says pays once.
 */
@Timeout(240)
class KilledPaymentTest extends RestoredWallet {

  /** Of the key 1. */
  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  private static final Bytes PAYEES_SCRIPT =
      Bytes.ofHex("0014751e76e8199196d454941c45d1b3a323f1433bd6");
  private static final long AMOUNT = 100_000;

  /** What the process has done when it is killed. */
  private enum Moment {
    /** It has said that the payment is in the wallet. */
    STORED,
    /** It has called the peer again: the first call was for new blocks. */
    CALLED,
    /** It has announced the payment. */
    ANNOUNCED,
    /** It has sent the payment. */
    SENT;

    boolean isReachedBy(Message message) {
      return switch (this) {
        case STORED -> false;
        case CALLED -> message instanceof Message.Version;
        case ANNOUNCED -> message instanceof Message.Inv;
        case SENT -> message instanceof Message.TxMessage;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void isPaidOnce(Moment moment) {
    try (RegtestNode node = node()) {
      sync(node);
      long before = total();
      List<String> printed = kill(moment, node);
      String txid = pending();
      assertThat(node.mempool().transactions()).allMatch(tx -> tx.txid().toDisplay().equals(txid));
      assertThat(printed).allMatch(line -> !line.contains("txid") || line.contains(txid));
      assertThat(error(send(node))).isEqualTo("already_pending");
      murmur("broadcast", txid, "--connect", node.address()).exits(ExitCode.DONE);
      node.mine(1);
      sync(node);
      assertPaidOnce(node, before);
    }
  }

  /** The peer has the payment, and the wallet does not know it. */
  @Test
  void whoAbandonsAPaymentThatAPeerHasDoesNotPayAgainWithOtherCoins() {
    try (RegtestNode node = node()) {
      sync(node);
      long before = total();
      kill(Moment.SENT, node);
      String txid = pending();
      Tx sent = accepted(node);
      murmur("abandon", txid).exits(ExitCode.DONE);
      List<String> others = new ArrayList<>(List.of("send", PAYEE, "0.001", "--fee-rate", "9"));
      others.addAll(List.of("--yes", "--connect", node.address(), "--json"));
      for (JsonNode coin : murmur("coins", "--json").json().get("coins")) {
        String outPoint = coin.get("txid").asText() + ":" + coin.get("vout").asInt();
        boolean same =
            sent.inputs().stream().anyMatch(in -> in.outPoint().toString().equals(outPoint));
        if (!same && coin.get("value_sat").asLong() > 2 * AMOUNT && !others.contains("--coin")) {
          others.addAll(List.of("--coin", outPoint));
        }
      }
      assertThat(others).contains("--coin");
      assertThat(error(murmur(others.toArray(String[]::new)))).isEqualTo("abandoned");
      String message = murmur(others.toArray(String[]::new)).json().at("/error/message").asText();
      String coin = sent.inputs().get(0).outPoint().toString();
      assertThat(message).contains(txid, "--coin " + coin, "--again");
      others.set(others.indexOf("--coin") + 1, coin);
      // The peer was asked meanwhile, and has the payment.
      assertThat(error(murmur(others.toArray(String[]::new)))).isEqualTo("already_pending");
      node.mine(1);
      sync(node);
      assertPaidOnce(node, before);
    }
  }

  private void sync(RegtestNode node) {
    murmur("sync", "--connect", node.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
  }

  private long total() {
    return murmur("balance", "--json").json().get("total_sat").asLong();
  }

  private Ran send(RegtestNode node) {
    return murmur(
        "send", PAYEE, "0.001", "--fee-rate", "2", "--yes", "--connect", node.address(), "--json");
  }

  private static String error(Ran ran) {
    return ran.exits(ExitCode.FAILED).json().at("/error/kind").asText();
  }

  private List<String> kill(Moment moment, RegtestNode node) {
    CompletableFuture<Spawned> process = new CompletableFuture<>();
    node.watch(
        new RegtestNode.Onlooker() {
          private int calls;

          @Override
          public void received(Message message) {
            if (!process.isDone() || !process.join().isRunning()) {
              return;
            }
            calls += message instanceof Message.Version ? 1 : 0;
            if (calls > 1 && moment.isReachedBy(message)) {
              process.join().strike();
            }
          }

          @Override
          public void left() {
            // Whenever.
          }
        });
    try (Spawned sending =
        Spawned.on(datadir)
            .start(
                "send",
                PAYEE,
                "0.001",
                "--fee-rate",
                "2",
                "--yes",
                "--jsonl",
                "--connect",
                node.address())) {
      process.complete(sending);
      if (moment == Moment.STORED) {
        assertThat(sending.awaitLine(line -> line.contains("payment_seen"))).isTrue();
        sending.strike();
      }
      Ran ran = sending.ran();
      assertThat(ran.code()).as(ran.toString()).isEqualTo(137);
      return ran.out().lines().toList();
    }
  }

  /** The node's own thread may still be at it. */
  private static Tx accepted(RegtestNode node) {
    CompletableFuture<Tx> accepted = new CompletableFuture<>();
    node.mempool().listen(accepted::complete);
    List<Tx> there = node.mempool().transactions();
    return there.isEmpty() ? accepted.join() : there.get(0);
  }

  private String pending() {
    List<String> pending = new ArrayList<>();
    for (JsonNode tx : murmur("history", "--json").json().get("transactions")) {
      if (tx.get("height").isNull()) {
        pending.add(tx.get("txid").asText());
      }
    }
    assertThat(pending).hasSize(1);
    return pending.get(0);
  }

  private void assertPaidOnce(RegtestNode node, long before) {
    List<Tx> paid = new ArrayList<>();
    for (int height = 1; height <= node.height(); height++) {
      node.blockAt(height).transactions().stream()
          .filter(tx -> tx.outputs().stream().anyMatch(KilledPaymentTest::isPayees))
          .forEach(paid::add);
    }
    assertThat(paid).hasSize(1);
    assertThat(node.mempool().transactions()).isEmpty();
    long fee = before - AMOUNT - total();
    assertThat(fee).isBetween(100L, 10_000L);
  }

  private static boolean isPayees(Tx.Output output) {
    return output.script().equals(PAYEES_SCRIPT);
  }
}
