package org.murmur.wallet.spend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.bitcoind.Bitcoind;
import org.murmur.regtest.bitcoind.JsonRpc;
import org.murmur.regtest.bitcoind.JsonRpc.Call;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.keys.AddressText;
import org.murmur.wallet.keys.KeyNetwork;
import org.murmur.wallet.spend.PaymentStream.Result;

/**
 * Plays a scenario with a wallet of a real node, under the options that {@link PaymentStream} has:
 * native witness addresses, coins of a script together, 10 sat/vB as the rate of the long term.
 */
final class CoreStream {

  /** OP_TRUE: needs no signature. A block may hold it, though nodes do not relay it. */
  private static final Bytes ANYONE = Bytes.ofHex("51");

  private static final int COINBASES = 20;
  private static final long COINBASE = 5_000_000_000L;

  private final JsonRpc node;
  private final JsonRpc wallet;
  private final Deque<Bytes> scripts = new ArrayDeque<>();
  private final String payee;
  private OutPoint purse;
  private long left;

  private CoreStream(Bitcoind running, int deposits) {
    node = running.rpc();
    node.call("createwallet", "payer");
    node.call("createwallet", "payee");
    wallet = node.wallet("payer");
    payee = node.wallet("payee").call("getnewaddress", "", "bech32").asText();
    addresses(deposits);
    purse = purse();
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
      scripts.add(AddressText.parse(address.asText(), KeyNetwork.REGTEST).scriptPubKey());
    }
  }

  /** The value of the first blocks in one output that anyone can spend. */
  private OutPoint purse() {
    TxBuilder all = new TxBuilder();
    for (JsonNode hash : node.call("generatetodescriptor", COINBASES, "raw(" + ANYONE + ")")) {
      JsonNode coinbase = node.call("getblock", hash.asText(), 1).get("tx").get(0);
      all.spend(new OutPoint(Hash256.ofDisplay(coinbase.asText()), 0));
    }
    node.call("generatetodescriptor", 100, "raw(6a)");
    left = COINBASES * COINBASE;
    Tx first = all.pay(left, ANYONE).build();
    mine(first.raw().toHex());
    return new OutPoint(first.txid(), 0);
  }

  private void mine(String transaction) {
    node.call("generateblock", "raw(6a)", List.of(transaction));
  }

  private Result run(PaymentScenario scenario) {
    long total = 0;
    for (PaymentScenario.Step step : scenario.steps()) {
      total += step.amount();
      mine(step.isDeposit() ? deposit(step.amount()) : pay(step));
    }
    node.call("syncwithvalidationinterfacequeue");
    long balance = JsonRpc.satoshi(wallet.call("getbalance"));
    return new Result(total - balance, wallet.call("listunspent").size());
  }

  private String deposit(long amount) {
    left -= amount;
    Tx tx = new TxBuilder().spend(purse).pay(amount, scripts.remove()).pay(left, ANYONE).build();
    purse = new OutPoint(tx.txid(), 1);
    return tx.raw().toHex();
  }

  private String pay(PaymentScenario.Step step) {
    node.call("syncwithvalidationinterfacequeue");
    Map<String, Object> amounts = Map.of(payee, JsonRpc.btc(-step.amount()));
    Map<String, Object> options = Map.of("change_type", "bech32");
    long rate = step.rate().satPerKvb() / 1_000;
    return wallet.call("send", List.of(amounts), null, null, rate, options).get("txid").asText();
  }
}
