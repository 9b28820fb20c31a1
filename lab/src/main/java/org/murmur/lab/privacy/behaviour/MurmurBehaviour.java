package org.murmur.lab.privacy.behaviour;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Murmur's own wallet, following the tip of our embedded nodes. The fast preset has one node. The
 * private preset has two: the first receives the scripts and the second the coins.
 */
final class MurmurBehaviour implements WatchedClient {

  private static final Mnemonic WORDS =
      Mnemonic.parse(
          "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
              + " about");

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The rate for the fast preset: at its real rate nothing would match by chance. */
  private static final double FAST_RATE = 1e-3;

  /** Mature coinbases at the start, in addition to one for each coin. */
  private static final int SPARE = 20;

  private final Signal bell = new Signal();
  private final List<RegtestNode> nodes = new ArrayList<>();
  private final List<Judge> judges = new ArrayList<>();
  private final Provocation provocation;
  private final Deque<OutPoint> coins = new ArrayDeque<>();
  private final Path folder;
  private final SpvWallet wallet;
  private final Descriptor receive;
  private final SyncOptions options;
  private final Thread syncing;
  private int nextKey;
  private volatile int complete = -1;
  private volatile boolean dropped;
  private volatile String farewell = "";
  private volatile boolean ended;

  static MurmurBehaviour fast(Dice dice, Behaviour behaviour)
      throws IOException, InterruptedException {
    return new MurmurBehaviour(dice, List.of(behaviour), 0);
  }

  /**
   * Starts a wallet with the private preset and two guards, and so many coins. The first node
   * receives scripts, and behaves as given; the second one is honest, and receives the coins.
   */
  static MurmurBehaviour guarded(Dice dice, Behaviour behaviour, int paid)
      throws IOException, InterruptedException {
    return new MurmurBehaviour(dice, List.of(behaviour, Behaviour.honest()), paid);
  }

  private MurmurBehaviour(Dice dice, List<Behaviour> behaviours, int paid)
      throws IOException, InterruptedException {
    Chain chain = Chain.ofGenesis();
    for (Behaviour behaviour : behaviours) {
      RegtestNode node = RegtestNode.start(chain, behaviour);
      nodes.add(node);
      judges.add(new Judge(node, bell));
    }
    // Each block spends one coinbase and adds another; minting coins of other owners spends
    // several.
    node().mine(Provocation.MATURITY + SPARE + paid);
    provocation = new Provocation(node(), dice);
    folder = Files.createTempDirectory("murmur-lab");
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(ChainParams.REGTEST, WORDS, "", List.of(OutputType.P2WPKH), 0);
    receive = recipe.descriptors().get(0);
    for (int i = 0; i < paid; i++) {
      coins.add(provocation.pay(freshScript()));
    }
    if (nodes.size() > 1) {
      // Starts right after a public tick, so that a short study sees none; a long one does.
      node().mine(Preset.Private.TICK - node().height() % Preset.Private.TICK);
    }
    String[] addresses = nodes.stream().map(RegtestNode::address).toArray(String[]::new);
    SyncOptions follow =
        SyncOptions.connect(addresses)
            .follow(true)
            .limits(limits -> limits.mempoolWait(Duration.ZERO));
    options =
        nodes.size() > 1
            ? follow.preset(Preset.Kind.PRIVATE)
            : follow.ifFast(fast -> fast.rate(FAST_RATE));
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
    try {
      wallet.sync(options, this::heard);
    } catch (NoUsablePeerException e) {
      // It disconnected its only peer for a reason: the node sees the disconnection.
    } catch (WalletException e) {
      throw new UncheckedIOException(new IOException(e));
    } finally {
      ended = true;
      bell.ring();
    }
  }

  private void heard(SyncEvent event) {
    if (event instanceof WalletEvent.Complete now) {
      complete = now.height();
    } else if (event instanceof SyncEvent.PeerLost lost) {
      dropped |= lost.misbehaviour().isPresent();
      farewell = ": " + lost.misbehaviour().orElse("left") + ", " + lost.detail();
    }
    bell.ring();
  }

  @Override
  public RegtestNode node() {
    return nodes.get(0);
  }

  @Override
  public Judge judge() {
    return judges.get(0);
  }

  Judge judgeOfCoins() {
    return judges.get(1);
  }

  @Override
  public Provocation provocation() {
    return provocation;
  }

  @Override
  public Bytes freshScript() {
    return receive.derive(nextKey++, 1).get(0).scriptPubKey();
  }

  /** The next of the wallet's initial coins, each once. */
  OutPoint nextCoin() {
    return coins.remove();
  }

  @Override
  public void awaitTip() throws InterruptedException {
    int tip = node().height();
    if (!bell.await(LIMIT, () -> complete == tip || dropped || ended)) {
      throw new IllegalStateException("Murmur is at block " + complete + ", not at " + tip);
    }
  }

  @Override
  public String farewell() {
    return farewell;
  }

  /** The sending thread reports completion after everything is on disk: nothing is left to do. */
  @Override
  public boolean awaitThreads() {
    return false;
  }

  @Override
  public void close() {
    try {
      wallet.stop();
      syncing.join(LIMIT.toMillis());
      wallet.close();
      nodes.forEach(RegtestNode::close);
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
