package org.murmur.wallet;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of a wallet that two programs use: the node's own wallet and Murmur, with the same
 * words. Both pay, sweep, bump and take back, among reorganisations, and Murmur is killed now and
 * then. Every payment of Murmur's passes the node's {@code testmempoolaccept}, and after every
 * block both wallets have the same balance, coins and history. The parameter is the seed.
 */
@Tag("real-node")
class PayingLivesTest {

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void paysBesideTheNodesOwnWallet(long seed) throws Exception {
    PayingLife.live(folder.resolve("w"), seed, 6);
  }

  static long[] manySeeds() {
    return LongStream.rangeClosed(101, 150).toArray();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("manySeeds")
  void paysBesideTheNodesOwnWalletForLong(long seed) throws Exception {
    PayingLife.live(folder.resolve("w"), seed, 40);
  }
}
