package org.murmur.wallet.internal.session;

import java.time.Duration;
import java.time.Instant;
import org.murmur.p2p.wire.BytesByCause;

/**
 * A runner's data for the session's report.
 *
 * @param timeLimit how long the session may take; zero for as long as it takes
 * @param traffic the bytes of messages by cause
 */
public record RunnerState(
    Instant now, Duration timeLimit, long bytesReceived, long bytesSent, BytesByCause traffic) {}
