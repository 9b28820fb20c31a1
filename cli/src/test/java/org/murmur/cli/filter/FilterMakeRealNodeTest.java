package org.murmur.cli.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;
import org.murmur.lab.probe.Probe;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;

/** The output of {@code filter make}, loaded at a real bitcoind. */
@Tag("real-node")
class FilterMakeRealNodeTest {

  @Test
  void aRealNodeMatchesThePaymentAndItsSpend() throws Exception {
    try (Bitcoind node = Bitcoind.start()) {
      node.rpc().call("createwallet", "payer");
      JsonRpc payer = node.rpc().wallet("payer");
      payer.call("generatetoaddress", 101, payer.call("getnewaddress").asText());
      List<String> addresses = new ArrayList<>();
      List<String> txids = new ArrayList<>();
      for (String type : List.of("legacy", "p2sh-segwit", "bech32", "bech32m")) {
        String address = payer.call("getnewaddress", "", type).asText();
        addresses.add(address);
        txids.add(payer.call("sendtoaddress", address, "0.5").asText());
      }
      String block = node.mine(1).get(0);
      String stranger = payer.call("getnewaddress").asText();

      for (int i = 0; i < addresses.size(); i++) {
        assertThat(matches(node, block, addresses.get(i))).as(addresses.get(i)).isEqualTo(1);
        String script = payer.call("getaddressinfo", addresses.get(i)).get("scriptPubKey").asText();
        assertThat(matches(node, block, script)).as(script).isEqualTo(1);
      }
      assertThat(matches(node, block, addresses.toArray(String[]::new))).isEqualTo(4);
      assertThat(matches(node, block, stranger)).isZero();

      JsonNode coinbaseCoin = payer.call("gettransaction", txids.get(0), true, true);
      JsonNode input = coinbaseCoin.get("decoded").get("vin").get(0);
      String outpoint = input.get("txid").asText() + ":" + input.get("vout").asInt();
      assertThat(matches(node, block, outpoint)).isEqualTo(1);
    }
  }

  /**
   * How many transactions of a block the node proves, without those that match by its own
   * additions.
   */
  private static int matches(Bitcoind node, String block, String... elements) throws IOException {
    List<String> args = new ArrayList<>(List.of("filter", "make", "--fp", "1e-9", "--json"));
    args.addAll(List.of("--flags", "none"));
    args.addAll(List.of(elements));
    JsonNode made =
        Ran.with()
            .environment("MURMUR_NETWORK", "regtest")
            .murmur(args.toArray(String[]::new))
            .exits(ExitCode.DONE)
            .json();
    BloomFilter filter = BloomFilter.fromPayload(Bytes.ofHex(made.get("filterload").asText()));
    try (Probe probe =
        Probe.connect(ChainParams.REGTEST, new NodeAddress("127.0.0.1", node.p2pPort()))) {
      probe.load(filter);
      return probe.filtered(List.of(Hash256.ofDisplay(block))).get(0).matched().size();
    }
  }
}
