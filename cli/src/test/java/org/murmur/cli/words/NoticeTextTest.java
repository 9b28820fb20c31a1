package org.murmur.cli.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.overview.Damage;
import org.murmur.wallet.overview.Recoverable;
import org.murmur.wallet.sync.WalletWarning;

/** The library's own sentences have their own test. */
class NoticeTextTest {

  private static final NodeAddress A = new NodeAddress("a.example", 18_333);
  private static final Hash256 BLOCK = Hash256.ofDisplay("ab".repeat(32));

  private static String of(SyncWarning warning) {
    return NoticeText.of(warning);
  }

  /** Where the user can do something about it with this program, the option is named. */
  @Test
  void itNamesTheOptions() {
    assertThat(of(new SyncWarning.NobodyToGuard(FilterRole.OUTPOINTS, false)))
        .contains("no usable peer for the outpoints. Name one more")
        .endsWith("(--connect names one more, --one-peer lets one peer get both)");
    assertThat(of(new SyncWarning.NobodyToGuard(FilterRole.SCRIPTS, true)))
        .contains("the scripts in another network group than the first. Name");
    assertThat(of(new SyncWarning.GuardAbsent(FilterRole.SCRIPTS, A, true)))
        .contains("scripts, " + A + ", cannot be reached")
        .contains("Try again later")
        .endsWith("(--replace-guard " + A + " dismisses it)");
    assertThat(of(new SyncWarning.GuardAbsent(FilterRole.OUTPOINTS, A, false)))
        .contains("outpoints, " + A + ", was not named")
        .endsWith("(--connect names it, --replace-guard " + A + " dismisses it)");
    assertThat(of(new SyncWarning.SlowPeer(A, 286, Duration.ofSeconds(10), false)))
        .contains(A + " is slow: 286 bytes", "another --connect");
    assertThat(of(new SyncWarning.SlowPeer(A, 286, Duration.ofSeconds(10), true)))
        .contains("--replace-guard " + A);
    assertThat(NoticeText.of(new WalletWarning.TwoGuardsNeeded(1))).contains("--one-peer");
    assertThat(NoticeText.of(new WalletWarning.AllChainsShorter(5_001, Map.of(A, 77))))
        .contains("5001", A + " ends at height 77.")
        .endsWith("(bitcoin-cli getblockchaininfo: blocks and headers)");
    WalletWarning cheap =
        new WalletWarning.FeeBelowFilter(BLOCK, FeeRate.satPerKvb(200), FeeRate.satPerKvb(1_000));
    assertThat(NoticeText.of(cheap)).endsWith("Raise its fee (`murmur bump " + BLOCK + "`)");
    assertThat(NoticeText.of(new WalletWarning.BlockFiltersInstead(1_500_000_000, false)))
        .endsWith("takes about 1500 MB (--privacy compact)");
    assertThat(NoticeText.of(new WalletWarning.BlockFiltersInstead(3_400_000, true)))
        .contains("about 3 MB")
        .endsWith("until another preset is chosen (--privacy)");
    Damage lost = new Damage("/w/file", Recoverable.PEERS);
    assertThat(NoticeText.of(new WalletWarning.FileDamaged(lost)))
        .endsWith("(`murmur export descriptor`)");
  }

  @Test
  void theOthersAreTheLibrarys() {
    WalletWarning other = new WalletWarning.BeyondGap(25, 20);
    assertThat(NoticeText.of(other)).isEqualTo(other.text());
    assertThat(of(new SyncWarning.ClaimUnchecked(A, 7))).contains("byte limit");
  }

  /** Programs rely on it: letters and underscores. */
  @Test
  void eachKindHasItsName() {
    assertThat(new WalletWarning.BeyondGap(25, 20).kind()).isEqualTo("beyond_gap");
    assertThat(new SyncWarning.NotSpotChecked(BLOCK, 1).kind()).isEqualTo("not_spot_checked");
  }
}
