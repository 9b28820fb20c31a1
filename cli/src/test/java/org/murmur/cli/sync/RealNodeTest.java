package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.OwnKeys;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;

/** The command and a real bitcoind: each accepts the other's proofs. */
@Tag("real-node")
class RealNodeTest extends RestoredWallet {

  @Test
  void proofsGoBothWays() {
    try (Bitcoind node = Bitcoind.start()) {
      JsonRpc wallet = funded(node);
      String address = here().murmur("address").out().strip();
      String txid = wallet.call("sendtoaddress", address, "1.5").asText();
      String peer = "127.0.0.1:" + node.p2pPort();

      JsonNode pending =
          here().murmur("sync", "--connect", peer, "--json").exits(ExitCode.DONE).json();
      assertThat(pending.get("balance").get("unconfirmed_sat").asLong()).isEqualTo(150_000_000);
      here().murmur("proof", "show", txid).exits(ExitCode.FAILED);

      String block = node.mine(1).get(0);
      JsonNode sync =
          here().murmur("sync", "--connect", peer, "--json").exits(ExitCode.DONE).json();
      assertThat(sync.get("complete").asBoolean()).isTrue();
      assertThat(sync.get("tip").asText()).isEqualTo(block);
      assertThat(sync.get("balance").get("confirmed_sat").asLong()).isEqualTo(150_000_000);

      String ours = here().murmur("proof", "show", txid).exits(ExitCode.DONE).out().strip();
      JsonNode accepted = node.rpc().call("verifytxoutproof", ours);
      assertThat(accepted).hasSize(1);
      assertThat(accepted.get(0).asText()).isEqualTo(txid);

      String theirs = node.rpc().call("gettxoutproof", List.of(txid), block).asText();
      JsonNode verified =
          here().stdin(theirs).murmur("proof", "verify", "-", "--json").exits(ExitCode.DONE).json();
      assertThat(verified.get("valid").asBoolean()).isTrue();
      assertThat(verified.get("block").asText()).isEqualTo(block);
      assertThat(verified.get("transactions").toString()).contains(txid);
      assertThat(verified.get("in_chain").asBoolean()).isTrue();
    }
  }

  @Test
  void broadcastReachesTheMempool() {
    try (Bitcoind node = Bitcoind.start()) {
      JsonRpc wallet = funded(node);
      String address = here().murmur("address").out().strip();
      JsonNode raw =
          wallet.call("createrawtransaction", List.of(), List.of(Map.of(address, "0.1")));
      JsonNode full = wallet.call("fundrawtransaction", raw.asText());
      String signed =
          wallet.call("signrawtransactionwithwallet", full.get("hex").asText()).get("hex").asText();
      JsonNode report =
          here()
              .stdin(signed)
              .murmur("broadcast", "-", "--connect", "127.0.0.1:" + node.p2pPort(), "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(report.get("taken_by")).hasSize(1);
      assertThat(report.get("fetched_by")).isEqualTo(report.get("taken_by"));
      assertThat(report.get("accepted_by")).isEqualTo(report.get("taken_by"));
      JsonNode history = here().murmur("history", "--json").json().get("transactions");
      assertThat(history).hasSize(1);
      assertThat(history.get(0).get("heard").asBoolean()).isTrue();
      assertThat(node.rpc().call("getrawmempool").toString()).contains(report.get("txid").asText());
    }
  }

  /** It is unsigned. A node fetches it, refuses it, and does not answer. */
  @Test
  void aRefusedPaymentIsMarkedAndCanBeAbandoned() {
    try (Bitcoind node = Bitcoind.start()) {
      JsonRpc payer = funded(node);
      String address = here().murmur("address").out().strip();
      String peer = "127.0.0.1:" + node.p2pPort();
      String mined = payer.call("sendtoaddress", address, "1.5").asText();
      node.mine(1);
      sync(peer);
      JsonNode coin = here().murmur("coins", "--json").json().get("coins").get(0);
      // Signed, and not standard.
      Tx refused =
          OwnKeys.signed(
              here(),
              new TxBuilder()
                  .spend(
                      new OutPoint(
                          Hash256.ofDisplay(coin.get("txid").asText()), coin.get("vout").asInt()))
                  .pay(149_990_000, Bytes.ofHex("51"))
                  .build());
      Ran sent = here().murmur("broadcast", refused.raw().toHex(), "--connect", peer);
      assertThat(sent.exits(ExitCode.FAILED).out())
          .contains("fetched by    " + peer, "No peer is known to have accepted it")
          .doesNotContain("taken");
      assertThat(node.rpc().call("getrawmempool")).isEmpty();
      String txid = refused.txid().toDisplay();
      for (int i = 0; i < 2; i++) {
        sync(peer);
        JsonNode last = here().murmur("history", "--json").json().get("transactions").get(1);
        assertThat(last.get("txid").asText()).isEqualTo(txid);
        assertThat(last.get("heard").asBoolean()).isFalse();
        assertThat(here().murmur("tx", txid).out()).contains("no peer is known to have accepted");
        JsonNode balance = here().murmur("balance", "--json").json();
        assertThat(balance.get("unconfirmed_sat").asLong()).isEqualTo(-150_000_000);
        assertThat(balance.get("unheard_sat").asLong()).isEqualTo(-150_000_000);
      }
      here().murmur("abandon", mined).exits(ExitCode.FAILED);
      here().murmur("abandon", "00".repeat(32)).exits(ExitCode.FAILED);
      here().murmur("abandon", txid).exits(ExitCode.DONE);
      assertThat(here().murmur("coins", "--json").json().get("coins")).hasSize(1);
      assertThat(here().murmur("balance", "--json").json().get("total_sat").asLong())
          .isEqualTo(150_000_000);
      sync(peer);
      assertThat(here().murmur("history", "--json").json().get("transactions")).hasSize(1);
      assertThat(here().murmur("history", "--all").out()).contains("abandoned: its coins are free");
    }
  }

  /** An announced transaction may be mined, whatever its sender wants. */
  @Test
  void aTransactionOfAPeerCannotBeAbandoned() {
    try (Bitcoind node = Bitcoind.start()) {
      JsonRpc payer = funded(node);
      String address = here().murmur("address").out().strip();
      String txid = payer.call("sendtoaddress", address, "1.5").asText();
      String peer = "127.0.0.1:" + node.p2pPort();
      sync(peer);
      assertThat(here().murmur("abandon", txid).exits(ExitCode.FAILED).err())
          .contains("a peer has announced it");
      node.mine(1);
      sync(peer);
      String hex = payer.call("gettransaction", txid).get("hex").asText();
      Ran known = here().murmur("broadcast", hex, "--connect", peer);
      assertThat(known.exits(ExitCode.DONE).out()).contains("in block      102, 1 confirmation");
      assertThat(here().murmur("abandon", txid).exits(ExitCode.FAILED).err())
          .contains("block 102 holds it");
    }
  }

  private void sync(String peer) {
    here().murmur("sync", "--connect", peer, "--mempool-wait", "2").exits(ExitCode.DONE);
  }

  @Test
  void nodeWithoutBip37IsExplained() {
    try (Bitcoind node = Bitcoind.setup().withoutBloom().start()) {
      Ran ran =
          here()
              .murmur("sync", "--connect", "127.0.0.1:" + node.p2pPort(), "--json")
              .exits(ExitCode.NO_USABLE_PEER);
      assertThat(ran.json().get("error").get("message").asText())
          .contains("peerbloomfilters=1", "whitebind");
    }
  }

  private static JsonRpc funded(Bitcoind node) {
    node.rpc().call("createwallet", "payer");
    JsonRpc wallet = node.rpc().wallet("payer");
    wallet.call("generatetoaddress", 101, wallet.call("getnewaddress").asText());
    return wallet;
  }
}
