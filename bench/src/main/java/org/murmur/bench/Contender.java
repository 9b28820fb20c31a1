package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.DerivedScript;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;

/**
 * The clients to compare with {@link MurmurCommand}; each runs in a separate process by {@link
 * #main}.
 */
enum Contender {
  /** Sends requests and ignores the answers. */
  NULL {
    @Override
    String sync(int port, int nodeHeight, boolean headersOnly) throws Exception {
      List<BloomFilter> filters = List.of();
      if (!headersOnly) {
        List<DerivedScript> scripts = receiving(1_000);
        FilterParameters parameters =
            FilterParameters.of(1_250, 1e-9, 1, UpdateFlag.ALL, Rounding.CORE);
        BloomFilter.Builder builder = BloomFilter.builder(parameters);
        scripts.forEach(script -> builder.add(script.element()));
        filters = List.of(builder.build());
      }
      long start = System.nanoTime();
      NullClient.Counted counted = new NullClient().run("127.0.0.1", port, filters);
      return result(start, counted.headers(), 0, counted.blocks());
    }
  },
  /** The released bitcoinj: PeerGroup, wallet of the same mnemonic. */
  BITCOINJ {
    @Override
    String sync(int port, int nodeHeight, boolean headersOnly) throws Exception {
      long start = System.nanoTime();
      String kept = System.getProperty(KEPT);
      BitcoinjContender.Ended ended =
          BitcoinjContender.run(port, nodeHeight, headersOnly, kept == null ? null : Path.of(kept));
      return result(start, ended.height(), ended.balance(), 0);
    }
  };

  /** The property for a folder in which a contender keeps its state for the next run. */
  private static final String KEPT = "murmur.bench.kept";

  /** A well-known mnemonic from the test vectors of BIP-0039; it holds no funds. */
  static final String WORDS =
      "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
          + " about";

  abstract String sync(int port, int nodeHeight, boolean headersOnly) throws Exception;

  /** Runs in a separate process; returns its result with {@code wall_ms}, {@code peak_kib}. */
  ObjectNode launch(int port, int nodeHeight, boolean headersOnly) throws IOException {
    return launch(port, nodeHeight, headersOnly, null);
  }

  /** Runs in a separate process; keeps its state in a folder, if one is given. */
  ObjectNode launch(int port, int nodeHeight, boolean headersOnly, @Nullable Path kept)
      throws IOException {
    Launch.Ran ran =
        Launch.java(
            kept == null ? List.of() : List.of("-D" + KEPT + "=" + kept),
            Contender.class,
            List.of(name(), "" + port, "" + nodeHeight, "" + headersOnly));
    return ran.report().put("whole_ms", ran.wallMillis());
  }

  /** The first receiving scripts of the mnemonic's first account (BIP-0084). */
  static List<DerivedScript> receiving(int count) {
    return scripts(0, count);
  }

  /** The first change scripts of the same account. */
  static List<DerivedScript> change(int count) {
    return scripts(1, count);
  }

  private static List<DerivedScript> scripts(int chain, int count) {
    return new ArrayList<>(
        Accounts.descriptors(
                Mnemonic.parse(WORDS), "", KeyNetwork.REGTEST, List.of(OutputType.P2WPKH), 0)
            .get(chain)
            .derive(0, count));
  }

  private static String result(long start, int height, long balance, int blocks) {
    return Bench.JSON
        .createObjectNode()
        .put("elapsed_ms", (System.nanoTime() - start) / 1_000_000)
        .put("height", height)
        .put("balance_sat", balance)
        .put("blocks", blocks)
        .toString();
  }

  /**
   * Runs one contender and prints its result as JSON.
   *
   * @param arguments name, port, the node's height, whether headers suffice
   */
  public static void main(String[] arguments) throws Exception {
    Contender contender = valueOf(arguments[0]);
    System.out.println(
        contender.sync(
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Boolean.parseBoolean(arguments[3])));
    // bitcoinj leaves threads running.
    System.exit(0);
  }
}
