package org.murmur.fuzz;

import java.time.Duration;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/**
 * A {@linkplain DamagedWallet damaged wallet file}, synced with a node that is some blocks ahead:
 * the sync ends in its time, and with a report or an exception in words. What it finds may be
 * wrong, since the file was.
 */
public final class WalletSyncs {

  private static final RegtestNode NODE = node();

  /** No sync takes so long that is not stuck, on a busy machine either. */
  private static final Duration HANGING = Duration.ofMinutes(4);

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(20);

  private WalletSyncs() {}

  private static RegtestNode node() {
    RegtestNode node = RegtestNode.start(Seeds.walletsChain().chain());
    node.mine(3);
    return node;
  }

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    try (DamagedWallet damaged = new DamagedWallet(input)) {
      if (damaged.intact()) {
        Check.that(sync(damaged, HANGING), "the wallet as it was is not synced");
        return;
      }
      try {
        sync(damaged, LONG_ENOUGH);
      } catch (WalletException | NoUsablePeerException e) {
        damaged.checkWords(e);
      }
    }
  }

  private static boolean sync(DamagedWallet damaged, Duration most) throws NoUsablePeerException {
    try (SpvWallet wallet = SpvWallet.open(damaged.file())) {
      SyncOptions options =
          SyncOptions.connect(NODE.address())
              .limits(limits -> limits.time(most).mempoolWait(Duration.ofMillis(10)));
      boolean complete = wallet.sync(options, SyncListener.NONE).complete();
      wallet.balance();
      return complete;
    }
  }
}
