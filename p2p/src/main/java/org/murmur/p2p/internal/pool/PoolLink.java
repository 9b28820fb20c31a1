package org.murmur.p2p.internal.pool;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.scan.ScanPeer;

/**
 * The state of unconfirmed transactions on one link: our requests and the peer's announcements.
 * State only.
 */
public final class PoolLink {

  /** Wallet transactions that it announced and another peer served: far above real numbers. */
  private static final int UNTAKEN_LIMIT = 10_000;

  /** Wallet transactions that it learnt by txid: far above the number pending at a time. */
  private static final int MENTIONED_LIMIT = 10_000;

  private final ScanPeer peer;
  // Requested and not answered, with the request. The request is null until its record is on disk.
  private final Map<Hash256, @Nullable Question> wanted = new HashMap<>();
  // Those of them that were requested by txid, whatever the peer announced.
  private final Set<Hash256> named = new HashSet<>();
  // Announced, and requested once fewer requests are open.
  final Set<Hash256> waiting = new LinkedHashSet<>();
  // Announced but not requested here: its server-side filter knows them, as far as we remember.
  private final Set<Hash256> untaken = new LinkedHashSet<>();
  // Transactions that it learnt by txid, and the batch that records it.
  private final Map<Hash256, Long> mentioned = new LinkedHashMap<>();
  // Those of them that it learnt as payments of the user.
  private final Map<Hash256, Long> told = new LinkedHashMap<>();
  // The user's transactions that were announced on this link.
  private final Set<Hash256> offered = new LinkedHashSet<>();
  // The user's transactions that it announced or served.
  private final Set<Hash256> held = new HashSet<>();
  // The probe that was sent before the first filter.
  private @Nullable MempoolProbe probe;
  // Whether it announced more than we keep.
  boolean truncated;
  // Its fee filter, in satoshi for 1,000 virtual bytes (BIP-0133).
  long feeFilter;

  PoolLink(ScanPeer peer) {
    this.peer = peer;
  }

  /** How many requested transactions it has not answered. */
  public int wantedCount() {
    return wanted.size();
  }

  /** The transactions that are or will be requested, and have no answer. */
  Set<Hash256> wanted() {
    return Collections.unmodifiableSet(wanted.keySet());
  }

  /** Whether a transaction is or will be requested, and has no answer. */
  boolean isAwaiting(Hash256 txid) {
    return wanted.containsKey(txid) || waiting.contains(txid);
  }

  /** Marks a transaction for a request; returns whether that is new. */
  boolean want(Hash256 txid) {
    if (wanted.containsKey(txid)) {
      return false;
    }
    wanted.put(txid, null);
    return true;
  }

  /** Marks a transaction for a request by txid; returns whether that is new. */
  boolean name(Hash256 txid) {
    boolean news = want(txid);
    if (news) {
      named.add(txid);
    }
    return news;
  }

  /** Whether a transaction is marked for a request that has not been sent. */
  boolean isUnasked(Hash256 txid) {
    return wanted.containsKey(txid) && wanted.get(txid) == null;
  }

  /** A transaction was requested. */
  void asked(Hash256 txid, Question question) {
    wanted.put(txid, question);
  }

  /** Why a peer sends a transaction outside a block. */
  public enum Cause {
    /** Of its own accord. */
    PUSHED,
    /** It announced it, and we fetched it, as we fetch all. */
    ANNOUNCED,
    /** We requested it by txid. */
    NAMED
  }

  /** The peer served it or does not have it. Returns why. */
  Cause answered(Hash256 txid, Instant now) {
    boolean asked = wanted.containsKey(txid);
    Question question = wanted.remove(txid);
    if (question != null) {
      peer.questions().answered(question, 1, now);
    }
    if (named.remove(txid)) {
      return Cause.NAMED;
    }
    return asked ? Cause.ANNOUNCED : Cause.PUSHED;
  }

  /** The batch that records that the peer learns of a transaction; null if none does yet. */
  @Nullable Long recordedBy(Hash256 txid, boolean asPayment) {
    return (asPayment ? told : mentioned).get(txid);
  }

  /**
   * The peer learns of a transaction. The oldest entries are evicted, and would be recorded again.
   */
  void learns(Hash256 txid, boolean asPayment, long recordedBy) {
    keep(mentioned, txid, recordedBy);
    if (asPayment) {
      keep(told, txid, recordedBy);
    }
  }

  private static void keep(Map<Hash256, Long> all, Hash256 txid, long recordedBy) {
    all.put(txid, recordedBy);
    if (all.size() > MENTIONED_LIMIT) {
      all.remove(all.keySet().iterator().next());
    }
  }

  /** A transaction of the user is announced to the peer. */
  void offers(Hash256 txid) {
    offered.add(txid);
    if (offered.size() > MENTIONED_LIMIT) {
      offered.remove(offered.iterator().next());
    }
  }

  /** Whether a transaction was announced to the peer on this link. */
  boolean wasOffered(Hash256 txid) {
    return offered.contains(txid);
  }

  /** Sends a probe. */
  void probe(Effects effects) {
    probe = MempoolProbe.begin(peer, effects);
  }

  /** Whether a probe was sent. */
  boolean isProbed() {
    return probe != null;
  }

  /** Takes an announcement if it answers a probe; returns whether it does. */
  boolean isOfProbe(Hash256 txid) {
    MempoolProbe sent = probe;
    if (sent == null || !sent.isOpen()) {
      return false;
    }
    sent.announced(txid);
    return true;
  }

  /** It has a transaction of the user. */
  void holds(Hash256 txid) {
    if (held.size() < MENTIONED_LIMIT) {
      held.add(txid);
    }
  }

  /** Whether it is known to have a transaction of the user. */
  boolean isHolding(Hash256 txid) {
    return held.contains(txid);
  }

  /**
   * It announced a transaction that is not fetched from it: its server-side filter may have grown.
   */
  void leave(Hash256 txid) {
    untaken.add(txid);
    if (untaken.size() > UNTAKEN_LIMIT) {
      untaken.remove(untaken.iterator().next());
    }
  }

  /** Whether it announced a transaction that was not fetched from it; it will be now. */
  boolean takeUp(Hash256 txid) {
    return untaken.remove(txid);
  }

  /** Whether a transaction spends one that it announced and that was not requested from it. */
  public boolean buildsOnUntaken(Tx tx) {
    for (Tx.Input input : tx.inputs()) {
      if (untaken.contains(input.outPoint().txid())) {
        return true;
      }
    }
    return false;
  }
}
