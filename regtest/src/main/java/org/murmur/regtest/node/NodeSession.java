package org.murmur.regtest.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;

/**
 * The node's side of one connection: messages and events in, messages out, no socket, clock or
 * thread.
 *
 * <p>Hand it what arrives with {@link #receive}, {@link #chainChanged} and {@link
 * #transactionAccepted}, then call {@link #next} until it says {@link Idle} (call again after the
 * next input), {@link WaitUntil} (or at that time) or {@link Close}. Answers are made one at a
 * time, on demand, so a request for 50,000 blocks costs no memory. Messages are processed strictly
 * in order, as in Core: a request after a {@code filterload} is served under that filter.
 *
 * <p>Times are nanoseconds of any clock that does not go back, such as {@link System#nanoTime}.
 * Belongs to one thread.
 */
public final class NodeSession {

  public static final int PROTOCOL = 70016;

  /** Most hashes of an answer to {@code getblocks} (Core sends 500). */
  private static final int MAX_BLOCK_HASHES = 500;

  /** Most entries of an {@code inv} or {@code getdata} (MAX_INV_SZ). */
  private static final int MAX_INVENTORY = 50_000;

  /** Most headers by which new blocks are announced (MAX_BLOCKS_TO_ANNOUNCE). */
  private static final int MAX_ANNOUNCED_HEADERS = 8;

  /** The announced version of compact blocks (BIP-0152 with witness); none is sent. */
  private static final long COMPACT_BLOCKS = 2;

  /** How deep a pruned node serves blocks: BIP-0159's 288, and two for a race. */
  private static final int MAX_PRUNED_DEPTH = 290;

  /** How much older than the tip a historical block is (Core's HISTORICAL_BLOCK_AGE): a week. */
  private static final long HISTORICAL_SECONDS = 7 * 24 * 60 * 60;

  private static final int COMPACT_BLOCKS_PROTOCOL = 70014;
  private static final int FEE_FILTER_PROTOCOL = 70013;

  /** How far a rate limit may be behind and catch up, in nanoseconds: timers are not exact. */
  private static final long CATCH_UP = 20_000_000;

  /** The next step for the owner of the session. */
  public sealed interface Step {}

  /** Send a message. */
  public record Send(Message message) implements Step {}

  /**
   * Come back at a time, in nanoseconds of the same clock as the inputs, or after the next input.
   */
  public record WaitUntil(long nanos) implements Step {}

  /** Come back after the next input. */
  public record Idle() implements Step {}

  /** Close the connection, for a reason for logs and tests. */
  public record Close(String reason) implements Step {}

  private sealed interface News {}

  private record NewBlocks(Hash256 parent, int count) implements News {}

  private record NewTransaction(Tx tx) implements News {}

  private record Timed<T>(T what, long from) {}

  private static final Idle IDLE = new Idle();

  private final Chain chain;
  private final Mempool mempool;
  private final Behaviour behaviour;
  private final String userAgent;
  private final long nonce;
  private final Supplier<List<NetworkAddress>> addresses;

  private final Deque<Timed<Message>> inbox = new ArrayDeque<>();
  private final Deque<Timed<News>> news = new ArrayDeque<>();
  private final Deque<Message> outbox = new ArrayDeque<>();
  private final Deque<Message.Ping> pings = new ArrayDeque<>();
  private final Mask mask;
  private final BlockMatcher matcher = new BlockMatcher();
  private final TxRelay relay;
  private final @Nullable FilterService filters; // null without NODE_COMPACT_FILTERS

  private Iterator<InventoryItem> requested = Collections.emptyIterator();
  private @Nullable InventoryItem held;
  private final List<InventoryItem> missing = new ArrayList<>();
  private @Nullable ServerFilter filter;
  private long filterChanges;
  private boolean versionSeen;
  private int peerProtocol;
  private boolean shookHands;
  private boolean wantsAddrV2;
  private boolean prefersHeaders;
  // The height up to which the peer has the active chain's headers, as far as this side can know.
  private int headersKnown = -1;
  private @Nullable Hash256 continuation;
  private @Nullable String closed;
  private int sent;
  private long nextFilteredBlock = Long.MIN_VALUE;
  private long nextSend = Long.MIN_VALUE;
  // The message that was answered last, as long as masks may add to the answer.
  private @Nullable Message answered;
  private long now;

  /**
   * Makes the session of a connection that a peer has opened. The user agent is in the style of
   * BIP-0014; by the nonce a node recognises itself.
   */
  public NodeSession(
      Chain chain, Mempool mempool, Behaviour behaviour, String userAgent, long nonce) {
    this(chain, mempool, behaviour, userAgent, nonce, List::of);
  }

  /**
   * Makes the session of a connection that a peer has opened, to a node that answers {@code
   * getaddr} with at most 1,000 addresses.
   */
  public NodeSession(
      Chain chain,
      Mempool mempool,
      Behaviour behaviour,
      String userAgent,
      long nonce,
      Supplier<List<NetworkAddress>> addresses) {
    this.addresses = addresses;
    this.chain = chain;
    this.mempool = mempool;
    this.behaviour = behaviour;
    this.mask = new Masks(behaviour, chain);
    this.userAgent = userAgent;
    this.nonce = nonce;
    this.relay = new TxRelay(mempool, behaviour, nonce);
    this.filters =
        behaviour.servesCompactFilters()
            ? new FilterService(chain.filters(), mask.filters(chain.filters()))
            : null;
  }

  public void receive(Message message, long nanos) {
    inbox.add(new Timed<>(message, nanos + behaviour.roundTripNanos()));
  }

  /** Handles blocks that have become active, the lowest first. */
  public void chainChanged(List<Block> connected, long nanos) {
    if (!connected.isEmpty()) {
      News blocks = new NewBlocks(connected.get(0).previous(), connected.size());
      news.add(new Timed<>(blocks, nanos + behaviour.roundTripNanos() / 2));
    }
  }

  /** Handles a new unconfirmed transaction of any source. */
  public void transactionAccepted(Tx tx, long nanos) {
    news.add(new Timed<>(new NewTransaction(tx), nanos + behaviour.roundTripNanos() / 2));
  }

  /** Pings the peer, once its requests until now are served. */
  public void ping(long nonce) {
    pings.add(new Message.Ping(nonce));
  }

  public Step next(long nanos) {
    now = nanos;
    while (true) {
      if (closed != null) {
        return new Close(closed);
      }
      if (!outbox.isEmpty()) {
        return send();
      }
      Step step = progress();
      if (step != null) {
        return step;
      }
    }
  }

  /**
   * Returns the server-side filter of the peer, with the outpoints that the node has added, for
   * reading only; null while none is loaded.
   */
  public @Nullable ServerFilter filter() {
    return filter;
  }

  /** Returns a number that changes whenever {@link #filter} changes. */
  public long filterVersion() {
    // A node adds fewer outpoints than this between two loads.
    return (filterChanges << 32) + (filter == null ? 0 : filter.outPointsAdded());
  }

  private Step send() {
    if (sent >= behaviour.dropAfterMessages()) {
      return close("dropped after " + sent + " messages");
    }
    if (behaviour.pauseNanos() > 0) {
      if (sent == 0 && nextSend == Long.MIN_VALUE) {
        nextSend = now + behaviour.pauseNanos();
      }
      if (now < nextSend) {
        return new WaitUntil(nextSend);
      }
      nextSend = now + behaviour.pauseNanos();
    }
    sent++;
    return new Send(outbox.remove());
  }

  /** Does one piece of work; returns a step only when there is no work left for now. */
  private @Nullable Step progress() {
    if (shookHands && isDue(news)) {
      tell(news.remove().what());
      return null;
    }
    if (shookHands && relay.due() <= now) {
      relay.speak(now, this::concerns).forEach(this::say);
      return null;
    }
    if (held != null || requested.hasNext()) {
      return serveNext();
    }
    flushMissing();
    if (answered != null) {
      outbox.addAll(mask.answers(answered));
      answered = null;
    }
    if (!outbox.isEmpty()) {
      return null;
    }
    if (isDue(inbox)) {
      answered = inbox.remove().what();
      Message heard = mask.hears(answered);
      if (heard != null) {
        handle(heard);
      }
      return null;
    }
    if (shookHands && inbox.isEmpty() && news.isEmpty() && !pings.isEmpty()) {
      say(pings.remove());
      return null;
    }
    long wake =
        Math.min(due(inbox), shookHands ? Math.min(due(news), relay.due()) : Long.MAX_VALUE);
    if (mask.due() <= now) {
      outbox.addAll(mask.speaks(now));
      return null;
    }
    wake = Math.min(wake, mask.due());
    return wake == Long.MAX_VALUE ? IDLE : new WaitUntil(wake);
  }

  private boolean isDue(Deque<? extends Timed<?>> queue) {
    return due(queue) <= now;
  }

  private static long due(Deque<? extends Timed<?>> queue) {
    Timed<?> first = queue.peek();
    return first == null ? Long.MAX_VALUE : first.from();
  }

  private void say(Message message) {
    outbox.addAll(mask.says(message));
  }

  private Close close(String reason) {
    closed = reason;
    return new Close(reason);
  }

  private void handle(Message message) {
    if (message instanceof Message.Version version) {
      greet(version);
      return;
    }
    if (message instanceof Message.SendAddrV2) {
      // BIP-0155: before the verack, or not at all.
      wantsAddrV2 |= versionSeen && !shookHands;
      return;
    }
    if (message instanceof Message.WtxidRelay) {
      // BIP-0339: the same.
      if (versionSeen && !shookHands) {
        relay.useWtxid();
      }
      return;
    }
    if (message instanceof Message.Verack) {
      if (versionSeen && !shookHands) {
        shookHands = true;
        tellSettings();
        relay.speak(now, this::concerns).forEach(this::say);
      }
      return;
    }
    if (!shookHands) {
      // As in Core, messages before the end of the handshake are not answered.
      return;
    }
    answer(message);
  }

  private void greet(Message.Version version) {
    if (versionSeen) {
      return;
    }
    versionSeen = true;
    relay.greeted(version);
    peerProtocol = version.protocol();
    say(
        new Message.Version(
            PROTOCOL, services(), version.time(), nonce, userAgent, chain.height(), true));
    if (version.protocol() >= PROTOCOL) {
      say(new Message.WtxidRelay());
      say(new Message.SendAddrV2());
    }
    say(new Message.Verack());
  }

  /** As in Core, each peer gets messages of its version; others may fail at an unknown message. */
  private void tellSettings() {
    if (peerProtocol >= COMPACT_BLOCKS_PROTOCOL) {
      say(new Message.SendCmpct(false, COMPACT_BLOCKS));
    }
    say(new Message.Ping(nonce));
    if (peerProtocol >= FEE_FILTER_PROTOCOL && !behaviour.relaysAnything()) {
      say(new Message.FeeFilter(Mempool.MIN_FEE_RATE));
    }
  }

  private long services() {
    return Services.NETWORK_LIMITED
        | Services.WITNESS
        | (behaviour.isPruned() ? 0 : Services.NETWORK)
        | (behaviour.servesBloom() ? Services.BLOOM : 0)
        | (behaviour.encrypts() ? Services.P2P_V2 : 0)
        | (filters != null ? Services.COMPACT_FILTERS : 0);
  }

  private void answer(Message message) {
    if (message instanceof Message.Ping ping) {
      say(new Message.Pong(ping.nonce()));
    } else if (message instanceof Message.SendHeaders) {
      prefersHeaders = true;
    } else if (message instanceof Message.GetHeaders ask) {
      sendHeaders(ask);
    } else if (message instanceof Message.GetBlocks ask) {
      sendBlockHashes(ask);
    } else if (message instanceof Message.GetData ask) {
      startServing(ask.items());
    } else if (message instanceof Message.Inv inv) {
      List<InventoryItem> wanted = relay.announced(inv.items());
      if (!wanted.isEmpty()) {
        say(new Message.GetData(wanted));
      }
    } else if (message instanceof Message.FeeFilter least) {
      relay.feeFilter(least.feeRate());
    } else if (message instanceof Message.TxMessage tx) {
      take(tx.tx());
    } else if (message instanceof Message.GetAddr) {
      tellOfOthers();
    } else if (isBloom(message)) {
      answerBloom(message);
    } else {
      FilterService.Request request = FilterService.request(message);
      if (request != null) {
        serveFilters(request);
      }
    }
  }

  private void serveFilters(FilterService.Request request) {
    String refusal =
        filters == null
            ? "filters asked of a node without NODE_COMPACT_FILTERS"
            : filters.refusal(request);
    if (refusal != null) {
      close(refusal);
    } else if (filters != null) {
      filters.answer(request).forEach(this::say);
    }
  }

  private void take(Tx tx) {
    relay.received(tx);
    if (mempool.acceptFromPeer(tx) instanceof Mempool.Refused) {
      List<InventoryItem> parents = relay.parents(mempool.keepOrphan(tx));
      if (!parents.isEmpty()) {
        say(new Message.GetData(parents));
      }
    }
  }

  private void tellOfOthers() {
    List<NetworkAddress> known = addresses.get();
    if (wantsAddrV2) {
      say(new Message.AddrV2(known));
      return;
    }
    List<NetworkAddress> old = new ArrayList<>(known);
    // Networks that addr cannot express.
    old.removeIf(
        address ->
            address.network() != NetworkAddress.IPV4 && address.network() != NetworkAddress.IPV6);
    say(new Message.Addr(old));
  }

  private static boolean isBloom(Message message) {
    return message instanceof Message.FilterLoad
        || message instanceof Message.FilterAdd
        || message instanceof Message.FilterClear
        || message instanceof Message.Mempool;
  }

  private void answerBloom(Message message) {
    if (!behaviour.servesBloom()) {
      close(message.getClass().getSimpleName() + " sent to a node without NODE_BLOOM");
    } else if (message instanceof Message.FilterLoad load) {
      filter = new ServerFilter(load.filter());
      filterChanges++;
      relay.want();
    } else if (message instanceof Message.FilterClear) {
      filter = null;
      filterChanges++;
      relay.want();
    } else if (message instanceof Message.FilterAdd add) {
      addElement(add.element());
    } else {
      relay.ask();
    }
  }

  private void addElement(Bytes element) {
    if (filter == null) {
      close("filteradd without a filter");
    } else if (element.length() > ServerFilter.MAX_ELEMENT_BYTES) {
      close("filteradd of " + element.length() + " bytes");
    } else {
      filter.add(element);
      filterChanges++;
    }
  }

  private void sendHeaders(Message.GetHeaders ask) {
    if (ask.locator().isEmpty()) {
      int height = chain.heightOf(ask.stop());
      if (height >= 0 && height <= chain.height()) {
        say(new Message.HeadersMessage(headers(height, height + 1)));
      }
      return;
    }
    synchronized (chain) {
      int from = chain.forkHeight(ask.locator()) + 1;
      int to = Math.min(from + Headers.MAX_PER_MESSAGE, chain.height() + 1);
      int stop = chain.heightOf(ask.stop());
      if (stop >= from && stop < to) {
        to = stop + 1;
      }
      headersKnown = Math.max(headersKnown, to - 1);
      say(new Message.HeadersMessage(headers(from, to)));
    }
  }

  private Headers headers(int from, int to) {
    synchronized (chain) {
      int end = Math.min(to, chain.height() + 1);
      return from < end ? chain.headers(from, end) : Headers.NONE;
    }
  }

  private void sendBlockHashes(Message.GetBlocks ask) {
    List<InventoryItem> items = new ArrayList<>();
    synchronized (chain) {
      int height = chain.forkHeight(ask.locator()) + 1;
      while (height <= chain.height()) {
        Hash256 hash = chain.blockAt(height++).hash();
        if (hash.equals(ask.stop())) {
          break;
        }
        items.add(new InventoryItem(InventoryItem.BLOCK, hash));
        if (items.size() == MAX_BLOCK_HASHES) {
          // A request for this block triggers an announcement of the tip, so that the peer asks for
          // more.
          continuation = hash;
          break;
        }
      }
    }
    if (!items.isEmpty()) {
      say(new Message.Inv(items));
    }
  }

  private void startServing(List<InventoryItem> items) {
    if (items.size() > MAX_INVENTORY) {
      close("getdata of " + items.size() + " entries");
      return;
    }
    requested = items.iterator();
  }

  private @Nullable Step serveNext() {
    InventoryItem item = held != null ? held : requested.next();
    held = null;
    if (item.type() == InventoryItem.TX
        || item.type() == InventoryItem.WITNESS_TX
        || item.type() == InventoryItem.WTX) {
      serveTransaction(item);
      return null;
    }
    flushMissing();
    switch (item.type()) {
      case InventoryItem.BLOCK, InventoryItem.WITNESS_BLOCK, InventoryItem.COMPACT_BLOCK ->
          serveBlock(item);
      case InventoryItem.FILTERED_BLOCK, InventoryItem.FILTERED_WITNESS_BLOCK -> {
        if (isTooEarly()) {
          held = item;
          return new WaitUntil(nextFilteredBlock);
        }
        serveFilteredBlock(item);
      }
      default -> {
        // Unknown types are ignored, as Core ignores them.
      }
    }
    return null;
  }

  private boolean isTooEarly() {
    long interval = behaviour.filteredBlockInterval();
    if (interval == 0) {
      return false;
    }
    if (nextFilteredBlock > now) {
      return true;
    }
    nextFilteredBlock = Math.max(nextFilteredBlock, now - CATCH_UP) + interval;
    return false;
  }

  private void serveTransaction(InventoryItem item) {
    Tx tx = relay.serve(item);
    if (tx == null) {
      tx = inTip(item.hash());
    }
    if (tx == null || !mask.shows(tx)) {
      missing.add(item);
      return;
    }
    flushMissing();
    say(FilteredBlock.message(tx, item.type() != InventoryItem.TX));
  }

  private @Nullable Tx inTip(Hash256 txid) {
    Block tip = chain.tip();
    int position = tip.txids().indexOf(txid);
    return position < 0 ? null : tip.tx(position);
  }

  private void flushMissing() {
    if (!missing.isEmpty()) {
      say(new Message.NotFound(missing));
      missing.clear();
    }
  }

  private void serveBlock(InventoryItem item) {
    // Requests for unknown and disconnected blocks are dropped in silence, as in Core.
    Block block = chain.block(item.hash());
    if (block == null || isBeyondLimits(block, false)) {
      return;
    }
    // A compact block is answered by the whole one, as in Core below the last few blocks.
    boolean witness = item.type() != InventoryItem.BLOCK;
    say(new Message.BlockMessage(witness ? block.raw() : block.stripped()));
    tellContinuation(item.hash());
  }

  /** Blocks that the node does not serve: a request for one closes the connection. */
  private boolean isBeyondLimits(Block block, boolean filtered) {
    int depth = chain.height() - chain.heightOf(block.hash());
    if (behaviour.isPruned() && depth > MAX_PRUNED_DEPTH) {
      close("block " + depth + " below the tip asked of a node without old blocks");
      return true;
    }
    boolean historical = chain.tip().time() - block.time() > HISTORICAL_SECONDS;
    if (behaviour.uploadLimitReached() && (filtered || historical)) {
      close("upload limit reached");
      return true;
    }
    return false;
  }

  private void tellContinuation(Hash256 served) {
    if (continuation != null && continuation.equals(served)) {
      continuation = null;
      say(new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, chain.tip().hash()))));
    }
  }

  private void serveFilteredBlock(InventoryItem item) {
    Block block = chain.block(item.hash());
    if (block != null && !isBeyondLimits(block, true) && filter != null) {
      boolean witness = item.type() == InventoryItem.FILTERED_WITNESS_BLOCK;
      BitSet matches = matcher.match(block, filter);
      mask.serves(FilteredBlock.honest(block, witness, matches)).messages().forEach(this::say);
      tellContinuation(item.hash());
    }
  }

  private boolean concerns(Tx tx) {
    boolean matches = filter == null || filter.matchAndUpdate(tx);
    return matches && mask.shows(tx);
  }

  private void tell(News item) {
    if (item instanceof NewBlocks blocks) {
      announce(blocks);
    } else if (item instanceof NewTransaction transaction) {
      relay.accepted(transaction.tx());
    }
  }

  /** By headers only where they connect to the peer's chain, as in Core. */
  private void announce(NewBlocks blocks) {
    synchronized (chain) {
      int fork = chain.heightOf(blocks.parent());
      boolean follows = fork >= 0 && headersKnown >= fork;
      headersKnown = Math.min(headersKnown, fork);
      if (prefersHeaders && follows && blocks.count() <= MAX_ANNOUNCED_HEADERS) {
        headersKnown = Math.min(fork + blocks.count(), chain.height());
        say(new Message.HeadersMessage(headers(fork + 1, fork + 1 + blocks.count())));
      } else {
        say(new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, chain.tip().hash()))));
      }
    }
  }
}
