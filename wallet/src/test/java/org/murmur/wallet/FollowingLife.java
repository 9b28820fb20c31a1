package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;

/**
 * A session that follows a real node through payments, replacements, reorganisations and restarts:
 * its events alone, folded by a pure function, are the node's own wallet after every block.
 */
abstract class FollowingLife {

  // There is no assertion about time: this ends a test that would wait for ever. Failures without
  // any sign on the wire are noticed within ten minutes.
  static final long PATIENCE_SECONDS = 660;

  // How often the test prints what it waits for.
  private static final long LOOK_SECONDS = 20;

  @TempDir Path folder = Path.of("");

  boolean asksPool;
  // Whether the node is asked what is pending, so that a payment it forgot is missed.
  private boolean asks;
  private final BlockingQueue<SyncEvent> queue = new LinkedBlockingQueue<>();
  private final List<SyncEvent> events = new ArrayList<>();
  private WalletCopy copy = WalletCopy.EMPTY;

  void follow(long seed, int blocks, Preset.Kind preset) throws Exception {
    System.out.println("following a life with seed " + seed + " for " + blocks + " blocks");
    asks = asksPool || preset == Preset.Kind.FAST;
    try (Bitcoind node =
        Bitcoind.setup().arguments("-blockfilterindex=1", "-peerblockfilters=1").start()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
      Path file = folder.resolve("wallet.sqlite");
      try (SpvWallet wallet = SpvWallet.create(file, Oracle.recipe(life.words()))) {
        CompletableFuture<SyncReport> following =
            CompletableFuture.supplyAsync(() -> follow(wallet, node, preset));
        for (int block = 1; block <= blocks; block++) {
          life.live(1);
          awaitAgreement("seed " + seed + ", block " + block, life.current());
          if (asks && block % (blocks / 4) == 0 && block < blocks) {
            node.restart();
            life.resume();
            awaitPool(node);
            awaitAgreement("seed " + seed + ", restart at " + block, life.current());
          }
        }
        ExpectedWallet expected = life.settle();
        awaitAgreement("seed " + seed + ", end", expected);
        wallet.stop();
        SyncReport report = following.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Map<String, String> theirs = WalletCopy.words(expected);
        assertThat(counting(WalletCopy.fold(events).words(), theirs))
            .isEqualTo(counting(theirs, theirs));
        String what = "seed " + seed + " " + life.happened();
        if (asks) {
          Oracle.assertSame(what, file, report, expected);
        } else {
          Oracle.assertSameConfirmed(what, file, report, expected);
        }
        assertNothingVanished(wallet);
        System.out.println(counts() + " of " + life.happened());
        System.out.println(report.warnings());
        assertThat(report.peers()).allMatch(peer -> !peer.misbehaviour().isPresent());
      }
    }
  }

  SyncReport follow(SpvWallet wallet, Bitcoind node, Preset.Kind preset) {
    try {
      SyncOptions options = SyncOptions.connect("127.0.0.1:" + node.p2pPort()).preset(preset);
      Preset.Pool own = Preset.Pool.of(new NodeAddress("127.0.0.1", node.p2pPort()));
      return wallet.sync(
          (asksPool ? options.pool(own) : options).follow(true),
          event -> {
            if (!(event instanceof SyncEvent.Progress)) {
              queue.add(event);
            }
          });
    } catch (WalletException | NoUsablePeerException e) {
      throw new IllegalStateException(e);
    }
  }

  private void take(SyncEvent event) {
    events.add(event);
    copy = copy.after(event);
  }

  private void awaitAgreement(String what, ExpectedWallet expected) throws InterruptedException {
    Map<String, String> theirs = WalletCopy.words(expected);
    long quiet = 0;
    while (!counting(copy.words(), theirs).equals(counting(theirs, theirs))) {
      SyncEvent event = queue.poll(LOOK_SECONDS, TimeUnit.SECONDS);
      if (event != null) {
        take(event);
        quiet = 0;
        continue;
      }
      quiet += LOOK_SECONDS;
      System.out.println(what + ", nothing for " + quiet + " s: " + difference(theirs));
      if (quiet >= PATIENCE_SECONDS) {
        assertThat(counting(copy.words(), theirs))
            .as("%s, after %s", what, lastEvents())
            .isEqualTo(counting(theirs, theirs));
      }
    }
  }

  /** Without what is pending here alone, if nobody was asked for it. */
  private Map<String, String> counting(Map<String, String> words, Map<String, String> theirs) {
    Map<String, String> counting = new TreeMap<>(words);
    if (!asks) {
      counting
          .entrySet()
          .removeIf(
              one -> one.getValue().startsWith("pending") && !theirs.containsKey(one.getKey()));
      counting.computeIfPresent(
          "balance", (key, balance) -> balance.replaceFirst("unconfirmed=-?\\d+", ""));
    }
    return counting;
  }

  private String difference(Map<String, String> theirs) {
    Map<String, String> ours = new TreeMap<>(copy.words());
    Map<String, String> missing = new TreeMap<>(theirs);
    missing.entrySet().removeAll(ours.entrySet());
    ours.entrySet().removeAll(theirs.entrySet());
    return "only here " + ours + ", only there " + missing;
  }

  private List<SyncEvent> lastEvents() {
    return events.subList(Math.max(0, events.size() - 12), events.size());
  }

  /** A restarted node loads its memory pool while it answers already. */
  private static void awaitPool(Bitcoind node) {
    while (!node.rpc().call("getmempoolinfo").path("loaded").asBoolean()) {
      Thread.onSpinWait();
    }
  }

  /** A transaction that no longer counts is still listed, with the reason. */
  private void assertNothingVanished(SpvWallet wallet) {
    Map<String, HistoryEntry> full = new HashMap<>();
    wallet.history().full().list().forEach(entry -> full.put(entry.txid().toString(), entry));
    for (SyncEvent event : events) {
      if (event instanceof WalletEvent.Payment seen && seen.change() == Change.SEEN) {
        assertThat(full).containsKey(seen.entry().txid().toString());
      }
    }
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    events.forEach(event -> counts.merge(event.getClass().getSimpleName(), 1, Integer::sum));
    return counts;
  }

  <T extends SyncEvent> T await(Class<T> kind, Predicate<T> which) throws InterruptedException {
    while (true) {
      SyncEvent event = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("waiting for " + kind.getSimpleName() + " after " + events);
      }
      take(event);
      if (kind.isInstance(event) && which.test(kind.cast(event))) {
        return kind.cast(event);
      }
    }
  }
}
