package org.murmur.lab.privacy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Network;
import org.murmur.regtest.Behaviour;
import org.murmur.regtest.Chain;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.NoUsablePeerException;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.SyncOptions;
import org.murmur.wallet.WalletEvent;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.keys.Descriptor;
import org.murmur.wallet.keys.Mnemonic;
import org.murmur.wallet.keys.ScriptType;

/**
 * Murmur's own wallet under the fast preset, following the tip of our embedded node. The rate is
 * higher than its default, at which nothing would match by chance.
 */
final class MurmurBehaviour implements WatchedClient {

  private static final Mnemonic WORDS =
      Mnemonic.parse(
          "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
              + " about");

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int LOOK_AHEAD = 100;
  private static final double RATE = 1e-3;

  private final RegtestNode node;
  private final Path folder;
  private final SpvWallet wallet;
  private final Descriptor receive;
  private final Thread syncing;
  private final AtomicInteger complete = new AtomicInteger(-1);
  private int nextKey;

  MurmurBehaviour(Behaviour behaviour) throws IOException, InterruptedException {
    node = RegtestNode.start(Chain.ofGenesis(), behaviour);
    node.mine(Provocation.MATURITY + 60);
    folder = Files.createTempDirectory("murmur-lab");
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(Network.REGTEST, WORDS, "", List.of(ScriptType.P2WPKH), 0)
            .withLookAhead(LOOK_AHEAD);
    receive = recipe.descriptors().get(0);
    try {
      wallet = SpvWallet.create(folder.resolve("wallet"), recipe);
    } catch (WalletException e) {
      throw new IOException(e);
    }
    syncing = new Thread(this::sync, "murmur-lab-follows");
    syncing.setDaemon(true);
    syncing.start();
    awaitTip();
  }

  private void sync() {
    SyncOptions options =
        SyncOptions.connect(node.address()).follow(true).mempoolWait(Duration.ZERO).rate(RATE);
    try {
      wallet.sync(options, this::heard);
    } catch (NoUsablePeerException e) {
      // It left the only peer there is, for a reason: the node sees that nobody is connected.
    } catch (WalletException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private void heard(WalletEvent event) {
    if (event instanceof WalletEvent.Complete now) {
      complete.set(now.height());
    }
  }

  @Override
  public RegtestNode node() {
    return node;
  }

  @Override
  public Bytes freshScript() {
    return receive.derive(nextKey++, 1).get(0).scriptPubKey();
  }

  @Override
  public void awaitTip() throws InterruptedException {
    if (!WatchedClient.await(LIMIT, () -> complete.get() == node.height() || !syncing.isAlive())) {
      throw new IllegalStateException(
          "Murmur is at block " + complete.get() + ", not at " + node.height());
    }
  }

  @Override
  public void close() {
    try {
      wallet.stop();
      syncing.join(LIMIT.toMillis());
      wallet.close();
      node.close();
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | WalletException e) {
      throw new IllegalStateException("the wallet cannot be put away", e);
    }
  }
}
