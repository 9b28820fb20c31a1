package org.murmur.lab.privacy.behaviour;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.RegtestNode;

/**
 * Adversary A7 at a node. Records all messages of a client there, block by block, and the time of
 * its answers. Thread-safe.
 */
final class Judge implements RegtestNode.Onlooker {

  /** Long enough for an answer on a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The changes of the client's filter. */
  enum Reaction {
    NOTHING("nothing"),
    SAME_AGAIN("filterload, same bytes"),
    ANOTHER("filterload, other bytes"),
    ADDED("filteradd");

    private final String title;

    Reaction(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /**
   * A client's actions since the judge started to record: its unsolicited messages as text, without
   * hashes and block-specific numbers, which differ each time, and the nanoseconds from its request
   * to its answer to a ping sent right behind the data.
   */
  record Heard(Reaction reaction, String said, long nanos) {}

  private final RegtestNode node;
  private final Signal bell;
  private final Map<String, Integer> said = new TreeMap<>();
  // By nonce: the time of the request whose data the ping followed.
  private final Map<Long, Long> asked = new HashMap<>();
  private @Nullable BloomFilter filter;
  private Reaction reaction = Reaction.NOTHING;
  private long words;
  private long pings;
  private long answered;
  private long nanos;

  /**
   * @param bell notified at each message, and when the client disconnects
   */
  Judge(RegtestNode node, Signal bell) {
    this.node = node;
    this.bell = bell;
    node.watch(this);
  }

  @Override
  public void received(Message message) {
    hear(message, System.nanoTime());
    bell.ring();
  }

  @Override
  public void left() {
    bell.ring();
  }

  private synchronized void hear(Message message, long now) {
    if (message instanceof Message.Pong pong) {
      if (pong.nonce() > 0 && pong.nonce() <= pings) {
        // Other nonces answer the node's own pings.
        answered = Math.max(answered, pong.nonce());
      }
      Long since = asked.remove(pong.nonce());
      nanos += since == null ? 0 : now - since;
      return;
    }
    words++;
    if (message instanceof Message.Ping) {
      // The client also sends this by a timer, so the count gives no information.
      said.put("ping", 1);
      return;
    }
    said.merge(word(message), 1, Integer::sum);
    if (message instanceof Message.GetData wanted && wantsBlocks(wanted)) {
      pings++;
      asked.put(pings, now);
      node.ping(pings);
    }
  }

  private static boolean wantsBlocks(Message.GetData wanted) {
    return wanted.items().stream()
        .anyMatch(
            item ->
                item.type() == InventoryItem.FILTERED_BLOCK
                    || item.type() == InventoryItem.FILTERED_WITNESS_BLOCK);
  }

  private String word(Message message) {
    if (message instanceof Message.FilterLoad load) {
      boolean same = filter != null && load.filter().equals(filter);
      filter = load.filter();
      Reaction now = same ? Reaction.SAME_AGAIN : Reaction.ANOTHER;
      reaction = now.compareTo(reaction) > 0 ? now : reaction;
      return now.title();
    }
    if (message instanceof Message.FilterAdd) {
      reaction = Reaction.ADDED;
      return Reaction.ADDED.title();
    }
    if (message instanceof Message.GetData wanted) {
      Set<Integer> types = new HashSet<>();
      wanted.items().forEach(item -> types.add(item.type()));
      return "getdata of " + wanted.items().size() + " (types " + types + ")";
    }
    return message.getClass().getSimpleName();
  }

  synchronized BloomFilter filter() {
    return Objects.requireNonNull(filter, "no filter was sent");
  }

  /** Discards all records and starts again. */
  synchronized void listen() {
    said.clear();
    asked.clear();
    reaction = Reaction.NOTHING;
    nanos = 0;
  }

  synchronized Heard heard() {
    StringBuilder all = new StringBuilder();
    said.forEach(
        (word, times) ->
            all.append(all.length() == 0 ? "" : "; ")
                .append(times > 1 ? times + " x " : "")
                .append(word));
    return new Heard(reaction, all.toString(), nanos);
  }

  private synchronized long words() {
    return words;
  }

  private synchronized boolean isAnswered(long nonce) {
    return answered >= nonce;
  }

  private synchronized long nextPing() {
    return ++pings;
  }

  boolean isConnected() {
    return node.connections() > 0;
  }

  /**
   * Waits for a whole round trip without an unsolicited message from the client. Then it has
   * processed everything sent to it, and has nothing more to send.
   */
  boolean settle() throws InterruptedException {
    long before;
    do {
      before = words();
      long nonce = nextPing();
      node.ping(nonce);
      if (!bell.await(LIMIT, () -> isAnswered(nonce) || !isConnected())) {
        throw new IllegalStateException("the client is connected and does not answer a ping");
      }
      if (!isConnected()) {
        return false;
      }
    } while (words() != before);
    return true;
  }

  /** Waits for late messages; stops at a filter or an element. */
  void listenOn(Duration limit) throws InterruptedException {
    bell.await(limit, () -> heard().reaction() != Reaction.NOTHING);
  }
}
