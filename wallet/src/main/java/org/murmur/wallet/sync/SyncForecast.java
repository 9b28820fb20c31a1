package org.murmur.wallet.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.murmur.wallet.privacy.NextSync;

/**
 * The estimated cost and disclosure of a sync, computed without asking any peer.
 *
 * @param height the height of the last known header
 * @param estimatedHeight the expected height of the chain; the same if its pace is not known
 * @param headers how many headers are to be fetched
 * @param blocks how many filtered blocks, or block filters, are to be requested, in all passes
 *     together
 * @param filters how many block filters are to be requested; 0 without them. Under the compact
 *     preset these are the blocks, otherwise they check these
 * @param wholeBlocks how many whole blocks match a block filter by chance; those with payments of
 *     the wallet come on top. 0 without block filters
 * @param passes how often each block is requested: once for every peer that is to serve it, or once
 *     for every guard and epoch, or for every filter if one cannot hold all elements; late finds
 *     cause further requests
 * @param bytesReceived bytes
 * @param bytesSent bytes
 * @param measured whether bytes per block were measured in earlier syncs; computed from the rate
 *     otherwise, for blocks as on a busy mainnet
 * @param time how long it takes at the pace of earlier syncs; empty if there were none
 * @param sessions how many earlier syncs that is taken from
 * @param preset the preset, and the reason for it
 * @param next the filters that would be sent, and their receivers
 * @param warnings what the figures do not cover
 */
public record SyncForecast(
    int height,
    int estimatedHeight,
    int headers,
    long blocks,
    long filters,
    long wholeBlocks,
    int passes,
    long bytesReceived,
    long bytesSent,
    boolean measured,
    Optional<Duration> time,
    int sessions,
    PresetChoice preset,
    NextSync next,
    List<WalletWarning> warnings) {

  /** Copies the list. */
  public SyncForecast {
    warnings = List.copyOf(warnings);
  }
}
