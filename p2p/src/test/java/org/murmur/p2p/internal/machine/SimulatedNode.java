package org.murmur.p2p.internal.machine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;

/**
 * A node of a few lines for stories in virtual time: blocks, a mempool, and BIP-0037 as Core serves
 * it.
 */
public final class SimulatedNode {

  private static final long GENESIS_TIME = 1_600_000_000L;
  private static final int EASIEST_BITS = 0x207fffff;

  public record Block(Bytes header, Hash256 hash, List<Tx> transactions) {}

  /** Turns the headers of an honest node into those that this one sends. */
  public interface HeaderServing {
    @Nullable Headers serve(Message.GetHeaders ask, Headers honest);
  }

  public final HeaderChain chain;
  final Map<Hash256, Block> blocks;
  final Map<Hash256, Tx> mempool;
  // Transactions omitted from filtered blocks.
  Predicate<Tx> omits = tx -> false;
  // Transactions proven and never sent, unless requested by name.
  Predicate<Tx> withholds = tx -> false;
  // Treats every filter as one that does not change, whatever its flag.
  boolean addsNothing;
  boolean hidesWholeBlocks;
  boolean hidesFilteredBlocks;

  /** Which blocks are skipped. */
  enum Passing {
    NOT,
    UP,
    DOWN,
    /** Every second one, once. */
    SKIPPING
  }

  // The first block that it does not serve, whatever it announces.
  int lacksFrom = Integer.MAX_VALUE;
  // Serves one block more on each request from the first on, the lowest or the highest, and skips
  // all others.
  Passing passes = Passing.NOT;
  private int crept;
  private final Set<Integer> skipped = new HashSet<>();
  long services = Services.NETWORK | Services.BLOOM | Services.WITNESS;
  boolean answersPings = true;
  // Its clock is ahead of the machine's by this many seconds.
  long clockAhead;
  // The addresses it announces.
  List<NetworkAddress> knows = List.of();
  // Adds a transaction that no filter matches to every filtered block.
  boolean injects;
  // Sends its version message, and nothing else.
  boolean mute;
  // Its version message claims this many blocks more than it has.
  int boasts;
  // Sends a wrong proof with every second filtered block.
  boolean corrupts;
  // Stops answering on a link for good, without closing it, after this many filtered blocks.
  int stallsAfter = Integer.MAX_VALUE;
  private final Map<Integer, Integer> filteredBlocks = new HashMap<>();
  // Stops answering on a link for good, without closing it, in the middle of a block: before such a
  // matched transaction.
  Predicate<Tx> stopsBefore = tx -> false;
  // Spreads its announcements in time, so that the request for the mempool has no answer yet.
  boolean spreads;
  // Fetches what is announced to it, and accepts it.
  boolean takes;
  boolean accepts = true;
  // Changes headers before they are served; null for silence.
  public HeaderServing headersServed = (ask, honest) -> honest;
  private final Map<Integer, ServerFilter> filters = new HashMap<>();
  // The links whose version message asked for announcements.
  private final Set<Integer> relaying = new HashSet<>();
  // Core does not answer if nothing matches.
  boolean tellsEmptyMempool = true;
  private int coinbases;

  /** Its block filters, if it serves them. */
  final SimulatedFilters blockFilters = new SimulatedFilters(this);

  public SimulatedNode() {
    this(HeaderChain.ofGenesis(ChainParams.REGTEST), new HashMap<>(), new LinkedHashMap<>());
  }

  private SimulatedNode(HeaderChain chain, Map<Hash256, Block> blocks, Map<Hash256, Tx> mempool) {
    this.chain = chain;
    this.blocks = blocks;
    this.mempool = mempool;
  }

  /** Another node with the same chain at all times, for a different behaviour. */
  public SimulatedNode twin() {
    return new SimulatedNode(chain, blocks, mempool);
  }

  /** The same, with more services. */
  SimulatedNode twin(long more) {
    SimulatedNode twin = twin();
    twin.services |= more;
    return twin;
  }

  /** The same with a memory pool of its own. */
  SimulatedNode twinWithItsOwnPool() {
    return new SimulatedNode(chain, blocks, new LinkedHashMap<>());
  }

  /** A node with the same blocks that stays there until it catches up. */
  SimulatedNode follower() {
    SimulatedNode follower =
        new SimulatedNode(
            HeaderChain.ofGenesis(ChainParams.REGTEST), blocks, new LinkedHashMap<>());
    follower.catchUp(this);
    return follower;
  }

  /** Copies another node's chain. */
  void catchUp(SimulatedNode with) {
    for (int from = chain.height() + 1; from <= with.chain.height(); from += 2_000) {
      int to = Math.min(with.chain.height() + 1, from + 2_000);
      chain.connect(with.chain.headers(from, to), GENESIS_TIME + 600_000_000L);
    }
  }

  /** Mines a block on the tip. */
  public Block mine(List<Tx> transactions) {
    return mineOn(chain.tip(), chain.height(), transactions);
  }

  /** Mines a block anywhere; the chain decides what is active. */
  Block mineOn(Hash256 previous, int height, List<Tx> transactions) {
    long time = GENESIS_TIME + 600L * (height + 1) + (coinbases + 1) % 7;
    return mineDated(previous, time, transactions);
  }

  /** Mines a block anywhere, with any date: seconds since 1970. */
  public Block mineDated(Hash256 previous, long time, List<Tx> transactions) {
    List<Tx> all = new ArrayList<>();
    all.add(coinbase());
    all.addAll(transactions);
    Hash256 root = MerkleTree.root(all.stream().map(Tx::txid).toList());
    Bytes header = Bytes.EMPTY;
    for (int nonce = 0; ; nonce++) {
      header =
          new ByteWriter()
              .int32(0x20000000)
              .hash(previous)
              .hash(root)
              .int32((int) time)
              .int32(EASIEST_BITS)
              .int32(nonce)
              .toBytes();
      // The target is 7fffff with zeros behind it: one hash in 2^23 with a clear top bit is above.
      if (DoubleSha256.of(header).toDisplay().compareTo("7fffff") < 0) {
        break;
      }
    }
    Block block = new Block(header, DoubleSha256.of(header), all);
    blocks.put(block.hash(), block);
    chain.connect(Headers.ofStored(header), GENESIS_TIME + 600_000_000L);
    all.forEach(tx -> mempool.remove(tx.txid()));
    return block;
  }

  /** A block of the active chain. */
  Block block(int height) {
    return Objects.requireNonNull(blocks.get(chain.hashAt(height)));
  }

  private Tx coinbase() {
    return Tx.parse(
        new ByteWriter()
            .int32(1)
            .compactSize(1)
            .hash(Hash256.ZERO)
            .int32(-1)
            .varBytes(new ByteWriter().int32(coinbases++).toBytes())
            .int32(-1)
            .compactSize(1)
            .int64(50)
            .varBytes(Bytes.of(new byte[] {0x51}))
            .int32(0)
            .toBytes());
  }

  private static BloomFilter unchanging(BloomFilter loaded) {
    Bytes payload = loaded.toPayload();
    byte[] changed = payload.toArray();
    changed[changed.length - 1] = (byte) UpdateFlag.NONE.code();
    return BloomFilter.fromPayload(Bytes.wrap(changed));
  }

  private ServerFilter filter(Link link) {
    return Objects.requireNonNull(filters.get(link.id()), "no filter is loaded");
  }

  void forget(Link link) {
    filters.remove(link.id());
    relaying.remove(link.id());
  }

  /** Whether a peer wants to hear of a new transaction: its filter, if any, lets it through. */
  boolean matches(Link link, Tx tx) {
    ServerFilter filter = filters.get(link.id());
    return filter == null ? relaying.contains(link.id()) : filter.matchAndUpdate(tx);
  }

  /** What it answers to a version message, with its own one; Core's order. */
  Function<Message.Version, List<Message>> greets = own -> List.of(own, new Message.Verack());

  int protocol = 70_016;

  /** Answers one message, strictly in order. */
  List<Message> receive(Link link, Message message) {
    List<Message> answers = new ArrayList<>();
    if (message instanceof Message.Version version) {
      if (version.relay()) {
        relaying.add(link.id());
      }
      Message.Version own =
          new Message.Version(
              protocol,
              services,
              version.time() + clockAhead,
              ~version.nonce(),
              "/sim/",
              chain.height() + boasts,
              true);
      answers.addAll(greets.apply(own));
    } else if (mute || filteredBlocks.getOrDefault(link.id(), 0) >= stallsAfter) {
      return answers;
    } else if (message instanceof Message.GetAddr) {
      answers.add(new Message.Addr(knows));
    } else if (message instanceof Message.Ping ping) {
      if (answersPings) {
        answers.add(new Message.Pong(ping.nonce()));
      }
    } else if (message instanceof Message.GetHeaders ask) {
      if (ask.locator().isEmpty()) {
        // Core: the one header, and silence about unknown ones.
        int height = chain.heightOf(ask.stop());
        if (height >= 0) {
          answers.add(new Message.HeadersMessage(chain.headers(height, height + 1)));
        }
        return answers;
      }
      int from = chain.commonHeight(ask.locator()) + 1;
      int to = Math.min(chain.height() + 1, from + Headers.MAX_PER_MESSAGE);
      int stop = chain.heightOf(ask.stop());
      if (stop >= from && stop < to) {
        to = stop + 1;
      }
      Headers served = headersServed.serve(ask, from < to ? chain.headers(from, to) : Headers.NONE);
      if (served != null) {
        answers.add(new Message.HeadersMessage(served));
      }
    } else if (message instanceof Message.FilterLoad load) {
      filters.put(
          link.id(), new ServerFilter(addsNothing ? unchanging(load.filter()) : load.filter()));
    } else if (message instanceof Message.FilterAdd add) {
      filter(link).add(add.element());
    } else if (message instanceof Message.Mempool) {
      List<InventoryItem> items = new ArrayList<>();
      for (Tx tx : mempool.values()) {
        if (filter(link).matchAndUpdate(tx)) {
          items.add(new InventoryItem(InventoryItem.TX, tx.txid()));
        }
      }
      if (!spreads && (!items.isEmpty() || tellsEmptyMempool)) {
        answers.add(new Message.Inv(items));
      }
    } else if (message instanceof Message.Inv inv && takes) {
      List<InventoryItem> unknown = new ArrayList<>(inv.items());
      unknown.removeIf(item -> mempool.containsKey(item.hash()));
      if (!unknown.isEmpty()) {
        answers.add(new Message.GetData(unknown));
      }
    } else if (message instanceof Message.TxMessage handedOver && takes && accepts) {
      mempool.put(handedOver.tx().txid(), handedOver.tx());
    } else if (message instanceof Message.GetData ask) {
      ask.items().forEach(item -> serve(link, item, answers));
    } else {
      blockFilters.serve(message, answers);
    }
    return answers;
  }

  private boolean isCreptOver(int height) {
    return switch (passes) {
      case NOT -> false;
      case UP -> height > crept;
      case DOWN -> height <= chain.height() - crept;
      case SKIPPING -> height % 2 == 0 && skipped.add(height);
    };
  }

  private void serve(Link link, InventoryItem item, List<Message> answers) {
    if (item.type() == InventoryItem.BLOCK || item.type() == InventoryItem.WITNESS_BLOCK) {
      Block block = blocks.get(item.hash());
      if (block != null && !hidesWholeBlocks) {
        ByteWriter out = new ByteWriter().bytes(block.header());
        out.compactSize(block.transactions().size());
        block.transactions().forEach(tx -> out.bytes(tx.raw()));
        answers.add(new Message.BlockMessage(out.toBytes()));
      }
      return;
    }
    if (item.type() != InventoryItem.FILTERED_BLOCK) {
      Tx tx = mempool.get(item.hash());
      answers.add(tx == null ? new Message.NotFound(List.of(item)) : new Message.TxMessage(tx));
      return;
    }
    Block block = blocks.get(item.hash());
    ServerFilter filter = filters.get(link.id());
    int height = chain.heightOf(item.hash());
    crept += height == 1 ? 1 : 0;
    boolean lacking = height < 0 || height >= lacksFrom || isCreptOver(height);
    if (hidesFilteredBlocks || block == null || filter == null || lacking) {
      return;
    }
    if (filteredBlocks.getOrDefault(link.id(), 0) >= stallsAfter) {
      return;
    }
    filteredBlocks.merge(link.id(), 1, Integer::sum);
    BitSet matches = new BitSet();
    for (int i = 0; i < block.transactions().size(); i++) {
      Tx tx = block.transactions().get(i);
      matches.set(i, filter.matchAndUpdate(tx) && !omits.test(tx));
    }
    matches.set(0, injects || matches.get(0));
    List<Hash256> txids = new ArrayList<>(block.transactions().stream().map(Tx::txid).toList());
    if (corrupts && height % 2 == 1) {
      txids.set(0, Hash256.ZERO);
    }
    MerkleTree tree = MerkleTree.of(txids);
    answers.add(
        new Message.MerkleBlockMessage(MerkleBlock.of(block.header(), tree.prove(matches))));
    for (int i = matches.nextSetBit(0); i >= 0; i = matches.nextSetBit(i + 1)) {
      Tx tx = block.transactions().get(i);
      if (stopsBefore.test(tx)) {
        filteredBlocks.put(link.id(), stallsAfter);
        return;
      }
      if (!withholds.test(tx)) {
        answers.add(new Message.TxMessage(tx));
      }
    }
  }
}
