package org.murmur.wallet;

import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.sync.PeerAddress;

/**
 * What became of a transaction that was sent.
 *
 * @param txid which
 * @param takenBy peers that fetched it
 * @param announcedBy peers that announced it back, so that it has spread
 * @param refusedBy peers that refused it, with their words, or that relay nothing so cheap
 *     (feefilter), also if they fetched it; modern ones refuse in silence otherwise
 */
public record BroadcastReport(
    Hash256 txid,
    List<PeerAddress> takenBy,
    List<PeerAddress> announcedBy,
    Map<PeerAddress, String> refusedBy) {

  /** Copies the collections. */
  public BroadcastReport {
    takenBy = List.copyOf(takenBy);
    announcedBy = List.copyOf(announcedBy);
    refusedBy = Map.copyOf(refusedBy);
  }
}
