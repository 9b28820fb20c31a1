package org.murmur.wallet.internal.session;

import java.time.Duration;
import java.time.Instant;
import org.murmur.p2p.sync.BytesByCause;

/**
 * A runner's data for the session's report, with the bytes of messages by cause. A time limit of
 * zero is none.
 */
public record RunnerState(
    Instant now, Duration timeLimit, long bytesReceived, long bytesSent, BytesByCause traffic) {}
