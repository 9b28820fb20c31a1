package org.murmur.testbed.bitcoind;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.murmur.testbed.bitcoind.JsonRpc.Call;

/** A wallet on a real node, with the calls that a random life needs. */
final class NodeWallet {

  /** "No limit" where the node wants a number of confirmations. */
  private static final int FOREVER = 9_999_999;

  private final JsonRpc node;
  private final JsonRpc wallet;
  private final String name;

  /** An output of this wallet that can be spent. */
  record Unspent(String txid, int vout, long value, String script) {

    /** Whether its owner spends it with a taproot key (BIP-0341); {@code script} is hexadecimal. */
    boolean isTaproot() {
      return script.startsWith("5120");
    }

    Map<String, Object> input() {
      return Map.of("txid", txid, "vout", vout);
    }
  }

  /** An address's place in the wallet: which descriptor, which index. */
  private record Place(String chain, int index) {}

  private NodeWallet(JsonRpc node, String name) {
    this.node = node;
    this.name = name;
    wallet = node.wallet(name);
  }

  /** Makes a wallet with keys that the node draws. */
  static NodeWallet create(JsonRpc node, String name) {
    node.call("createwallet", name);
    return new NodeWallet(node, name);
  }

  /** Makes a wallet restored from words: account 0 of each type, both chains. */
  static NodeWallet restore(
      JsonRpc node, String name, List<String> words, List<AddressType> types) {
    node.call("createwallet", name, false, true);
    String master = WalletWords.masterKey(words);
    List<String> descriptors = new ArrayList<>();
    for (AddressType type : types) {
      descriptors.add(type.descriptor(master, 0));
      descriptors.add(type.descriptor(master, 1));
    }
    List<JsonNode> infos =
        node.batch(descriptors.stream().map(d -> Call.of("getdescriptorinfo", d)).toList());
    List<Object> imports = new ArrayList<>();
    for (int i = 0; i < descriptors.size(); i++) {
      imports.add(
          Map.of(
              "desc",
              descriptors.get(i) + "#" + infos.get(i).path("checksum").asText(),
              "active",
              true,
              "internal",
              i % 2 == 1,
              "timestamp",
              "now"));
    }
    NodeWallet restored = new NodeWallet(node, name);
    for (JsonNode result : restored.wallet.call("importdescriptors", imports)) {
      if (!result.path("success").asBoolean()) {
        throw new IllegalStateException("descriptor not imported: " + result);
      }
    }
    return restored;
  }

  /** Loads it again after a restart of the node. */
  void load(JsonRpc running) {
    running.call("loadwallet", name);
  }

  String newAddress(AddressType type) {
    return wallet.call("getnewaddress", "", type.rpcName()).asText();
  }

  List<String> newAddresses(AddressType type, int count) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(Call.of("getnewaddress", "", type.rpcName()));
    }
    return wallet.batch(calls).stream().map(JsonNode::asText).toList();
  }

  /**
   * Pays satoshi by address, with change where there is any, at a rate in satoshi per virtual byte.
   * It spends the inputs, or if there are none what the node chooses.
   */
  String send(Map<String, Long> outputs, int feeRate, AddressType change, List<Unspent> inputs) {
    List<Object> amounts = new ArrayList<>();
    outputs.forEach((address, value) -> amounts.add(Map.of(address, JsonRpc.btc(value))));
    Map<String, Object> options = new HashMap<>();
    options.put("change_type", change.rpcName());
    options.put("replaceable", true);
    if (!inputs.isEmpty()) {
      options.put("inputs", inputs.stream().map(Unspent::input).toList());
      options.put("add_inputs", true);
      options.put("include_unsafe", true);
    }
    return wallet.call("send", amounts, null, null, feeRate, options).path("txid").asText();
  }

  /** Sends everything, or all of the given inputs, to one address; without change. */
  String sweep(String to, int feeRate, List<Unspent> inputs) {
    Map<String, Object> options =
        inputs.isEmpty()
            ? Map.of()
            : Map.of("inputs", inputs.stream().map(Unspent::input).toList());
    return wallet.call("sendall", List.of(to), null, null, feeRate, options).path("txid").asText();
  }

  String bump(String txid, int feeRate) {
    return wallet.call("bumpfee", txid, Map.of("fee_rate", feeRate)).path("txid").asText();
  }

  /** Adds this wallet's signatures to a raw transaction. */
  String sign(String hex) {
    return wallet.call("signrawtransactionwithwallet", hex).path("hex").asText();
  }

  /** Spendable mature coins with at least this many confirmations. */
  List<Unspent> unspent(int confirmations) {
    List<Unspent> coins = new ArrayList<>();
    for (JsonNode coin : wallet.call("listunspent", confirmations, FOREVER, List.of(), true)) {
      coins.add(unspent(coin));
    }
    coins.sort(Comparator.comparing(Unspent::txid).thenComparing(Unspent::vout));
    return coins;
  }

  /** The outputs of one transaction that pay this wallet and are unspent. */
  List<Unspent> unspentOf(String txid) {
    return unspent(0).stream().filter(coin -> coin.txid().equals(txid)).toList();
  }

  private static Unspent unspent(JsonNode coin) {
    return new Unspent(
        coin.path("txid").asText(),
        coin.path("vout").asInt(),
        JsonRpc.satoshi(coin.path("amount")),
        coin.path("scriptPubKey").asText());
  }

  /** The inputs of one of this wallet's transactions that this wallet owns. */
  List<Unspent> inputsOf(String txid) {
    List<Unspent> inputs = new ArrayList<>();
    for (JsonNode input : transaction(txid).path("decoded").path("vin")) {
      String previous = input.path("txid").asText();
      int vout = input.path("vout").asInt();
      JsonNode output = transaction(previous).path("decoded").path("vout").path(vout);
      String script = output.path("scriptPubKey").path("hex").asText();
      inputs.add(new Unspent(previous, vout, JsonRpc.satoshi(output.path("value")), script));
    }
    return inputs;
  }

  private JsonNode transaction(String txid) {
    return wallet.call("gettransaction", txid, null, true);
  }

  /**
   * Abandons own transactions that can no longer confirm by themselves: neither in the chain nor in
   * the memory pool, since an ancestor was replaced or disconnected. Until then the node takes
   * their inputs for spent.
   */
  void abandonDead() {
    awaitNews();
    Set<String> pool = pool();
    for (JsonNode tx : details(unconfirmed())) {
      String txid = tx.path("txid").asText();
      if (isDead(tx, pool)) {
        wallet.call("abandontransaction", txid);
      }
    }
  }

  /** Waits for the wallet to process blocks and changes of the pool, which takes a moment. */
  private void awaitNews() {
    node.call("syncwithvalidationinterfacequeue");
  }

  private static boolean isDead(JsonNode tx, Set<String> pool) {
    boolean own = tx.has("fee");
    boolean nowhere =
        tx.path("confirmations").asInt() == 0 && !pool.contains(tx.path("txid").asText());
    return own && nowhere;
  }

  private Set<String> unconfirmed() {
    Set<String> txids = new LinkedHashSet<>();
    for (JsonNode entry : history()) {
      if (entry.path("confirmations").asInt() == 0 && !entry.path("abandoned").asBoolean()) {
        txids.add(entry.path("txid").asText());
      }
    }
    return txids;
  }

  /** Every transaction that concerns the wallet, even one that pays only change. */
  private JsonNode history() {
    return wallet.call("listsinceblock", "", 1, false, false, true).path("transactions");
  }

  private List<JsonNode> details(Set<String> txids) {
    return wallet.batch(
        txids.stream().map(txid -> Call.of("gettransaction", txid, null, true)).toList());
  }

  /** The txids of the node's memory pool. */
  Set<String> pool() {
    Set<String> txids = new HashSet<>();
    node.call("getrawmempool").forEach(txid -> txids.add(txid.asText()));
    return txids;
  }

  /** The transactions that count: in the active chain or in the memory pool. */
  private List<JsonNode> living() {
    Set<String> pool = pool();
    Set<String> txids = new LinkedHashSet<>();
    for (JsonNode entry : history()) {
      String txid = entry.path("txid").asText();
      int confirmations = entry.path("confirmations").asInt();
      // Below zero: a conflict is confirmed. At zero outside the pool: replaced, abandoned, or a
      // coinbase of a disconnected block.
      if (confirmations > 0 || (confirmations == 0 && pool.contains(txid))) {
        txids.add(txid);
      }
    }
    return details(txids);
  }

  /**
   * Reads what the wallet reports now. Throws {@link IllegalStateException} if the node contradicts
   * itself: the net amounts do not add up to the balance.
   */
  ExpectedWallet expected() {
    awaitNews();
    JsonNode chain = node.call("getblockchaininfo");
    int height = chain.path("blocks").asInt();
    JsonNode mine = wallet.call("getbalances").path("mine");
    ExpectedWallet expected =
        new ExpectedWallet(
            height,
            chain.path("bestblockhash").asText(),
            JsonRpc.satoshi(mine.path("trusted")),
            JsonRpc.satoshi(mine.path("untrusted_pending")),
            JsonRpc.satoshi(mine.path("immature")),
            transactions(),
            coins(height));
    long sum = expected.transactions().stream().mapToLong(ExpectedWallet.Transaction::net).sum();
    if (sum != expected.total()) {
      throw new IllegalStateException(
          "the node's transactions add up to " + sum + ", its balances to " + expected.total());
    }
    return expected;
  }

  private List<ExpectedWallet.Transaction> transactions() {
    List<ExpectedWallet.Transaction> transactions = new ArrayList<>();
    for (JsonNode tx : living()) {
      transactions.add(
          new ExpectedWallet.Transaction(
              tx.path("txid").asText(),
              tx.has("blockheight") ? (Integer) tx.path("blockheight").asInt() : null,
              net(tx),
              tx.path("generated").asBoolean()));
    }
    transactions.sort(
        Comparator.comparingInt(
                (ExpectedWallet.Transaction tx) ->
                    tx.height() == null ? Integer.MAX_VALUE : tx.height())
            .thenComparing(ExpectedWallet.Transaction::txid));
    return transactions;
  }

  /**
   * The node's "amount" leaves the fee out where the wallet pays one, so the two together are
   * credit less debit. It values an immature coinbase at nothing; there the outputs themselves
   * count.
   */
  private static long net(JsonNode tx) {
    if (tx.path("generated").asBoolean()) {
      long sum = 0;
      for (JsonNode output : tx.path("details")) {
        sum += JsonRpc.satoshi(output.path("amount"));
      }
      return sum;
    }
    long fee = tx.has("fee") ? JsonRpc.satoshi(tx.path("fee")) : 0;
    return JsonRpc.satoshi(tx.path("amount")) + fee;
  }

  private List<ExpectedWallet.Coin> coins(int tipHeight) {
    Map<String, Object> immatureToo = Map.of("include_immature_coinbase", true);
    List<ExpectedWallet.Coin> coins = new ArrayList<>();
    for (JsonNode coin : wallet.call("listunspent", 0, FOREVER, List.of(), true, immatureToo)) {
      int confirmations = coin.path("confirmations").asInt();
      coins.add(
          new ExpectedWallet.Coin(
              coin.path("txid").asText(),
              coin.path("vout").asInt(),
              JsonRpc.satoshi(coin.path("amount")),
              confirmations == 0 ? null : (Integer) (tipHeight + 1 - confirmations),
              coin.path("address").asText()));
    }
    coins.sort(
        Comparator.comparing(ExpectedWallet.Coin::txid).thenComparing(ExpectedWallet.Coin::vout));
    return coins;
  }

  /**
   * Looks for addresses that a wallet would not find, because it stops looking after {@code gap}
   * unused addresses in a row. Confirmed transactions alone must lead there. Returns for each such
   * address an earlier, unused one within reach of which it is.
   */
  List<String> missingSteps(int gap) {
    Map<String, Place> places = new HashMap<>();
    Map<String, List<String>> chains = addresses();
    chains.forEach(
        (chain, addresses) -> {
          for (int i = 0; i < addresses.size(); i++) {
            places.put(addresses.get(i), new Place(chain, i));
          }
        });
    Map<String, TreeSet<Integer>> confirmed = new TreeMap<>();
    Map<String, TreeSet<Integer>> pending = new TreeMap<>();
    for (JsonNode tx : living()) {
      var used = tx.has("blockheight") ? confirmed : pending;
      for (JsonNode output : tx.path("decoded").path("vout")) {
        Place place = places.get(output.path("scriptPubKey").path("address").asText());
        if (place != null) {
          used.computeIfAbsent(place.chain(), chain -> new TreeSet<>()).add(place.index());
        }
      }
    }
    List<String> missing = new ArrayList<>();
    chains.forEach(
        (chain, addresses) -> {
          int last = -1;
          for (int index : confirmed.getOrDefault(chain, new TreeSet<>())) {
            for (; index - last > gap; last += gap) {
              missing.add(addresses.get(last + gap));
            }
            last = index;
          }
          // A pending payment does not count: it may be gone tomorrow.
          for (int index : pending.getOrDefault(chain, new TreeSet<>())) {
            for (; index - last > gap; last += gap) {
              missing.add(addresses.get(last + gap));
            }
          }
        });
    return missing;
  }

  /** All addresses that the wallet watches, by descriptor. */
  private Map<String, List<String>> addresses() {
    Map<String, List<String>> chains = new TreeMap<>();
    for (JsonNode entry : wallet.call("listdescriptors").path("descriptors")) {
      String descriptor = entry.path("desc").asText();
      // The node fills its key pool some way behind the next index; no later key was handed out.
      int end = entry.path("next_index").asInt();
      List<String> addresses = new ArrayList<>();
      node.call("deriveaddresses", descriptor, List.of(0, end))
          .forEach(address -> addresses.add(address.asText()));
      chains.put(descriptor, addresses);
    }
    return chains;
  }
}
