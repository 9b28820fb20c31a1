package org.murmur.coins.spend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.spend.PaymentStream.Result;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.testbed.bitcoind.JsonRpc.Call;

/**
 * Plays a scenario with a wallet of a real node, under the options that {@link PaymentStream} has:
 * native witness addresses, coins of a script together, 10 sat/vB as the rate of the long term.
 */
final class CoreStream {

  private final JsonRpc node;
  private final JsonRpc wallet;
  private final Deque<Bytes> scripts = new ArrayDeque<>();
  private final String payee;
  private final CorePurse purse;

  private CoreStream(Bitcoind running, int deposits) {
    node = running.rpc();
    node.call("createwallet", "payer");
    node.call("createwallet", "payee");
    wallet = node.wallet("payer");
    payee = node.wallet("payee").call("getnewaddress", "", "bech32").asText();
    addresses(deposits);
    purse = new CorePurse(node);
  }

  /** The options of the node. */
  static Bitcoind start() {
    return Bitcoind.setup()
        .arguments("-avoidpartialspends=1", "-consolidatefeerate=0.0001", "-maxtxfee=1")
        .start();
  }

  static Result play(Bitcoind node, PaymentScenario scenario) {
    long deposits = scenario.steps().stream().filter(PaymentScenario.Step::isDeposit).count();
    return new CoreStream(node, (int) deposits).run(scenario);
  }

  private void addresses(int count) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(Call.of("getnewaddress", "", "bech32"));
    }
    for (JsonNode address : wallet.batch(calls)) {
      scripts.add(Address.parse(address.asText(), KeyNetwork.REGTEST).scriptPubKey());
    }
  }

  private Result run(PaymentScenario scenario) {
    long total = 0;
    for (PaymentScenario.Step step : scenario.steps()) {
      total += step.amount();
      if (step.isDeposit()) {
        purse.deposit(List.of(new Tx.Output(step.amount(), scripts.remove())));
      } else {
        purse.mine(pay(step));
      }
    }
    node.call("syncwithvalidationinterfacequeue");
    long balance = JsonRpc.satoshi(wallet.call("getbalance"));
    return new Result(total - balance, wallet.call("listunspent").size());
  }

  private String pay(PaymentScenario.Step step) {
    node.call("syncwithvalidationinterfacequeue");
    Map<String, Object> amounts = Map.of(payee, JsonRpc.btc(-step.amount()));
    Map<String, Object> options = Map.of("change_type", "bech32");
    long rate = step.rate().satPerKvb() / 1_000;
    return wallet.call("send", List.of(amounts), null, null, rate, options).get("txid").asText();
  }
}
