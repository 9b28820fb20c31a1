package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.network.ConversationLog;

/**
 * The rules for every message under the private preset, over all processes of a client. Every sent
 * filter is frozen, no peer gets what is not meant for it, and nothing is requested because of a
 * find.
 */
final class GuardRules implements MessageRules {

  private final Economy economy;
  private final EqualTreatment treatment = new EqualTreatment();
  // Whether one peer may have both roles.
  private final boolean onePeer;
  // All filters ever written of each epoch, by role and number; and the epoch of given bytes.
  private final Map<FilterRole, Map<Integer, Bytes>> epochs = new EnumMap<>(FilterRole.class);
  private final Map<Bytes, FilterRole> roles = new HashMap<>();
  // Of each role the filter with the highest number, and the peers that last got a filter.
  private final Map<FilterRole, ServerFilter> newest = new EnumMap<>(FilterRole.class);
  private final Map<FilterRole, NodeAddress> last = new EnumMap<>(FilterRole.class);
  private final Map<FilterRole, Set<NodeAddress>> shown = new EnumMap<>(FilterRole.class);
  // All that the user ever gave up.
  private final Set<NodeAddress> dismissed = new HashSet<>();

  GuardRules(Economy economy, boolean onePeer) {
    this.economy = economy;
    this.onePeer = onePeer;
  }

  private Map<Integer, Bytes> epochsOf(FilterRole role) {
    return epochs.computeIfAbsent(role, r -> new HashMap<>());
  }

  private Set<NodeAddress> guardsOf(FilterRole role) {
    return shown.computeIfAbsent(role, r -> new LinkedHashSet<>());
  }

  @Override
  public void dismissed(NodeAddress guard) {
    dismissed.add(guard);
  }

  @Override
  public int guardsReplaced() {
    return dismissed.size();
  }

  @Override
  public int scriptEpochs() {
    return epochsOf(FilterRole.SCRIPTS).size();
  }

  @Override
  public boolean wasShownAnything(NodeAddress peer) {
    return shown.values().stream().anyMatch(peers -> peers.contains(peer));
  }

  /** The peers that last got a filter of each role. */
  Collection<NodeAddress> guards() {
    return last.values();
  }

  /** Whether the guards of some roles announce a transaction that they have. */
  boolean isTold(Tx tx, Set<FilterRole> roles) {
    for (Map.Entry<FilterRole, ServerFilter> filter : newest.entrySet()) {
      // Its flag is NONE: a match changes nothing.
      if (roles.contains(filter.getKey()) && filter.getValue().matchAndUpdate(tx)) {
        return true;
      }
    }
    return false;
  }

  /** A batch is on disk: an epoch is frozen from the first time on. */
  @Override
  public void written(CommitBatch batch) {
    for (Load load : batch.loads()) {
      if (!(load.content() instanceof Content.Epoch epoch)) {
        throw new AssertionError("a filter is no epoch: " + load.content());
      }
      Bytes bytes = load.filter().toPayload();
      Bytes before = epochsOf(epoch.role()).putIfAbsent(epoch.number(), bytes);
      require(
          before == null || before.equals(bytes),
          "epoch %d of %s is not what it was",
          epoch.number(),
          epoch.role());
      if (epoch.number() == epochsOf(epoch.role()).size() - 1) {
        newest.put(epoch.role(), new ServerFilter(load.filter()));
      }
      FilterRole other = roles.putIfAbsent(bytes, epoch.role());
      require(other == null || other == epoch.role(), "both roles have the same filter");
    }
  }

  @Override
  public void received(ConversationLog line, Message message, Instant now) {
    treatment.received(line, message, now);
  }

  @Override
  public void answered(ConversationLog line) {
    treatment.answered(line);
  }

  @Override
  public void dropped(ConversationLog line, DisconnectReason reason, String detail) {
    treatment.dropped(line, reason, detail);
  }

  @Override
  public void sent(ConversationLog line, Message message) {
    treatment.sent(line, message);
    if (message instanceof Message.Version version) {
      require(
          version.userAgent().equals(SyncSettings.USER_AGENT)
              && version.startHeight() == 0
              && !version.relay(),
          "the version message reveals more than it must: %s",
          version);
    } else if (message instanceof Message.FilterLoad load) {
      shown(line, load.filter());
    } else if (message instanceof Message.Mempool) {
      FilterRole role = line.shown == null ? null : roles.get(line.shown);
      // Once for each filter of that role: an answer under another filter may be lost.
      require(role != null && line.mempools.add(role), "%s is asked for its mempool", line);
    } else if (message instanceof Message.GetData ask) {
      asked(line, ask);
    } else if (message instanceof Message.Inv inv) {
      inv.items().forEach(item -> told(line, item.hash()));
    } else if (message instanceof Message.TxMessage handedOver) {
      told(line, handedOver.tx().txid());
    } else {
      require(
          !(message instanceof Message.FilterAdd) && !(message instanceof Message.FilterClear),
          "a filter is changed at %s",
          line);
    }
  }

  private void told(ConversationLog line, Hash256 txid) {
    require(!wasShownAnything(line.peer), "%s learned what the wallet sends", line);
    line.told.add(txid);
  }

  private void shown(ConversationLog line, BloomFilter filter) {
    NodeAddress peer = line.peer;
    FilterRole role = roles.get(filter.toPayload());
    require(role != null, "%s got a filter that is not on disk", line);
    require(
        filter.parameters().flag() == UpdateFlag.NONE && isOfAClass(filter),
        "%s got a filter of a unique size or flag: %s",
        line,
        filter);
    if (role == null) {
      return;
    }
    Set<NodeAddress> guards = guardsOf(role);
    guards.add(peer);
    Set<NodeAddress> kept = new HashSet<>(guards);
    kept.removeAll(dismissed);
    require(
        kept.size() <= 1 && !dismissed(line, role),
        "%s all got %s, and only %s were given up",
        guards,
        role,
        dismissed);
    for (FilterRole other : FilterRole.values()) {
      require(
          onePeer || other == role || !guardsOf(other).contains(peer),
          "%s got the filters of both roles",
          line);
    }
    require(line.told.isEmpty(), "%s is a guard, and learned what the wallet sends", line);
    last.put(role, peer);
    line.shown = filter.toPayload();
    line.mempools.remove(role);
  }

  /** Whether a peer gets a filter although it was given up, and another one took its role. */
  private boolean dismissed(ConversationLog line, FilterRole role) {
    Set<NodeAddress> kept = new HashSet<>(guardsOf(role));
    kept.removeAll(dismissed);
    return dismissed.contains(line.peer) && !kept.isEmpty();
  }

  private static boolean isOfAClass(BloomFilter filter) {
    return SizeClass.ALL.stream()
        .anyMatch(
            size ->
                size.bytes() == filter.parameters().bytes()
                    && size.hashFunctions() == filter.parameters().hashFunctions());
  }

  private void asked(ConversationLog line, Message.GetData ask) {
    Hash256 first = ask.items().get(0).hash();
    int kind = ask.items().get(0).type();
    for (InventoryItem item : ask.items()) {
      require(item.type() == kind, "%s is asked for different things at once", line);
    }
    if (kind == InventoryItem.FILTERED_BLOCK) {
      Bytes filter = line.shown;
      if (filter == null) {
        throw new AssertionError(line + " is asked for blocks and has no filter");
      }
      Hash256 last = ask.items().get(ask.items().size() - 1).hash();
      require(
          isOnGrid(first) || follows(first, line.asked.put(filter, last)),
          "%s is asked for blocks from %s on, which is neither on the grid nor the next one",
          line,
          economy.chain.heightOf(first));
      line.asked.put(filter, last);
      return;
    }
    require(
        kind == InventoryItem.TX || kind == InventoryItem.WITNESS_TX,
        "%s is asked for something of type %d",
        line,
        kind);
    for (InventoryItem item : ask.items()) {
      require(
          line.announced.contains(item.hash()) || isReceipt(line, item.hash()),
          "%s is asked by name for %s, which it did not announce",
          line,
          item.hash());
    }
  }

  /** A peer without a filter that knows a transaction from us is asked whether it accepted it. */
  private boolean isReceipt(ConversationLog line, Hash256 txid) {
    return line.told.contains(txid) && !wasShownAnything(line.peer);
  }

  private boolean isOnGrid(Hash256 hash) {
    Block block = economy.block(hash);
    // All worlds are lower than the second multiple of the grid.
    return block != null
        && economy.chain.blockAt(0).hash().equals(block.previous())
        && Preset.Private.GRID > economy.chain.height();
  }

  private boolean follows(Hash256 hash, @Nullable Hash256 last) {
    Block block = economy.block(hash);
    return block != null && last != null && block.previous().equals(last);
  }
}
