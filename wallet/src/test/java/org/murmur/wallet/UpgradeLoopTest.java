package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.p2p.sync.SyncFact.NoUsablePeer;
import org.murmur.wallet.internal.session.SessionGoal;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/** The minutes of a search that nobody serves, in virtual time. */
final class UpgradeLoopTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long BYTES_OF_A_SEARCH = 1_000;

  private final List<SyncOptions> run = new ArrayList<>();
  private final List<WalletWarning> announced = new ArrayList<>();
  private final List<SyncEvent> heard = new ArrayList<>();
  private Obstacle.Kind obstacle = Obstacle.Kind.NO_BLOOM;
  private Duration now = Duration.ZERO;
  private Duration filtersAt = Duration.ofDays(1);
  // When there is nobody left to ask.
  private Duration exhaustedAt = Duration.ofDays(1);
  private long cost = 3_400_000;

  private static SyncReport report(long received, Duration elapsed) {
    ChainState nothing =
        new ChainState(
            0,
            0,
            ChainParams.REGTEST.genesisHash(),
            Instant.EPOCH,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false,
            0,
            List.of());
    return new SyncReport(
        ChainParams.REGTEST,
        false,
        SyncReport.Ending.NO_USABLE_PEER,
        nothing,
        1,
        false,
        0,
        0,
        Balance.ZERO,
        MempoolAnswered.Answer.SKIPPED,
        Optional.empty(),
        0,
        0,
        received,
        received / 2,
        elapsed,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  /** A search lasts as long as it may, if there is somebody to ask; a scan takes a second. */
  private SyncReport session(
      SyncOptions options, Optional<SyncReport> before, Optional<WalletWarning> what)
      throws NoUsablePeerException {
    run.add(options);
    what.ifPresent(announced::add);
    boolean compact = options.preset().equals(Optional.of(Preset.Kind.COMPACT));
    Duration begun = now;
    Duration end = compact ? now.plusSeconds(1) : now.plus(options.limits().search());
    now = end.compareTo(exhaustedAt) < 0 || compact ? end : exhaustedAt;
    SyncReport report =
        report(
            BYTES_OF_A_SEARCH + before.map(SyncReport::bytesReceived).orElse(0L),
            now.minus(begun).plus(before.map(SyncReport::elapsed).orElse(Duration.ZERO)));
    if (compact) {
      return report;
    }
    throw new NoUsablePeerException(
        new NoUsablePeer(obstacle, Map.of(), "unused"), "nobody", report, Optional.empty());
  }

  private List<KnownAddress> known() {
    List<KnownAddress> known = new ArrayList<>();
    for (String host : List.of("20.1.1.1", "30.1.1.1")) {
      Endpoint endpoint = Endpoint.parse(host, 8333).orElseThrow();
      long success = now.compareTo(filtersAt) < 0 ? 0 : 1;
      known.add(
          new KnownAddress(
              endpoint,
              Services.NETWORK | Services.COMPACT_FILTERS,
              true,
              1,
              NetGroup.of(endpoint),
              true,
              1,
              success,
              0,
              -1,
              0,
              ""));
    }
    return known;
  }

  private SyncReport sync(SyncOptions options) throws NoUsablePeerException {
    return new Upgrade(this::session, this::known, compact -> cost, heard::add).sync(options);
  }

  private NoUsablePeerException fails(SyncOptions options) {
    NoUsablePeerException none =
        catchThrowableOfType(NoUsablePeerException.class, () -> sync(options));
    assertThat(announced).isEmpty();
    return none;
  }

  private List<Duration> searches() {
    return run.stream().map(options -> options.limits().search()).toList();
  }

  @Test
  void looksAgainEachMinuteAndTellsOnce() throws NoUsablePeerException {
    filtersAt = Duration.ofSeconds(150);
    SyncReport report =
        sync(
            SyncOptions.discover()
                .limits(limits -> limits.time(Duration.ofMinutes(8)).bytes(100_000)));
    assertThat(searches()).startsWith(MINUTE, MINUTE, MINUTE).hasSize(4);
    assertThat(run.subList(0, 3)).allMatch(options -> options.preset().isEmpty());
    assertThat(announced).containsExactly(new WalletWarning.BlockFiltersInstead(cost, true));
    assertThat(heard).as("the session tells it").isEmpty();
    // The limits are those of the whole, and so is the report.
    assertThat(run)
        .extracting(options -> options.limits().time().toSeconds())
        .containsExactly(480L, 420L, 360L, 300L);
    assertThat(run)
        .extracting(options -> options.limits().bytes())
        .containsExactly(100_000L, 99_000L, 98_000L, 97_000L);
    assertThat(report.elapsed()).isEqualTo(Duration.ofSeconds(181));
    assertThat(report.bytesReceived()).isEqualTo(4 * BYTES_OF_A_SEARCH);
  }

  @ParameterizedTest
  @CsvSource({"600, 10, 60", "150, 3, 30", "60, 1, 60", "2, 1, 2"})
  void endsWithTheSearch(int seconds, int parts, int last) {
    Duration search = Duration.ofSeconds(seconds);
    NoUsablePeerException none =
        fails(SyncOptions.discover().limits(limits -> limits.search(search)));
    assertThat(searches()).hasSize(parts).endsWith(Duration.ofSeconds(last));
    assertThat(none.report().elapsed()).isEqualTo(search).isEqualTo(now);
    assertThat(heard).isEmpty();
  }

  /** Whoever has nobody left to ask would find no more in the next minute. */
  @ParameterizedTest
  @CsvSource({"20, 1", "80, 2"})
  void endsWhenThereIsNobodyLeftToAsk(int seconds, int parts) {
    exhaustedAt = Duration.ofSeconds(seconds);
    assertThat(fails(SyncOptions.discover()).report().elapsed()).isEqualTo(exhaustedAt);
    assertThat(run).hasSize(parts);
  }

  /** What was found until then is enough. */
  @Test
  void goesOnWhenTheSearchIsCutShort() throws NoUsablePeerException {
    exhaustedAt = Duration.ofSeconds(20);
    filtersAt = Duration.ofSeconds(15);
    assertThat(sync(SyncOptions.discover()).elapsed()).isEqualTo(Duration.ofSeconds(21));
    assertThat(announced).hasSize(1);
  }

  @Test
  void costsAHundredMegabytesAtMost() throws NoUsablePeerException {
    filtersAt = Duration.ZERO;
    cost = Upgrade.MAX_BYTES + 1;
    assertThat(fails(SyncOptions.discover()).kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
    assertThat(run).hasSize(1);
    assertThat(heard).containsExactly(new WalletWarning.BlockFiltersInstead(cost, false));
    cost = Upgrade.MAX_BYTES;
    assertThat(sync(SyncOptions.discover()).complete()).isFalse();
    assertThat(announced).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void onlyTheWantOfPeersWithBloomFiltersChangesThePreset(Obstacle.Kind kind)
      throws NoUsablePeerException {
    filtersAt = Duration.ZERO;
    obstacle = kind;
    if (kind == Obstacle.Kind.NO_BLOOM || kind == Obstacle.Kind.NO_GUARD) {
      assertThat(sync(SyncOptions.discover()).elapsed()).isEqualTo(MINUTE.plusSeconds(1));
    } else {
      assertThat(fails(SyncOptions.discover()).kind()).isEqualTo(kind);
    }
  }

  private static boolean isOpen(SessionGoal goal, SyncOptions options, PresetChoice.Reason reason) {
    return Upgrade.isOpen(goal, options, new PresetChoice(Preset.Kind.FAST, reason, false, 1));
  }

  /** Nobody said or did anything that stands for another wish. */
  @Test
  void isOpenToAFirstSyncWithFoundPeersOnly() {
    SessionGoal sync = new SessionGoal.Sync();
    SyncOptions found = SyncOptions.discover();
    PresetChoice.Reason rule = PresetChoice.Reason.RULE;
    assertThat(isOpen(sync, found, rule)).isTrue();
    assertThat(isOpen(sync, found, PresetChoice.Reason.SAID)).as("said").isFalse();
    assertThat(isOpen(sync, found, PresetChoice.Reason.LAST)).as("remembered").isFalse();
    assertThat(isOpen(sync, SyncOptions.connect("node.example"), rule)).as("named").isFalse();
    assertThat(isOpen(sync, found.follow(true), rule)).isFalse();
    assertThat(isOpen(sync, found.headersOnly(true), rule)).isFalse();
    assertThat(isOpen(new SessionGoal.Rescan(new Birthday.AtHeight(0)), found, rule)).isFalse();
  }
}
