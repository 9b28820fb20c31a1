package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
        assertTheChainItselfHoldsTheConfirmedPart(node, life, expected);
      }
    }
    assertThat(happened).containsExactlyInAnyOrder(WalletLife.Kind.values());
  }

  @Test
  void aLifeOfOneAddressTypeNeedsNoOther() {
    try (Bitcoind node = Bitcoind.start()) {
      List<AddressType> types = List.of(AddressType.BECH32);
      WalletLife life = WalletLife.begin(node, new WalletLife.Options(4, types, 5));
      life.live(60);
      ExpectedWallet before = life.settle();
      assertThat(before.coins()).allMatch(coin -> coin.address().startsWith("bcrt1q"));
      // It may continue after it was compared, with another reorganisation first.
      life.reorg(3, WalletLife.Kind.REORG_REPLACING);
      life.live(10);
      ExpectedWallet after = life.settle();
      assertThat(after.transactions().size()).isGreaterThan(before.transactions().size());
      assertThat(after.height()).isGreaterThan(before.height());
    }
  }

  @Test
  void aHiddenAddressIsNoticed() {
    try (Bitcoind node = Bitcoind.start()) {
      JsonRpc rpc = node.rpc();
      List<String> words = WalletWords.draw(new Random(5));
      NodeWallet wallet =
          NodeWallet.restore(rpc, "gaps", words, List.of(AddressType.BECH32, AddressType.LEGACY));
      List<String> addresses = wallet.newAddresses(AddressType.BECH32, 30);
      rpc.call("generatetoaddress", 1, addresses.get(2));
      rpc.call("generatetoaddress", 1, addresses.get(7));
      assertThat(wallet.missingSteps(5)).isEmpty();
      rpc.call("generatetoaddress", 1, addresses.get(13));
      assertThat(wallet.missingSteps(6)).isEmpty();
      assertThat(wallet.missingSteps(5)).containsExactly(addresses.get(12));
      rpc.call("generatetoaddress", 1, wallet.newAddresses(AddressType.LEGACY, 6).get(5));
      assertThat(wallet.missingSteps(6)).isEmpty();
      assertThat(wallet.missingSteps(5)).hasSize(2);
    }
  }

  @Test
  void theWordsGiveTheAddressesOfTheStandards() {
    // tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl is what wallets show for the test mnemonic of
    // BIP-0084 at m/84'/1'/0'/0/0; the same program with regtest's prefix.
    List<String> words = List.of(("abandon ".repeat(11) + "about").split(" ", -1));
    try (Bitcoind node = Bitcoind.start()) {
      NodeWallet wallet =
          NodeWallet.restore(node.rpc(), "words", words, List.of(AddressType.BECH32));
      assertThat(wallet.newAddress(AddressType.BECH32))
          .isEqualTo("bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk");
    }
  }

  private static void assertAddsUp(ExpectedWallet expected) {
    assertThat(expected.confirmed() + expected.unconfirmed() + expected.immature())
        .isEqualTo(expected.total());
    assertThat(expected.coins().stream().mapToLong(ExpectedWallet.Coin::value).sum())
        .isEqualTo(expected.total());
    assertThat(expected.transactions())
        .extracting(ExpectedWallet.Transaction::txid)
        .doesNotHaveDuplicates();
    assertThat(expected.transactions())
        .filteredOn(tx -> tx.height() == null)
        .anyMatch(tx -> tx.net() > 0)
        .anyMatch(tx -> tx.net() < 0);
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
                new ObjectMapper()
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

  /** A second opinion that does not ask the node's wallet: its set of unspent outputs. */
  private static void assertTheChainItselfHoldsTheConfirmedPart(
      Bitcoind node, WalletLife life, ExpectedWallet expected) {
    String master = WalletWords.masterKey(life.words());
    List<Map<String, Object>> searched = new ArrayList<>();
    for (AddressType type : AddressType.values()) {
      for (int chain = 0; chain <= 1; chain++) {
        searched.add(Map.of("desc", type.descriptor(master, chain), "range", 500));
      }
    }
    JsonNode found = node.rpc().call("scantxoutset", "start", searched);
    assertThat(JsonRpc.satoshi(found.path("total_amount")))
        .isEqualTo(expected.confirmed() + expected.immature());
  }
}
