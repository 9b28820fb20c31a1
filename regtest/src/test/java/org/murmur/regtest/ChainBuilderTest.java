package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.chain.Connect;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.KeySigner;

class ChainBuilderTest {

  private static ChainBuilder lively(long seed) {
    return ChainBuilder.ofSeed(seed)
        .blocks(220)
        .transactionsPerBlock(12)
        .wallet(Wallets.lively(1, KeySigner::payToWitnessPubKeyHash, 120));
  }

  @Test
  void givesTheSameBytesForTheSameSeed() {
    BuiltChain one = lively(7).build();
    BuiltChain same = lively(7).build();
    BuiltChain other = lively(8).build();
    for (int i = 0; i <= 220; i++) {
      assertThat(same.chain().blockAt(i)).isEqualTo(one.chain().blockAt(i));
    }
    assertThat(same.truth()).isEqualTo(one.truth());
    assertThat(other.chain().tip().hash()).isNotEqualTo(one.chain().tip().hash());
  }

  @Test
  void makesHeadersThatHoldTheRules() {
    Chain chain = lively(3).build().chain();
    HeaderChain headers = HeaderChain.ofGenesis(ChainParams.REGTEST);
    Connect connect = headers.connect(chain.headers(1, 221), chain.tip().time());
    assertThat(connect).isEqualTo(new Connect.Extended(0, 220));
    assertThat(headers.tip()).isEqualTo(chain.tip().hash());
  }

  @Test
  void fillsBlocksOnceCoinsAreMature() {
    Chain chain = ChainBuilder.ofSeed(1).blocks(120).transactionsPerBlock(300).build().chain();
    assertThat(chain.blockAt(100).size()).isEqualTo(1);
    for (int height = 103; height <= 120; height++) {
      assertThat(chain.blockAt(height).size()).isEqualTo(301);
    }
  }

  @Test
  void letsEverythingHappenToALivelyWallet() {
    BuiltChain built = lively(7).build();
    WalletTruth truth = built.truth();
    assertThat(truth.transactions()).hasSizeGreaterThan(110);
    assertThat(truth.confirmedSat()).isPositive();
    assertThat(truth.transactions()).anyMatch(entry -> entry.netSat() < 0);
    Set<Bytes> scripts = new HashSet<>();
    truth.coins().forEach(coin -> scripts.add(coin.script()));
    assertThat(scripts).hasSizeGreaterThan(10);
    assertThat(truth.immatureSat()).isPositive();
    assertThat(truth.confirmedSat() + truth.immatureSat())
        .isEqualTo(truth.transactions().stream().mapToLong(WalletTruth.Entry::netSat).sum());
  }

  @Test
  void leavesSoManyCoins() {
    BuiltChain built =
        ChainBuilder.ofSeed(5)
            .blocks(200)
            .wallet(
                Wallets.lively(1, KeySigner::payToTaproot, 60)
                    .with(WalletPlan.Habits.SAVING)
                    .leaving(3))
            .build();
    assertThat(built.truth().coins()).hasSize(3);
  }

  @Test
  void startsWhereThePlanSays() {
    BuiltChain built =
        ChainBuilder.ofSeed(5)
            .blocks(400)
            .wallet(Wallets.lively(1, KeySigner::payToPubKeyHash, 10).startingAfter(0.9))
            .build();
    assertThat(built.truth().transactions()).allMatch(entry -> entry.height() >= 360);
  }

  @Test
  void saysWhenTheChainIsTooShortForTheWallet() {
    assertThatThrownBy(() -> lively(1).blocks(50).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("50 blocks");
  }
}
