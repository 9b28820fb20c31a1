package org.murmur.p2p.pool;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.peers.Question;

/** What one peer was asked for of unconfirmed transactions, and told of them. State only. */
public final class PoolLink {

  private static final PerPeer<PoolLink> LINKS = new PerPeer<>(PoolLink::new);

  /**
   * Announcements of transactions of the wallet's that another peer had sent: far above what is.
   */
  private static final int UNTAKEN_LIMIT = 10_000;

  /** Transactions of the wallet's that it was told of by txid: far above what waits at a time. */
  private static final int MENTIONED_LIMIT = 10_000;

  private final Peer peer;
  // What it is asked for and has not answered, with the question. There is none yet for what is to
  // be asked for when that is on disk.
  private final Map<Hash256, @Nullable Question> wanted = new HashMap<>();
  // Announced, and asked for when there are fewer of those.
  final Set<Hash256> waiting = new LinkedHashSet<>();
  // Announced, and not asked for here: what its server knows of and we do not, as far as is kept.
  private final Set<Hash256> untaken = new LinkedHashSet<>();
  // What it was told of by txid, and by which batch that is on disk.
  final Map<Hash256, Long> mentioned = new LinkedHashMap<>();
  // Whether it announced more than could be kept.
  boolean truncated;
  // What it wants at least, in satoshi for 1,000 virtual bytes (BIP-0133).
  long feeFilter;

  private PoolLink(Peer peer) {
    this.peer = peer;
  }

  /** How many transactions it was asked for and did not answer for. */
  public int wantedCount() {
    return wanted.size();
  }

  /** Returns the one of a peer. */
  public static PoolLink of(Peer peer) {
    return LINKS.of(peer);
  }

  /** The transactions that it is or will be asked for, and did not answer for. */
  Set<Hash256> wanted() {
    return Collections.unmodifiableSet(wanted.keySet());
  }

  /** It will be asked for a transaction; returns whether that is news. */
  boolean want(Hash256 txid) {
    if (wanted.containsKey(txid)) {
      return false;
    }
    wanted.put(txid, null);
    return true;
  }

  /** Whether it will be asked for a transaction, and nothing is owed for it yet. */
  boolean isUnasked(Hash256 txid) {
    return wanted.containsKey(txid) && wanted.get(txid) == null;
  }

  /** It is asked for a transaction. */
  void asked(Hash256 txid, Question question) {
    wanted.put(txid, question);
  }

  /** It was handed over, or is not there; returns whether it was wanted. */
  boolean answered(Hash256 txid, Instant now) {
    boolean known = wanted.containsKey(txid);
    Question question = wanted.remove(txid);
    if (question != null) {
      peer.questions().answered(question, 1, now);
    }
    return known;
  }

  /** It is told of a transaction; the oldest make room, and would be recorded again. */
  void mentioned(Hash256 txid, long recordedBy) {
    mentioned.put(txid, recordedBy);
    if (mentioned.size() > MENTIONED_LIMIT) {
      mentioned.remove(mentioned.keySet().iterator().next());
    }
  }

  /** It announced what is not fetched from it: its copy of the filter may have grown by that. */
  void leave(Hash256 txid) {
    untaken.add(txid);
    if (untaken.size() > UNTAKEN_LIMIT) {
      untaken.remove(untaken.iterator().next());
    }
  }

  /** Whether a transaction spends what it announced and was not asked for. */
  public boolean buildsOnUntaken(Tx tx) {
    for (Tx.Input input : tx.inputs()) {
      if (untaken.contains(input.outPoint().txid())) {
        return true;
      }
    }
    return false;
  }
}
