package org.murmur.regtest.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real-node")
class WalletLifeTest {

  private static final int BLOCKS = 150;

  @Test
  void threeLivesAddUpAndLeaveNothingOut() {
    Set<WalletLife.Kind> happened = EnumSet.noneOf(WalletLife.Kind.class);
    for (long seed = 1; seed <= 3; seed++) {
      try (Bitcoind node = Bitcoind.start()) {
        WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
        long from = System.nanoTime();
        life.live(BLOCKS);
        ExpectedWallet expected = life.settle();
        System.out.printf(
            "life of seed %d: %d ms, %d transactions, %d coins, %s%n",
            seed,
            (System.nanoTime() - from) / 1_000_000,
            expected.transactions().size(),
            expected.coins().size(),
            life.happened());
        happened.addAll(life.happened().keySet());
        assertAddsUp(expected);
        assertHeightsAreThoseOfTheChain(node, expected);
        assertCoinsAreOutputsThatTheNodeHolds(node, expected);
      }
    }
    assertThat(happened).containsExactlyInAnyOrder(WalletLife.Kind.values());
  }

  private static void assertAddsUp(ExpectedWallet expected) {
    assertThat(expected.confirmed() + expected.unconfirmed() + expected.immature())
        .isEqualTo(expected.total());
    assertThat(expected.coins().stream().mapToLong(ExpectedWallet.Coin::value).sum())
        .isEqualTo(expected.total());
    assertThat(expected.transactions())
        .extracting(ExpectedWallet.Transaction::txid)
        .doesNotHaveDuplicates();
    assertThat(expected.transactions()).filteredOn(tx -> tx.height() == null).isNotEmpty();
    assertThat(expected.transactions())
        .filteredOn(tx -> tx.height() != null)
        .hasSizeGreaterThan(50);
  }

  private static void assertHeightsAreThoseOfTheChain(Bitcoind node, ExpectedWallet expected) {
    for (ExpectedWallet.Transaction tx : expected.transactions()) {
      if (tx.height() != null) {
        String block = node.rpc().call("getblockhash", tx.height()).asText();
        List<String> txids =
            List.of(
                new com.fasterxml.jackson.databind.ObjectMapper()
                    .convertValue(
                        node.rpc().call("getblock", block, 1).path("tx"), String[].class));
        assertThat(txids).contains(tx.txid());
      }
    }
  }

  private static void assertCoinsAreOutputsThatTheNodeHolds(
      Bitcoind node, ExpectedWallet expected) {
    Set<String> seen = new HashSet<>();
    for (ExpectedWallet.Coin coin : expected.coins()) {
      JsonNode output = node.rpc().call("gettxout", coin.txid(), coin.vout(), true);
      assertThat(JsonRpc.satoshi(output.path("value"))).isEqualTo(coin.value());
      assertThat(seen.add(coin.txid() + ":" + coin.vout())).isTrue();
    }
  }
}
