package org.murmur.wallet.privacy;

import java.util.ArrayList;
import java.util.List;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * What the next sync would disclose to whom, before anything is sent. What it finds on the way
 * (coins, a look-ahead that grows) is disclosed beyond that.
 *
 * <p>Where peers are to be found, stand-ins take their places: their addresses are nobody's, and
 * {@link #name} says what to call them.
 *
 * @param filters what it would show first
 * @param after what each of these peers can know then, in the order of the peers
 */
public record NextSync(List<NextFilter> filters, List<Knowledge> after) {

  /** Copies the lists. */
  public NextSync {
    filters = List.copyOf(filters);
    after = List.copyOf(after);
  }

  /** No host has a name with a blank in it. */
  private static final String STAND_IN = "peer ";

  /**
   * Makes stand-ins for peers that will be found.
   *
   * @param count how many
   * @return different addresses of nobody
   */
  public static List<PeerAddress> standIns(int count) {
    List<PeerAddress> standIns = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      standIns.add(new PeerAddress(STAND_IN + i, 1));
    }
    return standIns;
  }

  /**
   * Returns whether somebody stands for a peer that is to be found.
   *
   * @param peer any
   * @return true for a stand-in
   */
  public static boolean isStandIn(PeerAddress peer) {
    return peer.host().startsWith(STAND_IN);
  }

  /**
   * Returns what to call a peer.
   *
   * @param peer one that is known, or a stand-in
   * @return its address, or {@code peer 1} for the first stand-in
   */
  public static String name(PeerAddress peer) {
    return isStandIn(peer) ? peer.host() : peer.toString();
  }
}
