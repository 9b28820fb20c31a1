package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.network.ConversationLog;
import org.murmur.testbed.world.network.SimNode;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * The compact preset: no peer learns a script. Which scripts a filter was tested for cannot be seen
 * from outside, so the wallet that calls itself complete must hold every payment itself.
 */
public final class CompactPreset implements ClientPreset {

  private final WorldPlan plan;
  private final Economy economy;
  private final Preset.Pool pool;
  private final Rules rules = new Rules();

  public CompactPreset(WorldPlan plan, Economy economy) {
    this(plan, economy, pool(plan));
  }

  CompactPreset(WorldPlan plan, Economy economy, Preset.Pool pool) {
    this.plan = plan;
    this.economy = economy;
    this.pool = pool;
  }

  /** That of an honest peer under every eighth seed: the user's own node. */
  private static Preset.Pool pool(WorldPlan plan) {
    if (plan.seed() % 8 != 1) {
      return plan.seed() % 2 == 0 ? Preset.Pool.ALL : Preset.Pool.NONE;
    }
    int own = 0;
    while (plan.peers().get(own).kind() != WorldPlan.Kind.HONEST) {
      own++;
    }
    return Preset.Pool.of(SimNode.address(own));
  }

  @Override
  public MessageRules rules() {
    return rules;
  }

  @Override
  public SyncSettings settings(SyncSettings common, Set<NodeAddress> dismissed) {
    return common.preset(new Preset.Compact(plan.verify(), pool));
  }

  /** Every transaction that pays a script within the gap limit, or spends such a coin, is there. */
  @Override
  public void whenComplete(Holdings holdings, List<Block> chain, int from, int to) {
    rules.knowsAll = true;
    Map<Hash256, Integer> held = new HashMap<>();
    holdings.transactions().forEach(entry -> held.put(entry.txid(), entry.height()));
    int last = Math.min(to, chain.size() - 1);
    Set<Bytes> known = known(chain.subList(0, last + 1));
    Set<OutPoint> coins = new HashSet<>();
    for (int at = Math.max(from, WorldPlan.BASE_HEIGHT); at <= last; at++) {
      for (Tx tx : chain.get(at).transactions()) {
        boolean mine = tx.inputs().stream().anyMatch(input -> coins.contains(input.outPoint()));
        for (int i = 0; i < tx.outputs().size(); i++) {
          if (known.contains(tx.outputs().get(i).script())) {
            coins.add(tx.outPoint(i));
            mine = true;
          }
        }
        require(
            !mine || held.getOrDefault(tx.txid(), -1) == at,
            "complete to %d is claimed, but %s at height %d is missing",
            to,
            tx.txid(),
            at);
      }
    }
  }

  /** The scripts that a wallet with this gap limit derives, given the blocks of its chain. */
  private Set<Bytes> known(List<Block> chain) {
    Set<Bytes> paid = new HashSet<>();
    for (Block block : chain.subList(Math.min(chain.size(), WorldPlan.BASE_HEIGHT), chain.size())) {
      for (Tx tx : block.transactions()) {
        tx.outputs().forEach(output -> paid.add(output.script()));
      }
    }
    Set<Bytes> known = new HashSet<>();
    for (List<Bytes> scripts : List.of(economy.receiveScripts(), economy.changeScripts())) {
      int end = plan.gap();
      for (int i = 0; i < Math.min(end, scripts.size()); i++) {
        known.add(scripts.get(i));
        end = paid.contains(scripts.get(i)) ? Math.max(end, i + 1 + plan.gap()) : end;
      }
    }
    return known;
  }

  @Override
  public void atEnd(
      ProcessEvents heard, Holdings holdings, Function<NodeAddress, WorldPlan.Neighbour> who) {
    BooksCheck.equalsTruth(holdings, economy.truth(), economy.chain.tip().hash(), false);
    rules.begins(holdings);
  }

  /**
   * Nothing is sent that could say a script or a coin, except to the node whose pool is asked. A
   * block is requested only once it is on disk that this peer learns of it.
   */
  private final class Rules implements MessageRules {

    private final Map<NodeAddress, Set<Integer>> fetches = new HashMap<>();
    // The unconfirmed transactions that the running process got, and after how many batches.
    private final Map<Hash256, Integer> heard = new HashMap<>();
    private int batches;
    // Whether it has read all blocks: else it does not know all coins, or all scripts in use.
    private boolean knowsAll;
    // The user's payments that were handed over; the user may have abandoned them.
    private final Set<Hash256> own = new HashSet<>();

    @Override
    public boolean hearsAll() {
      return pool.all();
    }

    /**
     * A process that had read all blocks has written all that is the wallet's, except perhaps at
     * its end: a spend of a coin that the last batch brought.
     */
    @Override
    public void begins(Holdings holdings) {
      if (knowsAll) {
        requireHeard(holdings);
      }
      lost();
    }

    private void requireHeard(Holdings holdings) {
      heard.values().removeIf(at -> at > batches - 2);
      heard.keySet().removeAll(own);
      holdings.transactions().forEach(entry -> heard.remove(entry.txid()));
      for (WalletTruth.Entry entry : economy.truth().transactions()) {
        require(
            !heard.containsKey(entry.txid()), "the client got %s, and has it not", entry.txid());
      }
    }

    @Override
    public void lost() {
      heard.clear();
      knowsAll = false;
    }

    @Override
    public void received(ConversationLog line, Message message, Instant now) {
      if (message instanceof Message.TxMessage tx) {
        heard.putIfAbsent(tx.tx().txid(), batches);
      }
    }

    @Override
    public void written(CommitBatch batch) {
      batches++;
      knowsAll &= batch.connected().isEmpty();
      for (CommitBatch.Fetch fetch : batch.fetches()) {
        fetches.computeIfAbsent(fetch.peer(), peer -> new HashSet<>()).add(fetch.height());
      }
    }

    @Override
    public void sent(ConversationLog line, Message message) {
      boolean tells =
          message instanceof Message.FilterLoad
              || message instanceof Message.FilterAdd
              || message instanceof Message.Mempool;
      boolean mayTell = pool.node().equals(Optional.of(line.peer));
      require(mayTell || !tells, "%s gets %s under the compact preset", line, message);
      if (message instanceof Message.TxMessage payment) {
        own.add(payment.tx().txid());
      } else if (message instanceof Message.GetData ask) {
        ask.items().forEach(item -> asked(line, item));
      }
    }

    private void asked(ConversationLog line, InventoryItem item) {
      int kind = item.type() & 0xffff;
      require(
          kind != InventoryItem.FILTERED_BLOCK,
          "%s is asked for a filtered block under the compact preset",
          line);
      require(
          kind != InventoryItem.BLOCK
              || fetches
                  .getOrDefault(line.peer.canonical(), Set.of())
                  .contains(heightOf(item.hash())),
          "%s is asked for block %s before that is on disk",
          line,
          item.hash());
    }

    private int heightOf(Hash256 hash) {
      int height = -1;
      for (Block at = economy.block(hash); at != null; at = economy.block(at.previous())) {
        height++;
      }
      return height;
    }
  }
}
