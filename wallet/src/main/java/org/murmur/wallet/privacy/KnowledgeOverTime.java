package org.murmur.wallet.privacy;

import java.util.List;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * A peer's possible knowledge, filter by filter.
 *
 * @param peer which peer
 * @param strangers how many foreign scripts its sharpest test left after the first filter, the
 *     second, and so on; of many filters the first ones only
 */
public record KnowledgeOverTime(NodeAddress peer, List<Double> strangers) {

  /** Copies the list. */
  public KnowledgeOverTime {
    strangers = List.copyOf(strangers);
  }
}
