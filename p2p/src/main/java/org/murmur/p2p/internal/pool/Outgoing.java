package org.murmur.p2p.internal.pool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/** Transactions that the user sends: for the first time in this session, or again. */
final class Outgoing {

  /**
   * A transaction and its fee in satoshi, if that is known. If an earlier session sent it, it is
   * sent {@code again}: only those peers learn of it that are connected when it is announced again.
   */
  private record Sent(Tx tx, OptionalLong fee, boolean again) {}

  private final Map<Hash256, Sent> all = new LinkedHashMap<>();
  // Those that the wallet counted as pending.
  private final Set<Hash256> pending = new HashSet<>();
  private boolean sending;

  /** The user sends a transaction now. */
  void send(Tx tx, OptionalLong fee) {
    sending = true;
    all.put(tx.txid(), new Sent(tx, fee, false));
  }

  /** A transaction of an earlier session is sent again. */
  void sendAgain(Tx tx) {
    all.putIfAbsent(tx.txid(), new Sent(tx, OptionalLong.empty(), true));
  }

  /** Whether the user sent something in this session. */
  boolean isSending() {
    return sending;
  }

  /**
   * The wallet's pending transactions have changed. One that is no longer pending is in a block,
   * replaced or abandoned: no peer needs it from us.
   */
  void committed(Set<Hash256> nowPending) {
    for (Hash256 txid : List.copyOf(all.keySet())) {
      if (nowPending.contains(txid)) {
        pending.add(txid);
      } else if (pending.remove(txid)) {
        all.remove(txid);
      }
    }
  }

  boolean contains(Hash256 txid) {
    return all.containsKey(txid);
  }

  /** The transaction, or null if the user does not send it. */
  @Nullable Tx find(Hash256 txid) {
    Sent sent = all.get(txid);
    return sent == null ? null : sent.tx();
  }

  /** Those that are announced to new peers. */
  List<Hash256> forNewPeers() {
    List<Hash256> txids = new ArrayList<>(all.keySet());
    txids.removeIf(txid -> isAgain(txid));
    return txids;
  }

  private boolean isAgain(Hash256 txid) {
    Sent sent = all.get(txid);
    return sent != null && sent.again();
  }

  List<Hash256> txids() {
    return List.copyOf(all.keySet());
  }

  /** Its fee in satoshi for 1,000 virtual bytes; empty if that is unknown. */
  OptionalDouble feeRate(Hash256 txid) {
    Sent sent = all.get(txid);
    return sent == null || !sent.fee().isPresent()
        ? OptionalDouble.empty()
        : OptionalDouble.of(1000.0 * sent.fee().getAsLong() / sent.tx().virtualSize());
  }
}
