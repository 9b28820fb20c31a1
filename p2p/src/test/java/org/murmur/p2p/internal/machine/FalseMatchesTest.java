package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.gcs.SipHash;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Honest peers whose block filters match scripts that their blocks do not touch: one in 784,931 for
 * each script (BIP-0158). Here each block spends a foreign coin whose script looks like one of the
 * wallet's in the filter, so that the whole block has to decide. Nobody is ever accused.
 */
class FalseMatchesTest {

  /** Watched at first. */
  private static final int SCRIPTS = 2_000;

  private static final int BLOCKS = 50;

  @Test
  void accusesNobody() {
    run(2 * BLOCKS);
  }

  @Tag("long")
  @Test
  void accusesNobodyInTenThousandBlocks() {
    run(10_000);
  }

  private static void run(int blocks) {
    long first = new Random().nextInt(1_000_000);
    System.out.println("false matches with seed " + first);
    int met = 0;
    int decided = 0;
    long seed = first;
    while (met < blocks) {
      Life one = new Life(seed);
      try {
        one.live();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
      met += one.falseMatches.size();
      decided += one.asked.size();
      seed++;
    }
    System.out.println(
        ("false matches with seed %d: %d runs, %d blocks with false matches, all decided by whole"
                + " blocks, %d of which were fetched")
            .formatted(first, seed - first, met, decided));
  }

  /** A wallet, its peers and their chain. */
  private static final class Life {
    private final Payments payments = new Payments();
    private final SimulatedNode node = new SimulatedNode();
    private final SimulatedWallet wallet = new SimulatedWallet(10, SCRIPTS - 10);
    private final Map<OutPoint, Bytes> foreign = new HashMap<>();
    private final Set<Tx> ours = new HashSet<>();
    private final Map<OutPoint, Bytes> unspent = new HashMap<>();
    private final Set<Hash256> falseMatches = new HashSet<>();
    private final Set<Hash256> asked = new HashSet<>();
    private final Random dice;
    private final SimulatedWorld world;

    Life(long seed) {
      dice = new Random(seed);
      world = new SimulatedWorld(seed, wallet);
      node.blockFilters.foreign = foreign;
    }

    /** Two sessions with honest peers, blocks and a reorganisation between them. */
    private void live() {
      mine(BLOCKS / 2);
      Preset preset =
          dice.nextBoolean()
              ? Preset.Fast.USUAL.verify(1 + dice.nextInt(2)).filterPeers(1 + dice.nextInt(2))
              : Preset.Private.USUAL.onePeer(true).filterPeers(1 + dice.nextInt(2));
      List<NodeAddress> peers = new ArrayList<>();
      for (int i = 0; i < Math.max(preset.verify(), 1 + dice.nextInt(3)); i++) {
        peers.add(world.add(node.twin()));
      }
      for (int i = 0; i < preset.filterPeers() + dice.nextInt(2); i++) {
        SimulatedNode filters = node.twin();
        filters.blockFilters.foreign = foreign;
        filters.services = Services.NETWORK | Services.WITNESS | Services.COMPACT_FILTERS;
        peers.add(world.add(filters));
      }
      session(preset, peers);
      if (dice.nextBoolean()) {
        reorganise();
      }
      mine(BLOCKS - node.chain.height());
      session(preset, peers);
    }

    private void session(Preset preset, List<NodeAddress> peers) {
      world.events.clear();
      world.run(SyncSettings.of(peers, dice.nextInt()).preset(preset));
      assertThat(world.events)
          .noneMatch(
              event ->
                  event instanceof SyncEvent.PeerLost lost
                      && (lost.reason() == DisconnectReason.OMISSION
                          || lost.reason() == DisconnectReason.FALSE_FILTER));
      assertThat(wallet.disowned).isEmpty();
      assertThat(world.events).filteredOn(SyncFact.Complete.class::isInstance).hasSize(1);
      for (Message message : world.sent) {
        if (message instanceof Message.GetData get) {
          get.items().stream()
              .filter(item -> item.type() == InventoryItem.BLOCK)
              .forEach(item -> asked.add(item.hash()));
        }
      }
      // The witness met each of them.
      for (int height = 1; height <= node.chain.height(); height++) {
        assertThat(asked).contains(node.chain.hashAt(height));
      }
      Map<Hash256, Integer> expected = new HashMap<>();
      for (int height = 1; height <= node.chain.height(); height++) {
        for (Tx tx : node.block(height).transactions()) {
          if (ours.contains(tx)) {
            expected.put(tx.txid(), height);
          }
        }
      }
      assertThat(wallet.confirmed).isEqualTo(expected);
    }

    /** Blocks with payments and spends now and then, and a false match each. */
    private void mine(int blocks) {
      for (int i = 0; i < blocks; i++) {
        mineOn(node.chain.tip(), node.chain.height());
      }
    }

    private Hash256 mineOn(Hash256 previous, int height) {
      List<Tx> block = new ArrayList<>();
      Set<Bytes> touched = new HashSet<>();
      if (!unspent.isEmpty() && dice.nextInt(8) == 0) {
        OutPoint coin = List.copyOf(unspent.keySet()).get(dice.nextInt(unspent.size()));
        touched.add(unspent.remove(coin));
        block.add(Payments.tx(List.of(coin), List.of(Payments.FOREIGN)));
      }
      if (dice.nextInt(5) == 0) {
        // The last ones make the wallet derive more.
        int script = dice.nextInt(SCRIPTS);
        Tx payment = payments.pay(script);
        unspent.put(payment.outPoint(0), SimulatedWallet.script(script));
        touched.add(SimulatedWallet.script(script));
        block.add(payment);
      }
      ours.addAll(block);
      OutPoint coin = payments.foreignCoin();
      block.add(Payments.tx(List.of(coin), List.of(Payments.FOREIGN)));
      Hash256 mined = node.mineOn(previous, height, block).hash();
      foreign.put(coin, matching(mined, touched));
      falseMatches.add(mined);
      return mined;
    }

    /** A script that is no script of the wallet, and has the place of one in a block's filter. */
    private Bytes matching(Hash256 block, Set<Bytes> touched) {
      // Besides the touched scripts: the coinbase's, that of foreign outputs, and the new one.
      long range = (touched.size() + 3) * GolombCodedSet.Parameters.BASIC_M;
      SipHash hash = GolombCodedSet.Parameters.basic(block).hash();
      Set<Long> places = new HashSet<>();
      for (int i = 0; i < SCRIPTS; i++) {
        places.add(place(hash, range, SimulatedWallet.script(i)));
      }
      touched.forEach(script -> places.remove(place(hash, range, script)));
      while (true) {
        Bytes script = new ByteWriter().int64(dice.nextLong()).int64(dice.nextLong()).toBytes();
        if (places.contains(place(hash, range, script))) {
          return script;
        }
      }
    }

    private static long place(SipHash hash, long range, Bytes script) {
      long value = hash.hash(script.toArray());
      return Math.multiplyHigh(value, range) + (value < 0 ? range : 0);
    }

    /** A branch from two blocks below the tip, one block longer. */
    private void reorganise() {
      int fork = node.chain.height() - 2;
      unspent.clear();
      Hash256 on = node.chain.hashAt(fork);
      for (int height = fork; height < fork + 3; height++) {
        on = mineOn(on, height);
      }
      assertThat(node.chain.tip()).isEqualTo(on);
    }
  }
}
