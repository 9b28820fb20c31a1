package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.ContractNode;
import org.murmur.regtest.chain.Chain;

/** The real node in contract tests. */
final class BitcoindContractNode implements ContractNode {

  private final Bitcoind node;
  private final Chain chain;
  private int height;

  private BitcoindContractNode(Bitcoind node, Chain chain) {
    this.node = node;
    this.chain = chain;
  }

  static BitcoindContractNode start(Chain chain, Kind kind) {
    // The blocks' times lie in the past; a node that believes it is behind would not serve.
    Bitcoind.Setup setup = Bitcoind.setup().arguments("-maxtipage=9999999999");
    if (kind == Kind.MEMPOOL_ONLY) {
      setup.permissions("mempool");
    } else if (kind != Kind.TRUSTING) {
      setup.withoutPermissions();
    }
    if (kind == Kind.WITHOUT_BLOOM) {
      setup.withoutBloom();
    } else if (kind == Kind.WITHOUT_ENCRYPTION) {
      setup.arguments("-v2transport=0");
    } else if (kind == Kind.UPLOADED_ENOUGH) {
      setup.arguments("-maxuploadtarget=1M");
    } else if (kind == Kind.PRUNED) {
      setup.arguments("-prune=1");
    } else if (kind == Kind.COMPACT_FILTERS) {
      setup.arguments("-blockfilterindex=1", "-peerblockfilters=1");
      setup.arguments("-maxuploadtarget=1M", "-prune=1");
    }
    BitcoindContractNode started = new BitcoindContractNode(setup.start(), chain);
    try {
      started.catchUp();
    } catch (RuntimeException | AssertionError e) {
      started.close();
      throw e;
    }
    return started;
  }

  @Override
  public int port() {
    return node.p2pPort();
  }

  @Override
  public boolean holds(Tx tx) {
    return mempool().contains(tx.txid())
        && node.rpc()
            .call("getrawtransaction", tx.txid().toDisplay())
            .asText()
            .equals(tx.raw().toHex());
  }

  @Override
  public void broadcast(Tx tx) {
    node.rpc().call("sendrawtransaction", tx.raw().toHex(), 0);
  }

  @Override
  public void catchUp() {
    // Down to the block where the chain left the node's.
    while (height > 0 && !has(chain.blockAt(height).hash())) {
      height--;
    }
    while (height < chain.height()) {
      String hex = chain.blockAt(++height).raw().toHex();
      // A refusal is an answer, not an error. A branch is inconclusive until it is the longest.
      String refusal = node.rpc().call("submitblock", hex).asText("");
      assertThat(refusal).as("block %s", height).isIn("", "null", "inconclusive");
    }
    assertThat(node.rpc().call("getbestblockhash").asText())
        .isEqualTo(chain.tip().hash().toDisplay());
    // The index of filters follows the chain behind this queue.
    node.rpc().call("syncwithvalidationinterfacequeue");
  }

  private boolean has(Hash256 block) {
    return node.rpc().call("getblockhash", height).asText().equals(block.toDisplay());
  }

  @Override
  public Set<Hash256> mempool() {
    Set<Hash256> txids = new HashSet<>();
    for (JsonNode txid : node.rpc().call("getrawmempool")) {
      txids.add(Hash256.ofDisplay(txid.asText()));
    }
    return txids;
  }

  @Override
  public void close() {
    node.close();
  }
}
