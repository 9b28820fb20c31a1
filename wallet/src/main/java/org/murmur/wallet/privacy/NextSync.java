package org.murmur.wallet.privacy;

import java.util.ArrayList;
import java.util.List;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The disclosures of the next sync, and their peers, before anything is sent. Finds of that sync
 * (coins, a longer look-ahead) are disclosed in addition.
 *
 * <p>If peers are to be discovered, stand-ins take their places: their addresses belong to no node,
 * and {@link #name} returns their display names.
 *
 * @param filters the first filters
 * @param after what each of these peers could know then, in the order of the peers
 */
public record NextSync(List<NextFilter> filters, List<Knowledge> after) {

  /** Copies the lists. */
  public NextSync {
    filters = List.copyOf(filters);
    after = List.copyOf(after);
  }

  /** No filter is sent. */
  public static final NextSync NOTHING = new NextSync(List.of(), List.of());

  /** No host name contains a blank. */
  private static final String STAND_IN = "peer ";

  /**
   * Makes stand-ins for peers that will be found.
   *
   * @param count how many
   * @return different addresses that belong to no node
   */
  public static List<NodeAddress> standIns(int count) {
    List<NodeAddress> standIns = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      standIns.add(new NodeAddress(STAND_IN + i, 1));
    }
    return standIns;
  }

  /**
   * Returns whether an address is a stand-in for a peer that is to be found.
   *
   * @param peer any
   * @return true for a stand-in
   */
  public static boolean isStandIn(NodeAddress peer) {
    return peer.host().startsWith(STAND_IN);
  }

  /**
   * Returns the display name of a peer.
   *
   * @param peer one that is known, or a stand-in
   * @return its address, or {@code peer 1} for the first stand-in
   */
  public static String name(NodeAddress peer) {
    return isStandIn(peer) ? peer.host() : peer.toString();
  }
}
