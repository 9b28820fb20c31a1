package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.ChainEvent;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.plan.WorldPlan;

/** Compares a client's claims of coverage with what was served to it. */
final class CoverageClaims {

  /** For clients without epochs: all keys, and coins too. */
  static final int EVERYTHING = Integer.MAX_VALUE;

  private final WorldPlan plan;
  private final Economy economy;
  private final Served served;
  private final ClientChain chain;
  private final ClientPreset.Duty duty;

  CoverageClaims(
      WorldPlan plan, Economy economy, Served served, ClientChain chain, ClientPreset.Duty duty) {
    this.plan = plan;
    this.economy = economy;
    this.served = served;
    this.chain = chain;
    this.duty = duty;
  }

  /**
   * Coverage never claims what no peer served. Up to a height, each block of the client's chain was
   * served by enough peers whose filters held two things: every script that a wallet with this gap
   * limit looks for, and every coin of its own. Under the private preset spent coins need not have
   * been looked for, nor, by a client that follows, elements that wait for its next tick: coins,
   * and keys of the next epoch.
   */
  void covered(Hash256 tip, int height, int birthday, int nodes, int most) {
    require(
        birthday <= WorldPlan.BASE_HEIGHT + plan.birthday(),
        "the birthday is said to be at height %d, but the wallet is paid from %d on",
        birthday,
        WorldPlan.BASE_HEIGHT + plan.birthday());
    List<Block> blocks = chain.to(tip);
    int last = Math.min(height, blocks.size() - 1);
    List<BitSet> begins = emptySets(last + 2);
    List<BitSet> ends = emptySets(last + 2);
    collect(blocks, last, birthday, most, begins, ends);
    BitSet wanted = new BitSet();
    for (int at = Math.max(1, birthday); at <= last; at++) {
      wanted.or(begins.get(at));
      BitSet missing = served.missing(wanted, blocks.get(at).hash(), nodes);
      require(
          missing.isEmpty(),
          "complete to %d is claimed, but element %s was looked for by fewer than %d at height %d",
          height,
          missing.isEmpty() ? "" : served.element(missing.nextSetBit(0)),
          nodes,
          at);
      wanted.andNot(ends.get(at));
    }
  }

  /** No block was served by fewer peers than the wallet claims. */
  void seenBy(Hash256 tip, TestedClient.Claims claims) {
    List<Block> blocks = chain.to(tip);
    int last = Math.min(claims.completeTo(), blocks.size() - 1);
    for (int at = Math.max(1, claims.birthday()); at <= last; at++) {
      int seen = served.seen(blocks.get(at).hash());
      require(
          seen >= claims.seenBy(),
          "every block is said to be seen by %d, but that at height %d was served by %d",
          claims.seenBy(),
          at,
          seen);
    }
  }

  private static List<BitSet> emptySets(int count) {
    List<BitSet> sets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sets.add(new BitSet());
    }
    return sets;
  }

  /** Notes the heights from and to which each element must be looked for. */
  private void collect(
      List<Block> blocks,
      int last,
      int birthday,
      int most,
      List<BitSet> begins,
      List<BitSet> ends) {
    Watched receive = new Watched(economy.receiveScripts());
    Watched change = new Watched(economy.changeScripts());
    List<Block> paying = blocks.subList(Math.min(WorldPlan.BASE_HEIGHT, last + 1), last + 1);
    boolean grown = true;
    while (grown) {
      // A script derived late may have been paid early: repeat until nothing is new.
      grown = false;
      for (Block block : paying) {
        for (ChainEvent event : economy.events(block)) {
          grown |= receive.paid(event);
          grown |= change.paid(event);
        }
      }
    }
    BitSet scripts = begins.get(Math.min(last + 1, Math.max(1, birthday)));
    receive.elements(scripts, most);
    change.elements(scripts, most);
    collectCoins(
        blocks,
        last,
        event -> most == EVERYTHING && (receive.knows(event) || change.knows(event)),
        begins,
        ends);
  }

  private void collectCoins(
      List<Block> blocks,
      int last,
      Predicate<ChainEvent> wanted,
      List<BitSet> begins,
      List<BitSet> ends) {
    Map<OutPoint, Integer> coins = new HashMap<>();
    Set<OutPoint> exempt = duty.spentToo() ? Set.of() : spent(blocks);
    for (int at = WorldPlan.BASE_HEIGHT; at <= last; at++) {
      for (ChainEvent event : economy.events(blocks.get(at))) {
        if (event.script() == null) {
          Integer coin = coins.remove(event.outPoint());
          if (coin != null) {
            ends.get(at).set(coin);
          }
        } else if (!exempt.contains(event.outPoint()) && wanted.test(event)) {
          int coin = served.number(event.outPoint().toBytes());
          coins.put(event.outPoint(), coin);
          begins.get(at).set(coin);
        }
      }
    }
  }

  private Set<OutPoint> spent(List<Block> blocks) {
    Set<OutPoint> spent = new HashSet<>();
    for (Block block : blocks.subList(WorldPlan.BASE_HEIGHT, blocks.size())) {
      for (ChainEvent event : economy.events(block)) {
        if (event.script() == null) {
          spent.add(event.outPoint());
        }
      }
    }
    return spent;
  }

  /** The scripts of one chain that a wallet must watch, given those that were paid. */
  private final class Watched {
    private final List<Bytes> scripts;
    private int count;
    private int last = -1;

    Watched(List<Bytes> scripts) {
      this.scripts = scripts;
      this.count = duty.first();
    }

    /** Handles a spend or output in a block; returns whether it moved the last paid script. */
    boolean paid(ChainEvent event) {
      int place = place(event);
      if (place <= last || place >= count) {
        return false;
      }
      last = place;
      count = Math.max(count, last + 1 + duty.beyond());
      return true;
    }

    boolean knows(ChainEvent event) {
      int place = place(event);
      return place >= 0 && place < count;
    }

    private int place(ChainEvent event) {
      Bytes script = event.script();
      return script == null ? -1 : economy.place(scripts, script);
    }

    void elements(BitSet numbers, int most) {
      for (int i = 0; i < Math.min(most, Math.min(count, scripts.size())); i++) {
        numbers.set(served.number(Economy.element(scripts.get(i))));
      }
    }
  }
}
