package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Recognition;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.sync.Confirmed;

/**
 * Records which transactions each peer served for which block, and finds contradictions.
 *
 * <p>It compares only transactions that match the wallet's own elements, by the data itself. False
 * positives and additions of a peer prove nothing. A peer omitted a transaction if an element of
 * its filter, as that was sent, is in it. An outpoint that the server should have added ({@code
 * UPDATE_ALL}) proves nothing; it only no longer counts as covered. Every served transaction is
 * known to be in its block: the peer proved it against the header.
 *
 * <p>It remembers this session. Of earlier ones it knows the rows and the wallet's transactions in
 * blocks, and assumes that every peer queried then served them. It cannot know transactions that
 * the wallet does not keep (an own script's hash in a foreign output, say), so these contradict no
 * earlier session.
 *
 * <p>Pure: values in, findings out. For one thread.
 */
final class CrossChecks {

  /**
   * Maximum remembered elements of foreign transactions that may become the wallet's when the log
   * grows. An entry is some 200 bytes and its data, so an attacker fills at most some 20 MB.
   */
  static final int MAX_FOREIGN = 100_000;

  /** Maximum bytes of their data. */
  static final long MAX_FOREIGN_BYTES = 8L << 20;

  /** A result of comparing the peers' answers about a block. */
  sealed interface Finding {

    /** A peer omitted a transaction that matches its filter as sent. */
    record Omitted(NodeAddress peer, int height, Hash256 txid) implements Finding {}

    /**
     * A peer omitted the spend of a coin although {@code UPDATE_ALL} had its server add the
     * outpoint: it had served the block that paid the coin before, under the same load.
     */
    record NotAdded(NodeAddress peer, int height, Hash256 txid) implements Finding {}

    /**
     * A peer's answers in an earlier session were incomplete. They are no longer known in detail,
     * so no peer is blamed; its blocks are requested again.
     */
    record Contradicted(NodeAddress peer) implements Finding {}
  }

  private final WatchedLog log;
  // How much of the log was read.
  private int read;
  // Transactions that pay the wallet, by the coins of the log as far as that was needed.
  private final Set<Hash256> paying = new HashSet<>();
  private int readForPaying;

  private final Map<NodeAddress, List<Look>> looks = new HashMap<>();
  private final TreeMap<Integer, Map<Hash256, Delivery>> deliveries = new TreeMap<>();
  // Transactions of this session with an own script, until the log has a coin of theirs.
  private final Map<Hash256, Delivery> unpaid = new HashMap<>();
  // Heights whose whole block was seen.
  private final Set<Integer> opened = new HashSet<>();
  // Transactions that are not ours so far, by each of their elements.
  private final Map<Bytes, List<Naming>> foreign = new HashMap<>();
  // Elements put there since it was last empty.
  private int foreignElements;
  private long foreignBytes;

  /** Consecutive blocks, in ascending order, that a peer served under one view. */
  private static final class Look {
    final View view;
    final int from;
    int to;
    // Of an earlier session: only transactions that the wallet kept are known.
    final boolean earlier;
    // Transactions that it reported and that named nothing of ours were dropped for their size.
    boolean forgotten;

    Look(View view, int from, int to, boolean earlier) {
      this.view = view;
      this.from = from;
      this.to = to;
      this.earlier = earlier;
    }

    NodeAddress peer() {
      return view.peer();
    }

    boolean meets(int height) {
      return from <= height && height <= to;
    }
  }

  /** A transaction of a block, and the peers that reported it. */
  private static final class Delivery {
    final int height;
    final Hash256 txid;
    // Known before this session began.
    final boolean earlier;
    // The looks that reported it; each contains its height once.
    final Set<Look> reports = new LinkedHashSet<>();
    // The elements of the log in it.
    final BitSet named = new BitSet();
    // Outpoints of the log that it spends.
    final Set<Integer> coins = new LinkedHashSet<>();
    // Whether it spends any, own or awaited: then the wallet keeps it.
    boolean spends;
    // Whether it is kept among the foreign ones.
    boolean kept;

    Delivery(int height, Hash256 txid, boolean earlier) {
      this.height = height;
      this.txid = txid;
      this.earlier = earlier;
    }

    boolean isOurs() {
      return !named.isEmpty();
    }
  }

  /** A transaction that holds an element, and whether it spends it. */
  private record Naming(Delivery delivery, boolean spent) {}

  /**
   * The result of checking a whole block.
   *
   * @param liars peers that omitted a match of their filter as sent, each with one such transaction
   * @param findings other results that no longer count
   * @param ours positions of the wallet's transactions in the block
   * @param unheardOf whether one of them was reported by no peer
   */
  record Judgement(
      Map<NodeAddress, Hash256> liars, List<Finding> findings, BitSet ours, boolean unheardOf) {}

  /**
   * Begins a session, with the wallet's confirmed transactions. The log is followed as it grows.
   */
  CrossChecks(WatchedLog log, Collection<Confirmed> confirmed) {
    this.log = log;
    this.read = log.size();
    for (Confirmed known : confirmed) {
      Delivery delivery = new Delivery(known.height(), known.tx().txid(), true);
      recognise(delivery, known.tx());
      if (delivery.isOurs()) {
        at(known.height()).put(delivery.txid, delivery);
      }
    }
  }

  /** Adds a row of an earlier session, with its view at that time. */
  void earlier(View view, ScanRow row) {
    looksOf(view.peer()).add(new Look(view, row.from(), row.to(), true));
  }

  /**
   * A peer served a block under a view, as that was at the request. Returns findings about any
   * peer.
   */
  List<Finding> scanned(View view, int height, List<Tx> delivered) {
    List<Finding> findings = logGrew();
    Look look = look(view, height);
    Set<Hash256> reported = new HashSet<>();
    for (Tx tx : delivered) {
      reported.add(tx.txid());
      Delivery delivery =
          at(height).computeIfAbsent(tx.txid(), txid -> new Delivery(height, txid, false));
      boolean wasOurs = delivery.isOurs();
      delivery.reports.add(look);
      if (!wasOurs) {
        recognise(delivery, tx);
        if (delivery.isOurs()) {
          addSilent(delivery, findings);
        } else {
          remember(delivery, tx);
        }
      }
    }
    for (Delivery known : deliveries.getOrDefault(height, Map.of()).values()) {
      if (known.isOurs() && !reported.contains(known.txid)) {
        addSilence(look, known, findings);
      }
    }
    return findings;
  }

  /** Reads the log's new elements: foreign transactions may turn out to be ours. */
  List<Finding> logGrew() {
    List<Finding> findings = new ArrayList<>();
    int before = read;
    read = log.size();
    for (int i = before; i < read; i++) {
      if (log.get(i) instanceof Element.OwnOutPoint coin) {
        Delivery known = unpaid.remove(coin.outPoint().txid());
        if (known != null) {
          // Only now it is known that the wallet keeps it.
          addSilent(known, findings);
        }
      }
      for (Naming naming : foreign.getOrDefault(log.get(i).data(), List.of())) {
        Delivery delivery = naming.delivery();
        boolean wasOurs = delivery.isOurs();
        name(delivery, i, naming.spent());
        if (!wasOurs) {
          addSilent(delivery, findings);
        }
      }
      foreign.remove(log.get(i).data());
    }
    return findings;
  }

  /** Whether the whole block at a height was seen: a contradiction is then a lie at once. */
  boolean isOpened(int height) {
    return opened.contains(height);
  }

  /** The peers that reported a transaction. */
  Set<NodeAddress> reporters(int height, Hash256 txid) {
    Delivery delivery = deliveries.getOrDefault(height, Map.of()).get(txid);
    Set<NodeAddress> reporters = new LinkedHashSet<>();
    if (delivery != null) {
      delivery.reports.forEach(look -> reporters.add(look.peer()));
    }
    return reporters;
  }

  /** The peers that served a block in this session. */
  Set<NodeAddress> served(int height) {
    Set<NodeAddress> served = new LinkedHashSet<>();
    looks.forEach(
        (peer, all) -> {
          if (all.stream().anyMatch(look -> !look.earlier && look.meets(height))) {
            served.add(peer);
          }
        });
    return served;
  }

  /** Checks peers against all transactions of a block, which was checked against its header. */
  Judgement judge(int height, List<Tx> block) {
    List<Finding> findings = new ArrayList<>(logGrew());
    BitSet ours = Recognition.ours(block, log);
    boolean unheardOf = false;
    for (int i = ours.nextSetBit(0); i >= 0; i = ours.nextSetBit(i + 1)) {
      Tx tx = block.get(i);
      Delivery delivery =
          at(height).computeIfAbsent(tx.txid(), txid -> new Delivery(height, txid, false));
      if (!delivery.isOurs()) {
        recognise(delivery, tx);
      }
      unheardOf |= delivery.reports.isEmpty() && !delivery.earlier;
      addSilent(delivery, findings);
    }
    opened.add(height);
    Map<NodeAddress, Hash256> liars = new LinkedHashMap<>();
    for (Finding finding : findings) {
      if (finding instanceof Finding.Omitted omitted && omitted.height() == height) {
        liars.putIfAbsent(omitted.peer(), omitted.txid());
      }
    }
    findings.removeIf(f -> f instanceof Finding.Omitted omitted && omitted.height() == height);
    return new Judgement(liars, findings, ours, unheardOf);
  }

  /** A peer's answers no longer count. */
  void forget(NodeAddress peer) {
    looks.remove(peer);
    for (Map<Hash256, Delivery> at : deliveries.values()) {
      at.values().forEach(delivery -> delivery.reports.removeIf(look -> look.peer().equals(peer)));
    }
  }

  /** Blocks above a height left the chain. */
  void cutAbove(int height) {
    deliveries.tailMap(height, false).clear();
    unpaid.values().removeIf(delivery -> delivery.height > height);
    opened.removeIf(at -> at > height);
    foreign
        .values()
        .forEach(waiting -> waiting.removeIf(naming -> naming.delivery().height > height));
    forgetLooks(height);
  }

  /**
   * Blocks above a height are scanned again: their transactions stay known, the peers' answers do
   * not count.
   */
  void forgetLooks(int height) {
    looks.values().forEach(all -> all.removeIf(look -> look.from > height));
    for (List<Look> all : looks.values()) {
      all.forEach(look -> look.to = Math.min(look.to, height));
    }
  }

  /** How many elements of foreign transactions were added since there were none: an upper bound. */
  int remembered() {
    return foreignElements;
  }

  /** The bytes of those transactions. */
  long rememberedBytes() {
    return foreignBytes;
  }

  private Map<Hash256, Delivery> at(int height) {
    return deliveries.computeIfAbsent(height, h -> new LinkedHashMap<>());
  }

  private List<Look> looksOf(NodeAddress peer) {
    return looks.computeIfAbsent(peer, p -> new ArrayList<>());
  }

  private Look look(View view, int height) {
    List<Look> all = looksOf(view.peer());
    Look last = all.isEmpty() ? null : all.get(all.size() - 1);
    if (last != null && !last.earlier && last.view.equals(view) && last.to + 1 == height) {
      last.to = height;
      return last;
    }
    Look look = new Look(view, height, height, false);
    all.add(look);
    return look;
  }

  private Set<Hash256> paying() {
    for (; readForPaying < read; readForPaying++) {
      if (log.get(readForPaying) instanceof Element.OwnOutPoint coin) {
        paying.add(coin.outPoint().txid());
      }
    }
    return paying;
  }

  private void recognise(Delivery delivery, Tx tx) {
    Recognition.find(tx, log, (index, spent) -> name(delivery, index, spent));
  }

  /** An element of the log is in a transaction. */
  private void name(Delivery delivery, int element, boolean spent) {
    delivery.named.set(element);
    delivery.spends |= spent;
    if (log.get(element) instanceof Element.OwnOutPoint) {
      delivery.coins.add(element);
    }
    if (!delivery.earlier && !isKept(delivery)) {
      unpaid.put(delivery.txid, delivery);
    }
  }

  /** Whether the wallet keeps a transaction, and so knows it from an earlier session. */
  private boolean isKept(Delivery delivery) {
    return delivery.spends || paying().contains(delivery.txid);
  }

  /** Keeps a foreign transaction in case the log later contains an element of it. */
  private void remember(Delivery delivery, Tx tx) {
    if (delivery.kept) {
      return;
    }
    delivery.kept = true;
    List<Bytes> named = new ArrayList<>();
    TxElements.forEach(tx, named::add);
    foreignElements += named.size();
    foreignBytes += tx.raw().length();
    if (foreignElements > MAX_FOREIGN || foreignBytes > MAX_FOREIGN_BYTES) {
      foreign.clear();
      deliveries.values().forEach(at -> at.values().removeIf(other -> !other.isOurs()));
      looks.values().forEach(all -> all.forEach(look -> look.forgotten = true));
      foreignElements = 0;
      foreignBytes = 0;
      return;
    }
    Set<Bytes> spent = Recognition.spent(tx);
    named.forEach(
        data ->
            foreign
                .computeIfAbsent(data, d -> new ArrayList<>())
                .add(new Naming(delivery, spent.contains(data))));
  }

  /** Processes the silence of peers that scanned a block and did not report a transaction. */
  private void addSilent(Delivery delivery, List<Finding> findings) {
    for (List<Look> all : looks.values()) {
      for (Look look : all) {
        if (look.meets(delivery.height) && !delivery.reports.contains(look)) {
          addSilence(look, delivery, findings);
        }
      }
    }
  }

  private void addSilence(Look look, Delivery delivery, List<Finding> findings) {
    Finding finding = silence(look, delivery);
    if (finding != null && !findings.contains(finding)) {
      findings.add(finding);
    }
  }

  /** The finding if a peer did not report a transaction. */
  private @Nullable Finding silence(Look look, Delivery delivery) {
    if (look.earlier && (delivery.earlier || !isKept(delivery))) {
      return null;
    }
    if (delivery.named.stream().anyMatch(index -> look.view.finds(index, log.get(index)))) {
      return look.earlier
          ? new Finding.Contradicted(look.peer())
          : new Finding.Omitted(look.peer(), delivery.height, delivery.txid);
    }
    for (int coin : delivery.coins) {
      if (added(look, (Element.OwnOutPoint) log.get(coin), delivery.height)) {
        // It may have reported the spend before the log named the coin: then it is not to blame.
        return look.earlier || look.forgotten
            ? new Finding.Contradicted(look.peer())
            : new Finding.NotAdded(look.peer(), delivery.height, delivery.txid);
      }
    }
    return null;
  }

  /** Whether a server saw a payment to a coin, in this load, before it reached a height. */
  private boolean added(Look at, Element.OwnOutPoint coin, int height) {
    if (!at.view.adds() || !isPaid(coin)) {
      return false;
    }
    for (Look look : looksOf(at.peer())) {
      boolean before = look != at || coin.birth() <= height;
      if (look.view.id() == at.view.id()
          && before
          && look.view.content().holds(coin.script())
          && look.meets(coin.birth())) {
        return true;
      }
      if (look == at) {
        return false;
      }
    }
    return false;
  }

  /**
   * Whether the payment of a coin is known at the log's height. After a reorganisation the log has
   * the old branch's height until the wallet learns the new one.
   */
  private boolean isPaid(Element.OwnOutPoint coin) {
    return deliveries.getOrDefault(coin.birth(), Map.of()).containsKey(coin.outPoint().txid());
  }
}
