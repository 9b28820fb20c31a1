package org.murmur.cli.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.p2p.sync.SyncFact.NoUsablePeer;
import org.murmur.p2p.sync.SyncFact.PeerSearch;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncReport;

/** Advice follows from the obstacle, whatever its text is. */
class AdviceTest {

  private static final NodeAddress A = new NodeAddress("a.example", 1);
  private static final NodeAddress B = new NodeAddress("b.example", 2);
  private static final NodeAddress C = new NodeAddress("c.example", 3);
  private static final PeerSearch SEARCH = new PeerSearch(9, 8, 7, 6, 5, 4, 3, 2, 1);

  /** The words that identify each advice, and no other: a new obstacle has to be added here. */
  private static String mark(Obstacle obstacle) {
    return switch (obstacle) {
      case UNKNOWN_NAME -> "spelled correctly";
      case NO_CONNECTION -> "Does it listen (-listen=1)";
      case NO_VERSION -> "(-rpcport)";
      case NO_NODE -> "login page";
      case BEYOND_PROXY, HANGS_UP_BEHIND_PROXY -> "can the proxy reach it?";
      case NOT_ENCRYPTED -> "--v2 prefer";
      case NO_OTHER -> "Name another peer";
      case PROXY_DOWN -> "Tor Browser";
      case PROXY_UNFIT -> "needs a SOCKS5 proxy";
      case NO_BLOOM -> "peerbloomfilters=1";
      case ONLY_FILTERS -> "--privacy compact";
      case NO_FILTERS -> "peerblockfilters=1";
      case HANGS_UP -> "Perhaps it speaks another network than regtest (--network";
      case OTHER_NETWORK -> "It does not speak regtest. Check --network";
      case LOST -> "`murmur sync` continues from there";
      case NOT_SYNCED -> "can serve the wallet when it is synced (bitcoin-cli getblockchaininfo";
      case BEHIND -> "may still be syncing, or have no connection";
      case OTHER_CHAIN -> "getchaintips";
      case LACKS_BLOCKS -> "synced and not pruned";
      case PRUNED -> "prune=0";
      case UPLOAD_LIMIT -> "whitebind=download@";
    };
  }

  private static final SyncReport REPORT =
      new SyncReport(
          ChainParams.REGTEST,
          false,
          SyncReport.Ending.NO_USABLE_PEER,
          new ChainState(
              0,
              0,
              ChainParams.REGTEST.genesisHash(),
              Instant.EPOCH,
              OptionalInt.empty(),
              OptionalInt.empty(),
              false,
              0,
              List.of()),
          1,
          false,
          0,
          0,
          Balance.ZERO,
          MempoolAnswered.Answer.SKIPPED,
          Optional.empty(),
          0,
          0,
          0,
          0,
          Duration.ZERO,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of());

  private static NoUsablePeerException none(
      Obstacle.Kind kind, Map<NodeAddress, Obstacle> obstacles, Optional<PeerSearch> search) {
    return new NoUsablePeerException(
        new NoUsablePeer(kind, obstacles, "unused"), "what it said", REPORT, search);
  }

  private static String advice(Map<NodeAddress, Obstacle> obstacles) {
    Obstacle.Kind worst =
        obstacles.values().stream().map(Obstacle::kind).max(Enum::compareTo).orElseThrow();
    return Advice.of(none(worst, obstacles, Optional.empty()));
  }

  private static Map<NodeAddress, Obstacle> obstacles(Obstacle ofA, Obstacle ofB, Obstacle ofC) {
    Map<NodeAddress, Obstacle> obstacles = new LinkedHashMap<>();
    obstacles.put(A, ofA);
    obstacles.put(B, ofB);
    obstacles.put(C, ofC);
    return obstacles;
  }

  @ParameterizedTest
  @EnumSource
  void eachObstacleHasItsAdviceAndNoOther(Obstacle obstacle) {
    String advice = advice(Map.of(A, obstacle));
    assertThat(advice).startsWith("what it said. ").doesNotContain("For ", "..", A.toString());
    for (Obstacle each : Obstacle.values()) {
      boolean same = mark(each).equals(mark(obstacle));
      assertThat(advice.contains(mark(each))).as("%s: %s", each, advice).isEqualTo(same);
    }
    assertThat(advice.contains("Progress is kept"))
        .isEqualTo(obstacle.kind() == Obstacle.Kind.LOST);
    assertThat(advice.contains("Nothing was sent without the proxy"))
        .isEqualTo(obstacle.kind() == Obstacle.Kind.PROXY);
  }

  /** Each advice names its peers, whatever the obstacles of others are. */
  @ParameterizedTest
  @EnumSource
  void withAnotherPeerItNamesThePeer(Obstacle obstacle) {
    Obstacle other = obstacle == Obstacle.PRUNED ? Obstacle.NO_BLOOM : Obstacle.PRUNED;
    String advice = advice(obstacles(obstacle, other, other));
    assertThat(advice).contains("For b.example:2, c.example:3: ", mark(other), mark(obstacle));
    // There is no advice for a peer that just left.
    assertThat(advice.contains("For a.example:1: ")).isEqualTo(obstacle != Obstacle.LOST);
  }

  @ParameterizedTest
  @EnumSource
  void commonAdviceIsPrintedOnce(Obstacle obstacle) {
    assertThat(advice(obstacles(obstacle, obstacle, obstacle)))
        .isEqualTo(advice(Map.of(A, obstacle)));
  }

  @ParameterizedTest
  @EnumSource
  void aSearchIsAdvisedByItsKind(Obstacle.Kind kind) {
    Map<NodeAddress, Obstacle> obstacles =
        kind == Obstacle.Kind.PROXY ? Map.of(A, Obstacle.PROXY_DOWN) : Map.of();
    String expected =
        switch (kind) {
          case UNREACHABLE -> "own: `murmur sync --connect HOST[:PORT]`";
          case PROXY -> "Tor Browser";
          case NO_BLOOM -> "peerbloomfilters=1";
          case NO_FILTERS -> "peerblockfilters=1";
          case WRONG_NETWORK, LOST, NO_GUARD -> "`murmur sync` continues from there";
        };
    assertThat(Advice.of(none(kind, obstacles, Optional.of(SEARCH))))
        .startsWith("what it said. ")
        .contains(expected);
  }

  /** The preset is named if nodes were seen that serve it. */
  @Test
  void compactIsAdvisedIfNodesServeIt() {
    PeerSearch nobody = new PeerSearch(9, 8, 7, 0, 0, 4, 3, 2, 1);
    PeerSearch two = new PeerSearch(9, 8, 7, 0, 2, 4, 3, 2, 1);
    assertThat(Advice.of(none(Obstacle.Kind.NO_BLOOM, Map.of(), Optional.of(nobody))))
        .contains("`murmur sync --connect HOST[:PORT]`")
        .doesNotContain("compact");
    assertThat(Advice.of(none(Obstacle.Kind.NO_BLOOM, Map.of(), Optional.of(two))))
        .contains("`murmur sync --connect HOST[:PORT]`")
        .contains("2 of those that answered serve filters of blocks")
        .contains("`murmur sync --privacy compact`");
  }

  @Test
  void aMissingGuardIsNoReasonToMissKeptTransactions() {
    assertThat(Advice.of(none(Obstacle.Kind.NO_GUARD, Map.of(), Optional.empty())))
        .isEqualTo("what it said. Progress is kept");
  }

  @Test
  void aMissingGuardIsNamedWithAdvice() {
    NoUsablePeer missing =
        new NoUsablePeer(new SyncWarning.GuardAbsent(FilterRole.SCRIPTS, A, true));
    String advice =
        Advice.of(new NoUsablePeerException(missing, "unused", REPORT, Optional.empty()));
    assertThat(advice)
        .startsWith("the guard that holds the wallet's scripts, a.example:1, cannot be reached")
        .contains("--replace-guard a.example:1 dismisses it)")
        .endsWith(". Progress is kept");
  }

  @ParameterizedTest
  @EnumSource
  void aWalletThatIsDamagedOrAPeerThatKnowsIsAdvisedOf(WalletException.Kind kind) {
    String expected =
        switch (kind) {
          case CORRUPT ->
              "/w is so. If it was a wallet, restore it from its words or from the output of"
                  + " `murmur export descriptor`, and sync again";
          case KNOWS_FILTER ->
              "/w is so; with --connect, name a peer that has no filter of this wallet"
                  + " (`murmur peers` lists those that have one)";
          case SEVERAL_NAMES ->
              "/w is so. `find FOLDER -samefile /w` finds the other name; `cp /w copy.sqlite && mv"
                  + " copy.sqlite /w` makes a file of its own";
          default -> "/w is so";
        };
    assertThat(Advice.of(WalletException.about("/w", kind, " is so"))).isEqualTo(expected);
  }
}
