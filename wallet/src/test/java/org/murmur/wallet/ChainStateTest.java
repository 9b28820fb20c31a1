package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

@Timeout(60)
final class ChainStateTest {

  @TempDir Path folder = Path.of("");

  /** A node that has just begun knows nothing of the wallet, either. */
  @Test
  void aSyncOfAnEmptyChainIsNone() throws Exception {
    try (RegtestNode node = RegtestNode.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH))) {
      assertThat(wallet.chain().isNeverSynced()).isTrue();
      SyncReport empty = wallet.sync(SyncOptions.connect(node.address()), SyncListener.NONE);
      assertThat(empty.peers()).hasSize(1);
      assertThat(wallet.chain().isNeverSynced()).isTrue();
      assertThat(wallet.chain().complete()).isFalse();
      node.mine(1);
      assertThat(wallet.sync(SyncOptions.connect(node.address()), SyncListener.NONE).complete())
          .isTrue();
      assertThat(wallet.chain().isNeverSynced()).isFalse();
      assertThat(wallet.chain().complete()).isTrue();
    }
  }
}
