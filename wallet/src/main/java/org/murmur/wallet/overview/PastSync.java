package org.murmur.wallet.overview;

import java.time.Duration;
import java.time.Instant;
import org.murmur.p2p.sync.BytesByCause;

/**
 * The traffic and cost of an earlier sync, up to the instant when its blocks were complete. The
 * wait for unconfirmed payments after that is not part of it. Syncs that fetched nothing new are
 * not recorded.
 *
 * @param began when it began
 * @param elapsed how long it took
 * @param headers how many new headers it fetched
 * @param blocks how many filtered blocks it scanned
 * @param received bytes read from all sockets
 * @param sent bytes written to all sockets
 * @param traffic the bytes of its messages by cause; {@link BytesByCause#NONE} for a sync of a
 *     version that did not record them. Their sums can differ from the bytes of the sockets:
 *     messages that are cut off have no cause, and messages that wait to be sent count
 */
public record PastSync(
    Instant began,
    Duration elapsed,
    int headers,
    int blocks,
    long received,
    long sent,
    BytesByCause traffic) {}
