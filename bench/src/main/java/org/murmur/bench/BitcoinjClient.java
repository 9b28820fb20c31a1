package org.murmur.bench;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.base.ScriptType;
import org.bitcoinj.core.BlockChain;
import org.bitcoinj.core.Context;
import org.bitcoinj.core.NetworkParameters;
import org.bitcoinj.core.PeerAddress;
import org.bitcoinj.core.PeerGroup;
import org.bitcoinj.core.listeners.DownloadProgressTracker;
import org.bitcoinj.store.MemoryBlockStore;
import org.bitcoinj.wallet.DeterministicSeed;
import org.bitcoinj.wallet.KeyChainGroupStructure;
import org.bitcoinj.wallet.Wallet;

/**
 * The released bitcoinj as the one to beat: its PeerGroup, a wallet of the same words, its
 * defaults.
 */
final class BitcoinjClient {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /**
   * What a run ended with.
   *
   * @param height of its chain
   * @param balance in satoshi, as its wallet sees it
   */
  record Ended(int height, long balance) {}

  private BitcoinjClient() {}

  /**
   * Runs once.
   *
   * @param height the node's, at which it is done
   * @param words the wallet's
   * @param headersOnly whether the birthday lies behind the last block, so that headers are enough
   */
  static Ended run(String host, int port, int height, List<String> words, boolean headersOnly)
      throws Exception {
    // Without it its threads fail in silence.
    Context.propagate(new Context());
    NetworkParameters params = NetworkParameters.of(BitcoinNetwork.REGTEST);
    Instant birthday =
        headersOnly ? Instant.now().plus(Duration.ofDays(30)) : Instant.ofEpochSecond(1);
    DeterministicSeed seed = DeterministicSeed.ofMnemonic(words, "", birthday);
    Wallet wallet =
        Wallet.fromSeed(
            BitcoinNetwork.REGTEST, seed, ScriptType.P2WPKH, KeyChainGroupStructure.BIP43);
    BlockChain chain =
        new BlockChain(
            BitcoinNetwork.REGTEST, wallet, new MemoryBlockStore(params.getGenesisBlock()));
    PeerGroup group = new PeerGroup(BitcoinNetwork.REGTEST, chain);
    group.setUseLocalhostPeerWhenPossible(false);
    group.addWallet(wallet);
    group.addAddress(PeerAddress.simple(InetAddress.getByName(host), port));
    // After the address, which raises it by one; it waits for as many before it begins.
    group.setMaxConnections(1);
    CountDownLatch done = new CountDownLatch(1);
    chain.addNewBestBlockListener(
        Runnable::run,
        block -> {
          if (block.getHeight() >= height) {
            done.countDown();
          }
        });
    DownloadProgressTracker tracker = new DownloadProgressTracker();
    // Before the first peer is there: a listener that comes late can miss it.
    group.startBlockChainDownload(tracker);
    group.startAsync().get(60, TimeUnit.SECONDS);
    if (!headersOnly) {
      tracker.getFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
    if (!done.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("bitcoinj was not done in " + LIMIT);
    }
    Ended ended =
        new Ended(
            chain.getBestChainHeight(), wallet.getBalance(Wallet.BalanceType.ESTIMATED).value);
    group.stopAsync().get(60, TimeUnit.SECONDS);
    return ended;
  }
}
