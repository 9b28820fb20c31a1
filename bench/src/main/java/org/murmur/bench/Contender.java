package org.murmur.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.Network;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.SyncOptions;
import org.murmur.wallet.SyncReport;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.keys.Accounts;
import org.murmur.wallet.keys.DerivedScript;
import org.murmur.wallet.keys.KeyNetwork;
import org.murmur.wallet.keys.Mnemonic;
import org.murmur.wallet.keys.ScriptType;

/** Who is measured; each runs in a process of its own by {@link #main}. */
enum Contender {
  /** Asks and ignores the answers. */
  NULL {
    @Override
    String sync(int port, int nodeHeight, boolean headersOnly) throws Exception {
      BloomFilter filter = null;
      if (!headersOnly) {
        List<DerivedScript> scripts = receiving(1_000);
        FilterParameters parameters =
            FilterParameters.of(1_250, 1e-9, 1, UpdateFlag.ALL, Rounding.CORE);
        BloomFilter.Builder builder = BloomFilter.builder(parameters);
        scripts.forEach(script -> builder.add(script.element()));
        filter = builder.build();
      }
      long start = System.nanoTime();
      NullClient.Counted counted = new NullClient().run("127.0.0.1", port, filter);
      return result(start, counted.headers(), 0, counted.blocks());
    }
  },
  /** This project, restoring a wallet from its words into a fresh file. */
  MURMUR {
    @Override
    String sync(int port, int nodeHeight, boolean headersOnly) throws Exception {
      Path folder = Files.createTempDirectory("murmur-bench");
      Path file = folder.resolve("wallet.sqlite");
      WalletRecipe recipe =
          WalletRecipe.ofMnemonic(
                  Network.REGTEST, Mnemonic.parse(WORDS), "", List.of(ScriptType.P2WPKH), 0)
              .withBirthday(new Birthday.AtHeight(0));
      try (SpvWallet wallet = SpvWallet.create(file, recipe)) {
        SyncReport report =
            wallet.sync(
                SyncOptions.connect("127.0.0.1:" + port)
                    .headersOnly(headersOnly)
                    .mempoolWait(Duration.ZERO),
                event -> {});
        if (!report.complete()) {
          throw new IllegalStateException("not complete: " + report);
        }
        return json(
            report.elapsed().toMillis(),
            report.height(),
            report.balance().total(),
            report.blocksScanned());
      } finally {
        try (var files = Files.list(folder)) {
          for (Path left : files.toList()) {
            Files.delete(left);
          }
        }
        Files.delete(folder);
      }
    }
  },
  /** The released bitcoinj: PeerGroup, wallet of the same words. */
  BITCOINJ {
    @Override
    String sync(int port, int nodeHeight, boolean headersOnly) throws Exception {
      long start = System.nanoTime();
      BitcoinjClient.Ended ended =
          BitcoinjClient.run("127.0.0.1", port, nodeHeight, List.of(WORDS.split(" ")), headersOnly);
      return result(start, ended.height(), ended.balance(), 0);
    }
  };

  /** The words everybody knows from the test vectors of BIP-0039; nothing of worth lies there. */
  static final String WORDS =
      "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
          + " about";

  abstract String sync(int port, int nodeHeight, boolean headersOnly) throws Exception;

  /** The first receiving scripts of the words' first account (BIP-0084). */
  static List<DerivedScript> receiving(int count) {
    return new ArrayList<>(
        Accounts.descriptors(
                Mnemonic.parse(WORDS), "", KeyNetwork.REGTEST, List.of(ScriptType.P2WPKH), 0)
            .get(0)
            .derive(0, count));
  }

  private static String result(long start, int height, long balance, int blocks) {
    return json((System.nanoTime() - start) / 1_000_000, height, balance, blocks);
  }

  private static String json(long elapsedMillis, int height, long balance, int blocks) {
    return String.format(
        Locale.ROOT,
        "{ \"elapsed_ms\": %d, \"height\": %d, \"balance_sat\": %d, \"blocks\": %d }",
        elapsedMillis,
        height,
        balance,
        blocks);
  }

  /**
   * Runs one contender and prints its result as JSON.
   *
   * @param arguments name, port, the node's height, whether headers are enough
   */
  public static void main(String[] arguments) throws Exception {
    Contender contender = valueOf(arguments[0]);
    System.out.println(
        contender.sync(
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Boolean.parseBoolean(arguments[3])));
    // bitcoinj leaves threads behind.
    System.exit(0);
  }
}
