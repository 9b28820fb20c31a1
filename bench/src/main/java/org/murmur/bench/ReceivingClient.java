package org.murmur.bench;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.bitcoind.LongChain;

/**
 * A null client for a wallet with many payments: it asks under filters of all that the wallet must
 * watch, receives what matches, and throws it away. It knows beforehand which coins will be paid,
 * so it needs one pass over the blocks for each filter.
 */
final class ReceivingClient {

  /** The largest filter that nodes take (BIP-0037). */
  private static final int MAX_FILTER_BYTES = 36_000;

  private static final double RATE = 1e-9;

  /** Bits of a filter for each element at the rate: -ln(rate) / (ln 2)^2. */
  private static final double BITS_AN_ELEMENT = -Math.log(RATE) / Math.pow(Math.log(2), 2);

  private static final int MAX_ELEMENTS = (int) (MAX_FILTER_BYTES * 8 / BITS_AN_ELEMENT);

  private ReceivingClient() {}

  /** The filters of receiving scripts with look-ahead, change scripts, and coins. */
  static List<BloomFilter> filters(List<LongChain.Payment> payments, int scripts) {
    List<Bytes> elements = new ArrayList<>();
    Contender.receiving(scripts).forEach(script -> elements.add(script.element()));
    Contender.change(1_000).forEach(script -> elements.add(script.element()));
    payments.forEach(payment -> elements.add(payment.outPoint().toBytes()));
    List<BloomFilter> filters = new ArrayList<>();
    for (int from = 0; from < elements.size(); from += MAX_ELEMENTS) {
      List<Bytes> content = elements.subList(from, Math.min(elements.size(), from + MAX_ELEMENTS));
      BloomFilter.Builder builder =
          BloomFilter.builder(
              FilterParameters.of(content.size(), RATE, 1, UpdateFlag.NONE, Rounding.CORE));
      content.forEach(builder::add);
      filters.add(builder.build());
    }
    return filters;
  }

  /**
   * Runs once and prints its result as JSON.
   *
   * @param arguments the node's port, and how many payments the chain of {@link HeavyWallet} has
   */
  public static void main(String[] arguments) throws Exception {
    LongChain chain = LongChain.cached(HeavyWallet.plan(Integer.parseInt(arguments[1])));
    List<BloomFilter> filters = filters(chain.payments(), HeavyWallet.ADDRESSES + 1_000);
    long start = System.nanoTime();
    NullClient.Counted counted =
        new NullClient().run("127.0.0.1", Integer.parseInt(arguments[0]), filters);
    System.out.println(
        Bench.JSON
            .createObjectNode()
            .put("elapsed_ms", (System.nanoTime() - start) / 1_000_000)
            .put("height", counted.headers())
            .put("passes", filters.size())
            .put("transactions", counted.transactions())
            .put("bytes", counted.bytes()));
  }
}
