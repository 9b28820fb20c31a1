package org.murmur.lab.network;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.internal.gcs.FilterMatcher;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.lab.network.NodeRecord.Answer;
import org.murmur.lab.network.NodeRecord.Greeting;
import org.murmur.lab.network.NodeRecord.KnownBlock;
import org.murmur.lab.network.NodeRecord.Outcome;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;

/**
 * The conversation with one node, without its socket: messages and times in, messages out, a record
 * at the end. A ping follows each request. Core answers in order, so its pong ends the wait for an
 * answer that will not come. For one thread.
 */
final class Interview {

  private static final int PROTOCOL = 70_016;

  /** The first protocol version with {@code sendaddrv2} for all (BIP-0155). */
  private static final int ADDRESS_V2 = 70_016;

  /** A pruned node serves the last 288 blocks (BIP-0159). Two are for blocks that came since. */
  private static final int PRUNED_DEPTH = 286;

  /** A hint stands below the last header, so that every node has headers to send. */
  private static final int HINT_DEPTH = 6;

  private static final int MAX_ADDRESSES = 2_000;

  /** Core sends addresses apart from other answers. */
  private static final long ADDRESSES_NANOS = TimeUnit.SECONDS.toNanos(3);

  private enum Stage {
    VERSION,
    VERACK,
    HEADERS,
    FILTERED_BLOCK,
    COMPACT_FILTER,
    ADDRESSES,
    OVER
  }

  private final NodeAddress address;
  private final boolean wantsAddresses;
  private final long began;
  private long nonce;
  private Locator locator;
  private Stage stage = Stage.VERSION;
  private @Nullable Greeting greeting;
  private @Nullable Long pingMicros;
  private long pingNonce;
  private long pingSent;
  private long fence;
  private @Nullable KnownBlock block;
  private @Nullable KnownBlock hint;
  private Answer bloom = Answer.NOT_CLAIMED;
  private Answer compactFilters = Answer.NOT_CLAIMED;
  private boolean addressesCame;
  private long addressesDue = Long.MAX_VALUE;
  private final List<NetworkAddress> addresses = new ArrayList<>();

  /**
   * Plans a conversation.
   *
   * @param nonce a random number, from which the nonces of pings and the filter follow
   * @param began when the connection was begun, in nanoseconds
   */
  Interview(NodeAddress address, Locator locator, boolean wantsAddresses, long nonce, long began) {
    this.address = address;
    this.locator = locator;
    this.wantsAddresses = wantsAddresses;
    this.nonce = nonce;
    this.began = began;
  }

  /** Returns the first message. Transactions are not wanted. */
  Message firstMessage(long epochSecond) {
    return new Message.Version(PROTOCOL, 0, epochSecond, nonce, SyncSettings.USER_AGENT, 0, false);
  }

  boolean isOver() {
    return stage == Stage.OVER;
  }

  /** Returns when the wait for addresses ends, in nanoseconds. */
  long due() {
    return stage == Stage.ADDRESSES ? addressesDue : Long.MAX_VALUE;
  }

  /** Takes a message, and returns what to send. */
  List<Message> hear(Message message, long now) {
    List<Message> out = new ArrayList<>();
    if (message instanceof Message.Ping ping) {
      out.add(new Message.Pong(ping.nonce()));
    } else if (message instanceof Message.Version version) {
      greet(version, now, out);
    } else if (message instanceof Message.Verack) {
      ask(now, out);
    } else if (message instanceof Message.Addr addr) {
      learn(addr.addresses());
    } else if (message instanceof Message.AddrV2 addr) {
      learn(addr.addresses());
    } else if (message instanceof Message.Pong pong) {
      hear(pong, now, out);
    } else if (message instanceof Message.HeadersMessage headers && stage == Stage.HEADERS) {
      follow(headers.headers(), now, out);
    } else if (message instanceof Message.MerkleBlockMessage merkle
        && stage == Stage.FILTERED_BLOCK) {
      bloom = isProven(merkle.merkleBlock()) ? Answer.SERVED : Answer.WRONG;
      askForFilter(now, out);
    } else if (message instanceof Message.CFilter filter && stage == Stage.COMPACT_FILTER) {
      compactFilters = isWellFormed(filter) ? Answer.SERVED : Answer.WRONG;
      awaitAddresses(now);
    }
    if (stage == Stage.ADDRESSES && (addressesCame || now >= addressesDue)) {
      stage = Stage.OVER;
    }
    return out;
  }

  private void greet(Message.Version version, long now, List<Message> out) {
    if (stage != Stage.VERSION) {
      return;
    }
    greeting =
        new Greeting(
            version.protocol(),
            version.services(),
            version.userAgent(),
            version.startHeight(),
            micros(began, now));
    bloom = claim(Services.BLOOM);
    compactFilters = claim(Services.COMPACT_FILTERS);
    if (version.protocol() >= ADDRESS_V2) {
      out.add(new Message.SendAddrV2());
    }
    out.add(new Message.Verack());
    stage = Stage.VERACK;
  }

  private Answer claim(long service) {
    return Services.has(greeting().services(), service) ? Answer.NOT_TRIED : Answer.NOT_CLAIMED;
  }

  private Greeting greeting() {
    return Objects.requireNonNull(greeting, "no verack comes before the version");
  }

  private void ask(long now, List<Message> out) {
    if (stage != Stage.VERACK) {
      return;
    }
    stage = Stage.HEADERS;
    pingNonce = ++nonce;
    pingSent = now;
    out.add(new Message.Ping(pingNonce));
    if (wantsAddresses) {
      out.add(new Message.GetAddr());
    }
    askForHeaders(out);
  }

  private void askForHeaders(List<Message> out) {
    out.add(new Message.GetHeaders(locator.hashes(), Hash256.ZERO));
    fence(out);
  }

  private void fence(List<Message> out) {
    fence = ++nonce;
    out.add(new Message.Ping(fence));
  }

  private void learn(List<NetworkAddress> told) {
    told.stream().limit(MAX_ADDRESSES - addresses.size()).forEach(addresses::add);
    // A single one is the node's own, which comes unasked.
    addressesCame |= told.size() != 1;
  }

  private void hear(Message.Pong pong, long now, List<Message> out) {
    if (stage.compareTo(Stage.VERACK) <= 0) {
      return;
    }
    if (pong.nonce() == pingNonce && pingMicros == null) {
      pingMicros = micros(pingSent, now);
    } else if (pong.nonce() == fence) {
      switch (stage) {
        case HEADERS -> askForBlock(now, out);
        case FILTERED_BLOCK -> askForFilter(now, out);
        case COMPACT_FILTER -> awaitAddresses(now);
        case VERSION, VERACK, ADDRESSES, OVER -> {}
      }
    }
  }

  private static long micros(long from, long to) {
    return TimeUnit.NANOSECONDS.toMicros(to - from);
  }

  /** Takes headers that continue what is known, as far as their proof of work shows. */
  private void follow(Headers headers, long now, List<Message> out) {
    if (headers.isEmpty() && !locator.hints().isEmpty() && block == null) {
      // Its tip may be one of the hints.
      locator = locator.withoutHints();
      askForHeaders(out);
      return;
    }
    OptionalInt base =
        headers.isEmpty() ? OptionalInt.empty() : locator.heightOf(headers.previous(0));
    boolean good =
        base.isPresent()
            && headers.linkage().links() == headers.count()
            && BlockHeader.of(headers.header(headers.count() - 1)).reachesItsTarget();
    if (!good) {
      askForBlock(now, out);
      return;
    }
    int height = base.getAsInt() + headers.count();
    KnownBlock last = new KnownBlock(height, headers.linkage().last());
    block = last;
    int below = headers.count() - 1 - HINT_DEPTH;
    if (below >= 0) {
      hint = new KnownBlock(height - HINT_DEPTH, headers.hash(below));
    }
    if (headers.count() == Headers.MAX_PER_MESSAGE) {
      locator = locator.after(last);
      askForHeaders(out);
    } else {
      askForBlock(now, out);
    }
  }

  /** Whether the node should have the block: a pruned one lacks those far below its tip. */
  private boolean mayAsk(@Nullable KnownBlock asked) {
    return asked != null
        && (Services.has(greeting().services(), Services.NETWORK)
            || asked.height() >= greeting().startHeight() - PRUNED_DEPTH);
  }

  private void askForBlock(long now, List<Message> out) {
    KnownBlock asked = block;
    if (asked == null || !mayAsk(asked) || !bloom.isClaimed()) {
      askForFilter(now, out);
      return;
    }
    stage = Stage.FILTERED_BLOCK;
    bloom = Answer.NONE;
    out.add(new Message.FilterLoad(nobodysFilter()));
    out.add(
        new Message.GetData(
            List.of(new InventoryItem(InventoryItem.FILTERED_BLOCK, asked.hash()))));
    fence(out);
  }

  /** A filter of one random element, which no chain has. */
  private BloomFilter nobodysFilter() {
    return BloomFilter.builder(
            FilterParameters.of(1, 1e-6, (int) nonce, UpdateFlag.NONE, Rounding.CORE))
        .add(Bytes.wrap(("no element of any wallet " + nonce).getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  private void askForFilter(long now, List<Message> out) {
    KnownBlock asked = block;
    if (asked == null || !mayAsk(asked) || !compactFilters.isClaimed()) {
      awaitAddresses(now);
      return;
    }
    stage = Stage.COMPACT_FILTER;
    compactFilters = Answer.NONE;
    out.add(new Message.GetCFilters(Message.BASIC_FILTER, asked.height(), asked.hash()));
    fence(out);
  }

  private void awaitAddresses(long now) {
    stage = wantsAddresses ? Stage.ADDRESSES : Stage.OVER;
    addressesDue = now + ADDRESSES_NANOS;
  }

  private boolean isProven(MerkleBlock merkle) {
    return isTheBlock(merkle.blockHash()) && merkle.verify() instanceof Verdict.Proven;
  }

  private boolean isWellFormed(Message.CFilter filter) {
    try {
      int[] ignored = new FilterMatcher().match(filter.filter(), filter.block());
      return filter.filterType() == Message.BASIC_FILTER && isTheBlock(filter.block());
    } catch (MalformedException e) {
      return false;
    }
  }

  private boolean isTheBlock(Hash256 hash) {
    return block != null && hash.equals(block.hash());
  }

  /** Returns the record of the conversation so far, which ended early for a reason, or did not. */
  NodeRecord record(Outcome whyNot) {
    boolean reached = stage.compareTo(Stage.VERACK) > 0;
    return new NodeRecord(
        address,
        reached ? Outcome.REACHED : whyNot,
        greeting,
        pingMicros,
        block,
        bloom,
        compactFilters);
  }

  List<NetworkAddress> addresses() {
    return addresses;
  }

  /** Returns a block a little below the last one, for the locator of other conversations. */
  Optional<KnownBlock> hint() {
    return Optional.ofNullable(hint);
  }
}
