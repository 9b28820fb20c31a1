package org.murmur.wallet.privacy;

import java.util.List;

/**
 * What the next sync would tell whom, before anything is sent. What it finds on the way (coins, a
 * look-ahead that grows) is told beyond that.
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
}
