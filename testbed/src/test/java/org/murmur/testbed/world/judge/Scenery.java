package org.murmur.testbed.world.judge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.network.SimNode;
import org.murmur.testbed.world.plan.WorldPlan;

/** A chain with a wallet's payments on it, for tests that play the client for the judge. */
public final class Scenery {

  static final int GAP = 6;

  final WorldPlan plan;
  final Economy economy;

  /** With peers of some kinds, where this many peers must serve each block. */
  Scenery(int verify, WorldPlan.Kind... kinds) {
    List<WorldPlan.Neighbour> peers =
        Stream.of(kinds).map(kind -> WorldPlan.neighbour(kind, new Dice(5))).toList();
    plan =
        new WorldPlan(
            7,
            peers,
            0,
            40,
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ZERO,
            0,
            List.of(),
            1.5,
            GAP,
            GAP,
            1,
            false,
            verify,
            1e-9,
            peers.size(),
            0,
            true,
            0,
            0,
            0,
            0,
            0,
            Duration.ZERO,
            0,
            false,
            0,
            0);
    economy = new Economy(plan, scripts(0), scripts(1), (unsigned, spent) -> unsigned);
  }

  private static List<Bytes> scripts(int chain) {
    return IntStream.range(0, 400)
        .mapToObj(
            i -> OutputScripts.sha256(OutputScripts.anyoneCanSpend(1_000_000 * (chain + 1) + i)))
        .map(hash -> OutputScripts.payToWitnessPubKeyHash(hash.slice(0, 20)))
        .toList();
  }

  static NodeAddress peer(int number) {
    return SimNode.address(number);
  }

  WorldPlan.Neighbour who(NodeAddress address) {
    return IntStream.range(0, plan.peers().size())
        .filter(i -> peer(i).equals(address))
        .mapToObj(i -> plan.peers().get(i))
        .findFirst()
        .orElseThrow();
  }

  /** The report of a wallet that knows all confirmed and pending transactions. */
  Holdings holdings() {
    WalletTruth truth = economy.truth();
    List<Holdings.Entry> entries = new ArrayList<>();
    for (WalletTruth.Entry entry : truth.transactions()) {
      @Nullable Hash256 block =
          entry.height() < 0 ? null : economy.chain.blockAt(entry.height()).hash();
      entries.add(new Holdings.Entry(entry.txid(), entry.height(), block, entry.netSat()));
    }
    Set<OutPoint> coins = new HashSet<>();
    long immature = 0;
    long all = 0;
    for (ChainCoin coin : truth.coins()) {
      coins.add(coin.outPoint());
      all += coin.value();
      // Core's wallet counts a coinbase when it is 101 deep.
      immature += coin.coinbase() && truth.height() - coin.height() < 100 ? coin.value() : 0;
    }
    return new Holdings(
        truth.height(),
        economy.chain.tip().hash(),
        all - immature,
        immature,
        truth.unconfirmedSat(),
        entries,
        coins);
  }

  /** The blocks that may concern the wallet. */
  List<Block> blocks() {
    return IntStream.rangeClosed(1, economy.chain.height())
        .mapToObj(economy.chain::blockAt)
        .toList();
  }

  /** All that a wallet may look for on this chain, by its bytes. */
  Set<Bytes> elements() {
    Set<Bytes> elements = new HashSet<>();
    economy.scripts().forEach(script -> elements.add(Economy.element(script)));
    for (Block block : blocks()) {
      economy.events(block).stream()
          .filter(event -> event.script() != null)
          .forEach(event -> elements.add(event.outPoint().toBytes()));
    }
    return elements;
  }

  static BloomFilter filter(Iterable<Bytes> elements) {
    BloomFilter.Builder builder =
        BloomFilter.builder(FilterParameters.of(1_200, 1e-9, 3, UpdateFlag.NONE, Rounding.CORE));
    elements.forEach(builder::add);
    return builder.build();
  }

  /** A batch that holds nothing but these. */
  public static CommitBatch batch(
      List<Load> loads, List<NodeAddress> disowned, List<CommitBatch.Mention> mentions) {
    return batch(loads, disowned, mentions, List.of());
  }

  private static CommitBatch batch(
      List<Load> loads,
      List<NodeAddress> disowned,
      List<CommitBatch.Mention> mentions,
      List<CommitBatch.Fetch> fetches) {
    return new CommitBatch(
        1,
        0,
        Headers.NONE,
        OptionalInt.empty(),
        loads,
        List.of(),
        List.of(),
        Integer.MAX_VALUE,
        disowned,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        AddressChanges.NONE,
        mentions,
        fetches,
        Folded.NOTHING,
        Set.of());
  }

  static CommitBatch loading(Load... loads) {
    return batch(List.of(loads), List.of(), List.of());
  }

  /** A peer is about to serve a whole block. */
  static CommitBatch fetching(NodeAddress peer, int height) {
    return batch(
        List.of(),
        List.of(),
        List.of(),
        List.of(new CommitBatch.Fetch(peer.canonical(), height, 0)));
  }

  /** The judge must object with this message. */
  static void assertBreach(String words, ThrowingCallable breach) {
    assertThatThrownBy(breach)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessageContaining(words);
  }
}
