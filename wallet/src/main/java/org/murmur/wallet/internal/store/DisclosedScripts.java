package org.murmur.wallet.internal.store;

import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * Own scripts that a peer was sent outside every filter: those that transactions name, by paying
 * them or by spending their coins. Of payments that the user sent there is one for each peer and
 * payment; all that a peer was asked for by txid is one together, so that invented payments do not
 * make the file grow.
 *
 * @param peer who knows them, in the one spelling that all others of it have
 * @param sent txid of the payment that the user sent; null for all that was asked for by txid
 * @param scripts their indexes in the element log, as far as they were known when it was said;
 *     nobody may change them any more
 * @param time when the first of them was sent, seconds since 1970
 */
public record DisclosedScripts(
    NodeAddress peer, @Nullable Hash256 sent, BitSet scripts, long time) {

  /** Adds what was sent later. */
  public DisclosedScripts with(DisclosedScripts later) {
    BitSet all = (BitSet) scripts.clone();
    all.or(later.scripts);
    return new DisclosedScripts(peer, sent, all, time);
  }

  /** Returns whether both are of one peer and one payment, so that they are kept as one. */
  public boolean isSameAs(DisclosedScripts other) {
    return peer.equals(other.peer) && Objects.equals(sent, other.sent);
  }
}
