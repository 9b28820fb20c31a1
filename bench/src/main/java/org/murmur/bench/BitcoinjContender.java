package org.murmur.bench;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.bitcoinj.store.BlockStore;
import org.bitcoinj.store.MemoryBlockStore;
import org.bitcoinj.store.SPVBlockStore;
import org.bitcoinj.wallet.DeterministicSeed;
import org.bitcoinj.wallet.KeyChainGroupStructure;
import org.bitcoinj.wallet.Wallet;
import org.jspecify.annotations.Nullable;

/**
 * The released bitcoinj, the client to beat: its PeerGroup, a wallet of the same mnemonic, its
 * defaults.
 */
final class BitcoinjContender {

  private static final Duration LIMIT = Duration.ofMinutes(5);

  /**
   * The state at the end of a run.
   *
   * @param height the height of its chain
   * @param balance the wallet's balance in satoshi
   */
  record Ended(int height, long balance) {}

  private BitcoinjContender() {}

  /**
   * Runs once.
   *
   * @param port the node's port on loopback
   * @param height the node's height; the run ends there
   * @param headersOnly whether the birthday is after the last block, so that headers suffice
   * @param kept the folder of the chain and wallet to continue from, or null for a fresh start in
   *     memory
   */
  static Ended run(int port, int height, boolean headersOnly, @Nullable Path kept)
      throws Exception {
    // Without this its threads fail silently.
    Context.propagate(new Context());
    NetworkParameters params = NetworkParameters.of(BitcoinNetwork.REGTEST);
    Path file = kept == null ? null : kept.resolve("bitcoinj.wallet");
    Wallet wallet =
        file != null && Files.exists(file)
            ? Wallet.loadFromFile(file.toFile())
            : restore(headersOnly);
    BlockStore store =
        kept == null
            ? new MemoryBlockStore(params.getGenesisBlock())
            : new SPVBlockStore(params, kept.resolve("bitcoinj.chain").toFile());
    BlockChain chain = new BlockChain(BitcoinNetwork.REGTEST, wallet, store);
    sync(chain, wallet, port, height, headersOnly);
    Ended ended =
        new Ended(
            chain.getBestChainHeight(), wallet.getBalance(Wallet.BalanceType.ESTIMATED).value);
    if (file != null) {
      wallet.saveToFile(file.toFile());
    }
    store.close();
    return ended;
  }

  private static Wallet restore(boolean headersOnly) {
    Instant birthday =
        headersOnly ? Instant.now().plus(Duration.ofDays(30)) : Instant.ofEpochSecond(1);
    DeterministicSeed seed =
        DeterministicSeed.ofMnemonic(List.of(Contender.WORDS.split(" ")), "", birthday);
    return Wallet.fromSeed(
        BitcoinNetwork.REGTEST, seed, ScriptType.P2WPKH, KeyChainGroupStructure.BIP43);
  }

  private static void sync(
      BlockChain chain, Wallet wallet, int port, int height, boolean headersOnly) throws Exception {
    PeerGroup group = new PeerGroup(BitcoinNetwork.REGTEST, chain);
    group.setUseLocalhostPeerWhenPossible(false);
    group.addWallet(wallet);
    group.addAddress(PeerAddress.simple(InetAddress.getLoopbackAddress(), port));
    // Must follow the address, which raises this by one; the download starts with this many peers.
    group.setMaxConnections(1);
    CountDownLatch done = new CountDownLatch(1);
    if (chain.getBestChainHeight() >= height) {
      done.countDown();
    }
    chain.addNewBestBlockListener(
        Runnable::run,
        block -> {
          if (block.getHeight() >= height) {
            done.countDown();
          }
        });
    DownloadProgressTracker tracker = new DownloadProgressTracker();
    // Must precede the first peer: a late listener can miss it.
    group.startBlockChainDownload(tracker);
    group.startAsync().get(60, TimeUnit.SECONDS);
    if (!headersOnly) {
      tracker.getFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
    if (!done.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("bitcoinj was not done in " + LIMIT);
    }
    group.stopAsync().get(60, TimeUnit.SECONDS);
  }
}
