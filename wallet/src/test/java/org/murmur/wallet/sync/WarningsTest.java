package org.murmur.wallet.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.Notice;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.overview.Damage;
import org.murmur.wallet.overview.Recoverable;

class WarningsTest {

  private static final NodeAddress A = new NodeAddress("a.example", 18_333);
  private static final NodeAddress B = new NodeAddress("b.example", 18_333);
  private static final Hash256 BLOCK = Hash256.ofDisplay("ab".repeat(32));
  private static final Instant TIME = Instant.parse("2026-05-06T07:08:09.5Z");
  private static final Duration HOURS = Duration.ofHours(7);

  /** The parts of a sample that its sentence must contain. */
  private record Sample(SyncEvent.Warning warning, List<String> data) {
    Sample(SyncEvent.Warning warning, String... data) {
      this(warning, List.of(data));
    }
  }

  private static Sample session(SyncWarning warning, String... data) {
    return new Sample(warning, data);
  }

  /** Each kind of a session's warnings, in the order of the type. */
  private static List<Sample> ofSession() {
    String a = A.toString();
    String block = BLOCK.toString();
    return List.of(
        session(new SyncWarning.NobodyReachable("A: refused", true), "(A: refused)", "proxy"),
        session(new SyncWarning.NobodyReachable("A: refused", false), "(A: refused)", "online?"),
        session(new SyncWarning.NoNewBlock(5_001, TIME, HOURS), "5001", "7 h", "07:08:09Z"),
        session(
            new SyncWarning.MisbehavedPeerCalled(A, DisconnectReason.BAD_PROOF, TIME),
            a,
            "BAD_PROOF",
            "07:08:09Z"),
        session(new SyncWarning.PaymentsUnchecked(1, HOURS), "1 pending payment ", "7 hours"),
        session(new SyncWarning.PaymentsUnchecked(3, HOURS), "3 pending payments ", "7 hours"),
        session(new SyncWarning.ClaimUnchecked(A, 5_001), a, "5001", "byte limit"),
        session(new SyncWarning.SlowPeer(A, 286, Duration.ofSeconds(10), false), a, "286", "10 s"),
        session(new SyncWarning.SlowPeer(A, 286, HOURS, true), a, "286", "guard"),
        session(new SyncWarning.ClaimNotKept(A, 5_001, 77), a, "5001", "77", "still syncing"),
        session(
            new SyncWarning.KnownChainRefused(BLOCK, BLOCK, 5_001, HeaderFault.BRANCH_TOO_LONG),
            block,
            "5001",
            "(branch too long)"),
        session(new SyncWarning.BlockFromTheFuture(A, BLOCK), a, block, "clock"),
        session(new SyncWarning.OneNetworkGroup(1, new NetGroup("30.0.0.0/16")), "30.0.0.0/16"),
        session(
            new SyncWarning.OneNetworkGroup(3, new NetGroup("30.0.0.0/16")),
            "all 3 peers",
            "30.0.0.0/16"),
        session(new SyncWarning.StoredChainElsewhere(BLOCK, 5_001), block, "5001"),
        session(new SyncWarning.NotSpotChecked(BLOCK, 5_001), block, "5001"),
        session(new SyncWarning.BlockNotServed(5_001), "5001"),
        session(new SyncWarning.InternalFault(A, "index 7"), a, "index 7"),
        session(new SyncWarning.NoBytesForWholeBlock(BLOCK, 5_001), block, "5001"),
        session(
            new SyncWarning.NobodyToGuard(FilterRole.OUTPOINTS, false),
            "there is no usable peer for the outpoints. Name one more, or"),
        session(
            new SyncWarning.NobodyToGuard(FilterRole.SCRIPTS, true),
            "the scripts in another network group than the first. Name"),
        session(
            new SyncWarning.GuardAbsent(FilterRole.SCRIPTS, A, true),
            "scripts, " + a + ", cannot be reached",
            "Try again later",
            "dismiss it"),
        session(
            new SyncWarning.GuardAbsent(FilterRole.OUTPOINTS, A, false),
            "outpoints, " + a + ", was not named, ",
            "Name it, or dismiss it"));
  }

  /** Each kind of the wallet's own warnings, in the order of the type. */
  private static List<Sample> ofWallet() {
    String a = A.toString();
    List<Sample> samples = new ArrayList<>();
    for (Recoverable what : Recoverable.values()) {
      samples.add(
          new Sample(
              new WalletWarning.FileDamaged(new Damage("/w/file", what)),
              "/w/file is damaged in the table " + what.table(),
              "copy of the words"));
    }
    samples.addAll(
        List.of(
            new Sample(new WalletWarning.WalletExposed(), "private or compact preset"),
            new Sample(new WalletWarning.ShownToPoolNode(A), "trust"),
            new Sample(new WalletWarning.PoolNodeSilent(A, "no answer"), "no answer. A node"),
            new Sample(new WalletWarning.AnnouncementsNotCounted(), "300 MB a day"),
            new Sample(new WalletWarning.TwoGuardsNeeded(1), "instead of 1"),
            new Sample(new WalletWarning.CostNotKept("disk full"), "disk full"),
            new Sample(new WalletWarning.SentNotKept(Hash256.ZERO, "disk full"), "was sent"),
            new Sample(
                new WalletWarning.FeeBelowFilter(
                    BLOCK, FeeRate.satPerKvb(200), FeeRate.satPerKvb(1_500)),
                BLOCK.toString(),
                "0.2 sat/vB",
                "1.5 sat/vB",
                "Raise its fee"),
            new Sample(new SyncWarning.ClockBehind(5_001, BLOCK, HOURS), "7 hours behind", "5001"),
            new Sample(
                new WalletWarning.TooFewPeers(3, 1, Map.of(A, "no version message"), false),
                "with 3 peers",
                "with 1 only",
                a + ": no version message"),
            new Sample(new WalletWarning.TooFewPeers(3, 1, Map.of(), false), "Name a further peer"),
            new Sample(
                new WalletWarning.TooFewPeers(2, 1, Map.of(), true),
                "1 of 2 peers agree on the filters"),
            new Sample(new WalletWarning.TimeOver(Duration.ofMillis(1_500), false), "of 1.5 s"),
            new Sample(new WalletWarning.TimeOver(Duration.ofSeconds(2), true), "unconfirmed"),
            new Sample(new WalletWarning.BytesOver(70_000, false), "of 70000 bytes"),
            new Sample(new WalletWarning.LimitTooSmall(70_000), "70000", "162003"),
            new Sample(new WalletWarning.BytesOver(70_000, true), "unconfirmed"),
            new Sample(new WalletWarning.BirthdayAhead(5_001), "5001", "rescan"),
            new Sample(
                new WalletWarning.AllChainsShorter(5_001, Map.of(A, 77)),
                "5001",
                a + " ends at height 77."),
            new Sample(new WalletWarning.OldTip(5_001, TIME, HOURS), "5001", "7 hours ago"),
            new Sample(new WalletWarning.PeerOfNoUse(A, "refused", true), a, "was lost: refused"),
            new Sample(
                new WalletWarning.PeerOfNoUse(A, "refused", false),
                a,
                "could not be used: refused"),
            new Sample(
                new SyncWarning.FiltersDisagree(5_001, BLOCK, List.of(A, B), Optional.empty()),
                "5001",
                BLOCK.toString(),
                a + " and " + B + " give different filters"),
            new Sample(
                new SyncWarning.FiltersDisagree(5_001, BLOCK, List.of(A, B), Optional.of(B)),
                "5001",
                BLOCK.toString(),
                B + " does not send"),
            new Sample(
                new SyncWarning.FiltersDenied(5_001, List.of(A, B)),
                a + " and " + B + " give others"),
            new Sample(new SyncWarning.FiltersDenied(0, List.of(A)), a + " gives others"),
            new Sample(
                new SyncWarning.PeersDisagree(5_001, BLOCK, A, List.of(B)),
                "5001",
                BLOCK.toString(),
                a + " omitted it",
                B + " sent it"),
            new Sample(
                new SyncWarning.PeerInBackOff(A, DisconnectReason.BAD_PROOF, TIME),
                a,
                "07:08:09Z",
                "BAD_PROOF"),
            new Sample(new WalletWarning.FiltersOfOne(A), "only " + a + " gave filters"),
            new Sample(new WalletWarning.FurtherLeftOut(), "omitted"),
            new Sample(
                new WalletWarning.PeersToBeFound(
                    List.of("a stranger"), 9, "NODE_BLOOM", List.of("n:1"), true, true),
                "a stranger: to be found",
                "9 known addresses",
                "seed node n:1",
                "DNS seeds, gossip, built-in nodes if nothing else helps;"),
            new Sample(
                new WalletWarning.PeersToBeFound(
                    List.of(), 0, "NODE_BLOOM", List.of(), false, false),
                "peers: to be found with gossip;"),
            new Sample(
                new WalletWarning.BlockFiltersInstead(3_400_000, true),
                "Syncing with filters of blocks",
                "about 3 MB"),
            new Sample(
                new WalletWarning.BlockFiltersInstead(1_500_000_000, false),
                "compact preset takes",
                "about 1500 MB"),
            new Sample(new WalletWarning.NewBlocksUnknown(), "regtest"),
            new Sample(new WalletWarning.HeightEstimated(), "estimated"),
            new Sample(new WalletWarning.AllAddressesTaken(), "cannot derive new addresses"),
            new Sample(new WalletWarning.BeyondGap(25, 20), "25 addresses", "limit of 20")));
    return samples;
  }

  static Stream<Sample> samples() {
    return Stream.concat(ofSession().stream(), ofWallet().stream());
  }

  /** The records of a sealed type, those of the sealed types in it included. */
  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(WarningsTest::kinds)
        : Stream.of(type);
  }

  /** A kind that is missing here may have no sentence. */
  @Test
  void eachKindHasASample() {
    assertThat(samples().map(Sample::warning).map(Object::getClass).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(kinds(SyncWarning.class), kinds(WalletWarning.class)).toList());
  }

  /** It follows "warning: ", so it begins in lower case, or with the name of a peer or file. */
  @ParameterizedTest
  @MethodSource("samples")
  void eachKindHasASentence(Sample sample) {
    String text = sample.warning().text();
    assertThat(text)
        .contains(sample.data())
        .matches("[a-z0-9/].*")
        .doesNotContain("  ", "..", " .", " ,", "null", "%", "{", "}", "[", "]", "@")
        .doesNotContainPattern("[.;:, ]$");
  }

  /** A kind that is added must be thought about: most are plain warnings. */
  @Test
  void fewAreSerious() {
    assertThat(
            samples()
                .map(Sample::warning)
                .filter(warning -> warning.severity() == Notice.Severity.SERIOUS)
                .map(warning -> warning.getClass().getSimpleName())
                .distinct())
        .containsExactlyInAnyOrder(
            "FileDamaged",
            "WalletExposed",
            "ShownToPoolNode",
            "BirthdayAhead",
            "PeersDisagree",
            "FiltersDisagree");
    assertThat(new WalletWarning.TimeOver(HOURS, true).severity()).isEqualTo(Notice.Severity.NOTE);
    assertThat(new WalletWarning.TimeOver(HOURS, false).severity())
        .isEqualTo(Notice.Severity.WARNING);
    assertThat(new WalletWarning.BytesOver(1, true).severity()).isEqualTo(Notice.Severity.NOTE);
    SyncWarning fault = new SyncWarning.InternalFault(A, "index 7");
    assertThat(fault.severity()).isEqualTo(Notice.Severity.NOTE);
  }

  @ParameterizedTest
  @CsvSource({
    "86401, 24 hours ago",
    "172799, 47 hours ago",
    "172800, 2 days ago",
    "8640000, 100 days ago"
  })
  void theAgeOfATipIsRough(long seconds, String expected) {
    assertThat(new WalletWarning.OldTip(7, TIME, Duration.ofSeconds(seconds)).text())
        .contains(expected);
  }
}
