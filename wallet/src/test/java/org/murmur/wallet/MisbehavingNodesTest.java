package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.Misdeed;
import org.murmur.regtest.lies.StaleTip;
import org.murmur.regtest.lies.WrongHeader;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Every misdeed over a real socket, with an honest node: the balance is right, and the report names
 * each offender and its offence.
 */
@Timeout(180)
final class MisbehavingNodesTest {

  private static final int BLOCKS = 1_200;
  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(5)
          .blocks(BLOCKS)
          .transactionsPerBlock(3)
          .wallet(Lives.lively(RECIPE, 200))
          .build();

  // Slow enough for the liar to act.
  private static final Behaviour HONEST = Behaviour.honest().with(new EndsMempool()).limitedTo(600);

  @TempDir Path folder = Path.of("");

  private static Behaviour liar() {
    return Behaviour.honest().with(new EndsMempool()).withSeed(7);
  }

  private static final int ATTEMPTS = 20;

  static Stream<Arguments> misdeeds() {
    return Stream.of(
        Arguments.of(DisconnectReason.BAD_PROOF, liar().with(new WrongProofs(), 0.5)),
        Arguments.of(DisconnectReason.BAD_HEADERS, liar().with(new WrongHeader(900))),
        Arguments.of(DisconnectReason.NOT_MATCHING, liar().with(new Injects(1))),
        Arguments.of(DisconnectReason.NOT_MATCHING, liar().with(Misdeed.FOREIGN_TRANSACTIONS)),
        Arguments.of(DisconnectReason.UNASKED, liar().with(Misdeed.UNASKED_TRANSACTIONS)),
        Arguments.of(DisconnectReason.OVERSIZED, liar().with(Misdeed.OVERSIZED_MESSAGE)),
        Arguments.of(DisconnectReason.FLOODING, liar().with(Misdeed.ENDLESS_ANNOUNCEMENTS)),
        Arguments.of(DisconnectReason.FLOODING, liar().with(Misdeed.ENDLESS_ADDRESSES)),
        Arguments.of(DisconnectReason.FLOODING, liar().with(Misdeed.ENDLESS_PINGS)),
        Arguments.of(DisconnectReason.FLOODING, liar().with(Misdeed.ENDLESS_QUESTIONS)),
        Arguments.of(DisconnectReason.FLOODING, liar().with(Misdeed.ENDLESS_NOISE)),
        Arguments.of(DisconnectReason.STALE_TIP, liar().with(new StaleTip(BLOCKS - 200))),
        Arguments.of(DisconnectReason.PING_TIMEOUT, liar().with(Ignores.PINGS)));
  }

  private static SyncOptions to(RegtestNode... nodes) {
    return SyncOptions.connect(Stream.of(nodes).map(RegtestNode::address).toArray(String[]::new))
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2)));
  }

  private static Optional<String> misbehaviour(SyncReport report, RegtestNode node) {
    NodeAddress address = NodeAddress.parse(node.address(), 1);
    return report.peers().stream()
        .filter(peer -> peer.address().equals(address))
        .findFirst()
        .flatMap(SyncReport.Participant::misbehaviour);
  }

  @ParameterizedTest(name = "{0} {index}")
  @MethodSource("misdeeds")
  void theLiarIsNamedAndTheBalanceIsRight(DisconnectReason reason, Behaviour behaviour)
      throws Exception {
    // A sync takes half a second, and can end before a flood counts as one: then another wallet
    // tries.
    Optional<String> named = Optional.empty();
    for (int i = 0; i < ATTEMPTS && named.isEmpty(); i++) {
      try (RegtestNode liar = RegtestNode.start(BUILT.chain(), behaviour);
          RegtestNode honest = RegtestNode.start(BUILT.chain(), HONEST);
          SpvWallet wallet = SpvWallet.create(folder.resolve("w" + i), RECIPE)) {
        SyncReport report = wallet.sync(to(liar, honest), SyncListener.NONE);
        assertThat(report.complete()).isTrue();
        Lives.assertTruth(wallet, honest, RECIPE);
        assertThat(misbehaviour(report, honest)).isEmpty();
        named = misbehaviour(report, liar);
      }
    }
    assertThat(named).get().asString().startsWith(reason + ": ");
  }

  @Test
  void theLiarIsLeftAloneNextTimeUnlessItIsAllThereIs() throws Exception {
    Behaviour behaviour = liar().with(new WrongProofs());
    try (RegtestNode liar = RegtestNode.start(BUILT.chain(), behaviour);
        RegtestNode honest = RegtestNode.start(BUILT.chain(), HONEST);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      wallet.sync(to(liar, honest), SyncListener.NONE);
      SyncReport second = wallet.sync(to(liar, honest), SyncListener.NONE);
      assertThat(second.complete()).isTrue();
      assertThat(second.peers())
          .filteredOn(peer -> peer.problem().isEmpty())
          .extracting(SyncReport.Participant::address)
          .containsExactly(NodeAddress.parse(honest.address(), 1));
      assertThat(second.warnings())
          .singleElement()
          .isInstanceOfSatisfying(
              SyncWarning.PeerInBackOff.class,
              warning -> assertThat(warning.reason()).isEqualTo(DisconnectReason.BAD_PROOF));
      SyncReport third = wallet.sync(to(liar), SyncListener.NONE);
      assertThat(third.complete()).isTrue();
      assertThat(third.warnings())
          .singleElement()
          .asString()
          .contains("MisbehavedPeerCalled", "BAD_PROOF");
      Lives.assertTruth(wallet, honest, RECIPE);
    }
  }

  /**
   * Twenty bytes a second: no message takes so long that it counts as missing, but all of them do.
   */
  @Test
  @Tag("long")
  void aDrippingPeerIsNamedWithinAMinute() throws Exception {
    try (RegtestNode liar = RegtestNode.start(BUILT.chain(), liar().dripping(20));
        RegtestNode honest = RegtestNode.start(BUILT.chain(), HONEST);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      NodeAddress address = NodeAddress.parse(liar.address(), 1);
      SyncListener untilNamed =
          event -> {
            if (event instanceof SyncEvent.PeerLost lost && lost.address().equals(address)) {
              wallet.stop();
            }
          };
      SyncReport report = wallet.sync(to(liar, honest).follow(true), untilNamed);
      assertThat(misbehaviour(report, liar))
          .get()
          .asString()
          .containsAnyOf(DisconnectReason.SLOW.name(), DisconnectReason.STALLED.name());
      assertThat(misbehaviour(report, honest)).isEmpty();
      Lives.assertTruth(wallet, honest, RECIPE);
      assertThat(List.of(report.complete())).containsExactly(true);
    }
  }
}
