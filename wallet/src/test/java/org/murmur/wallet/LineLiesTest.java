package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.lies.LineMisdeed;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Peers that misbehave on encrypted connections, over real sockets. Each is dropped with a reason,
 * and the sync goes on with an honest node.
 */
@Timeout(180)
final class LineLiesTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(5).blocks(300).wallet(Lives.lively(RECIPE, 60)).build();
  private static final Behaviour NODE = Behaviour.honest().with(new EndsMempool());

  @TempDir Path folder = Path.of("");

  private static SyncOptions to(Encryption encryption, RegtestNode... nodes) {
    return SyncOptions.connect(Stream.of(nodes).map(RegtestNode::address).toArray(String[]::new))
        .peers(peers -> peers.encryption(encryption))
        .limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  @ParameterizedTest
  @CsvSource({
    "ENDLESS_GARBAGE, NO_NODE, garbage: has no end",
    "WRONG_TAG, DAMAGED, tag: does not fit",
    "OVERLONG_LENGTH, OVERSIZED, expected at most",
    "ONLY_DECOYS, CONNECT_TIMEOUT, no version message"
  })
  void theLiarIsDroppedAndTheSyncGoesOn(LineMisdeed misdeed, DisconnectReason reason, String words)
      throws Exception {
    try (RegtestNode liar = RegtestNode.start(BUILT.chain(), NODE.with(misdeed));
        SpvWallet alone = SpvWallet.create(folder.resolve("alone"), RECIPE)) {
      List<SyncEvent.PeerLost> lost = new ArrayList<>();
      assertThatThrownBy(() -> alone.sync(to(Encryption.PREFER, liar), event -> keep(event, lost)))
          .isInstanceOf(NoUsablePeerException.class);
      assertThat(lost)
          .isNotEmpty()
          .allSatisfy(
              end -> {
                assertThat(end.reason()).isEqualTo(reason);
                assertThat(end.detail()).contains(words);
              });
      try (RegtestNode honest = RegtestNode.start(BUILT.chain(), NODE);
          SpvWallet wallet = SpvWallet.create(folder.resolve("beside"), RECIPE)) {
        SyncOptions options = to(Encryption.PREFER, liar, honest);
        assertThat(wallet.sync(options, SyncListener.NONE).complete()).isTrue();
        Lives.assertTruth(wallet, honest, RECIPE);
      }
    }
  }

  private static void keep(SyncEvent event, List<SyncEvent.PeerLost> lost) {
    if (event instanceof SyncEvent.PeerLost end) {
      lost.add(end);
    }
  }

  /** Who can cut a line can make a client speak in the clear, unless that is forbidden. */
  @Test
  void aDowngradeIsSeenAndCanBeForbidden() throws Exception {
    Behaviour downgrades = NODE.with(LineMisdeed.HANGS_UP_AT_THE_KEY);
    try (RegtestNode liar = RegtestNode.start(BUILT.chain(), downgrades);
        RegtestNode honest = RegtestNode.start(BUILT.chain(), NODE);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      assertThatThrownBy(() -> wallet.sync(to(Encryption.ONLY, liar), SyncListener.NONE))
          .isInstanceOfSatisfying(
              NoUsablePeerException.class,
              e -> assertThat(e.obstacles()).containsValue(Obstacle.NOT_ENCRYPTED));
      SyncReport report = wallet.sync(to(Encryption.PREFER, liar, honest), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.peers())
          .filteredOn(SyncReport.Participant::encrypted)
          .extracting(SyncReport.Participant::address)
          .containsExactly(NodeAddress.parse(honest.address(), 1));
      Lives.assertTruth(wallet, honest, RECIPE);
    }
  }
}
