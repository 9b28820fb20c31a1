package org.murmur.lab.privacy.behaviour;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.base.ScriptType;
import org.bitcoinj.core.BlockChain;
import org.bitcoinj.core.Context;
import org.bitcoinj.core.NetworkParameters;
import org.bitcoinj.core.PeerAddress;
import org.bitcoinj.core.PeerGroup;
import org.bitcoinj.core.listeners.DownloadProgressTracker;
import org.bitcoinj.store.BlockStoreException;
import org.bitcoinj.store.MemoryBlockStore;
import org.bitcoinj.utils.Threading;
import org.bitcoinj.wallet.DeterministicSeed;
import org.bitcoinj.wallet.KeyChain;
import org.bitcoinj.wallet.Wallet;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.node.Behaviour;

/** The released bitcoinj, with its own PeerGroup, on a real socket to our embedded node. */
final class BitcoinjBehaviour implements WatchedClient {

  private static final NetworkParameters PARAMS = NetworkParameters.of(BitcoinNetwork.REGTEST);

  /** Long enough for a start on a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RegtestNode node;
  private final Signal bell = new Signal();
  private final Judge judge;
  private final Provocation provocation;
  private final Wallet wallet;
  private final BlockChain chain;
  private final Group group;

  /** Its peers, and a way to wait for their background jobs. */
  private static final class Group extends PeerGroup {

    Group(BlockChain chain) {
      super(BitcoinNetwork.REGTEST, chain);
    }

    /** Waits for its filter thread, which runs one job after another. */
    void awaitJobs() throws ExecutionException, InterruptedException, TimeoutException {
      executor.submit(() -> {}).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Connects and downloads the chain. */
  BitcoinjBehaviour(Dice dice, Behaviour behaviour) throws IOException, InterruptedException {
    node = RegtestNode.start(Chain.ofGenesis(), behaviour);
    judge = new Judge(node, bell);
    node.mine(Provocation.MATURITY + 60);
    provocation = new Provocation(node, dice);
    Context.propagate(new Context());
    DeterministicSeed seed =
        DeterministicSeed.ofEntropy(dice.bytes(16).toArray(), "", Instant.ofEpochSecond(1));
    wallet = Wallet.fromSeed(BitcoinNetwork.REGTEST, seed, ScriptType.P2WPKH);
    try {
      chain =
          new BlockChain(
              BitcoinNetwork.REGTEST, wallet, new MemoryBlockStore(PARAMS.getGenesisBlock()));
      chain.addNewBestBlockListener(Threading.SAME_THREAD, block -> bell.ring());
      group = new Group(chain);
      group.setUseLocalhostPeerWhenPossible(false);
      group.addWallet(wallet);
      group.addAddress(PeerAddress.simple(InetAddress.getLoopbackAddress(), node.port()));
      group.setMaxConnections(1);
      DownloadProgressTracker tracker = new DownloadProgressTracker();
      group.startBlockChainDownload(tracker);
      group.startAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      tracker.getFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (BlockStoreException | ExecutionException | TimeoutException e) {
      node.close();
      throw new IOException("bitcoinj does not sync", e);
    }
  }

  @Override
  public RegtestNode node() {
    return node;
  }

  @Override
  public Judge judge() {
    return judge;
  }

  @Override
  public Provocation provocation() {
    return provocation;
  }

  @Override
  public Bytes freshScript() {
    byte[] hash = wallet.freshKey(KeyChain.KeyPurpose.RECEIVE_FUNDS).getPubKeyHash();
    return OutputScripts.payToWitnessPubKeyHash(Bytes.of(hash));
  }

  @Override
  public void awaitTip() throws InterruptedException {
    if (!bell.await(
        LIMIT, () -> chain.getBestChainHeight() == node.height() || !judge.isConnected())) {
      throw new IllegalStateException(
          "bitcoinj is at block " + chain.getBestChainHeight() + ", not at " + node.height());
    }
  }

  @Override
  public boolean awaitThreads() throws InterruptedException, IOException {
    try {
      group.awaitJobs();
      return true;
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("bitcoinj does not come to an end", e);
    }
  }

  @Override
  public void close() {
    try {
      group.stopAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("bitcoinj does not stop", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      node.close();
    }
  }
}
