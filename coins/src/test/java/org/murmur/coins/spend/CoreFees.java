package org.murmur.coins.spend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.testbed.bitcoind.JsonRpc.Call;
import org.murmur.testbed.bitcoind.RpcException;

/** Asks a real node's wallet, with its default options, what payments cost. */
final class CoreFees implements AutoCloseable {

  /** Core's RPC_WALLET_ERROR. */
  private static final int INSUFFICIENT_FUNDS = -4;

  private final Bitcoind running = Bitcoind.setup().arguments("-keypool=16", "-maxtxfee=1").start();
  private final JsonRpc node = running.rpc();
  private final CorePurse purse = new CorePurse(node);
  private final String payee;
  private int wallets;

  CoreFees() {
    node.call("createwallet", "payee");
    payee = node.wallet("payee").call("getnewaddress", "", "bech32").asText();
  }

  /**
   * The mean fee of some plans in satoshi: the node draws its coins. Empty if the node does not pay
   * it, because coins that are not worth their fee are needed.
   */
  OptionalDouble mean(ReusedWallet wallet, int plans) {
    String name = "payer" + wallets++;
    node.call("createwallet", name);
    JsonRpc payer = node.wallet(name);
    deposit(payer, wallet.coins());
    node.call("generatetodescriptor", 6, "raw(6a)");
    node.call("syncwithvalidationinterfacequeue");
    long rate = wallet.rate().satPerKvb() / 1_000;
    Map<String, Object> options = Map.of("change_type", "bech32", "fee_rate", rate);
    List<Map<String, Object>> outputs = List.of(Map.of(payee, JsonRpc.btc(wallet.amount())));
    String raw = node.call("createrawtransaction", List.of(), outputs).asText();
    Call plan = Call.of("fundrawtransaction", raw, options);
    double fees = 0;
    try {
      for (JsonNode result : payer.batch(Collections.nCopies(plans, plan))) {
        fees += JsonRpc.satoshi(result.get("fee"));
      }
    } catch (RpcException e) {
      if (e.code() == INSUFFICIENT_FUNDS) {
        return OptionalDouble.empty();
      }
      throw e;
    } finally {
      node.call("unloadwallet", name);
    }
    return OptionalDouble.of(fees / plans);
  }

  private void deposit(JsonRpc payer, List<ReusedWallet.Held> coins) {
    Map<Integer, Bytes> scripts = new TreeMap<>();
    List<Tx.Output> outputs = new ArrayList<>();
    for (ReusedWallet.Held coin : coins) {
      Bytes script = scripts.computeIfAbsent(coin.address(), a -> address(payer));
      outputs.add(new Tx.Output(coin.value(), script));
    }
    purse.deposit(outputs);
  }

  private static Bytes address(JsonRpc payer) {
    String address = payer.call("getnewaddress", "", "bech32").asText();
    return Address.parse(address, KeyNetwork.REGTEST).scriptPubKey();
  }

  @Override
  public void close() {
    running.close();
  }
}
