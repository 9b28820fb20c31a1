package org.murmur.wallet.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.murmur.wallet.privacy.NextSync;

/**
 * What a sync would cost and disclose, estimated without asking anybody.
 *
 * @param height the height of the last header there is
 * @param estimatedHeight how high the chain will be; the same where nothing is known of its pace
 * @param headers how many headers are to be fetched
 * @param blocks how many filtered blocks are to be asked for, all passes together
 * @param passes how often each block is asked for: once for every peer that is to serve it, or once
 *     for every guard and epoch, or for every filter if one cannot hold all elements; what is found
 *     late is asked for again beyond that
 * @param bytesReceived bytes
 * @param bytesSent bytes
 * @param measured whether bytes per block are what earlier syncs measured; computed from the rate
 *     otherwise, for blocks as on a busy mainnet
 * @param time how long it takes at the pace of earlier syncs; empty if there were none
 * @param sessions how many earlier syncs that is taken from
 * @param preset under which preset, and why
 * @param next what would be shown to whom
 * @param warnings what the figures do not know
 */
public record SyncForecast(
    int height,
    int estimatedHeight,
    int headers,
    long blocks,
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
