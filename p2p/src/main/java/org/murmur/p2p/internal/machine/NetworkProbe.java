package org.murmur.p2p.internal.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.OurVersion;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.Message;

/**
 * Sends one peer a version message and waits for its answer: an answer shows that the peer is on
 * our network. A node of another network disconnects; the caller then probes it under other
 * networks.
 *
 * <p>One thread at a time.
 */
public final class NetworkProbe implements Machine {

  /** A node answers a version message at once; it was reached just before. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Link link;
  private final long nonce;
  private @Nullable Instant deadline;
  private boolean answered;
  private boolean reached;
  private boolean stopped;

  /**
   * Makes an idle probe; the first tick starts it. The nonce of its version message is any number.
   */
  public NetworkProbe(NodeAddress address, long nonce) {
    this.link = new Link(1, address);
    this.nonce = nonce;
  }

  /** Returns whether its version message came, as far as is known. */
  public boolean isAnswered() {
    return answered;
  }

  /** Returns whether a connection was open at all; otherwise another probe makes no sense. */
  public boolean isReached() {
    return reached;
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  @Override
  public List<Output> step(Input input, Instant now) {
    List<Output> outputs = new ArrayList<>();
    Instant until = deadline;
    if (input instanceof Input.Tick && until == null) {
      deadline = now.plus(PATIENCE);
      outputs.add(new Output.Connect(link));
      outputs.add(new Output.WakeAt(now.plus(PATIENCE)));
    } else if (input instanceof Input.Tick) {
      stopped = until != null && !now.isBefore(until);
    } else if (input instanceof Input.Connected) {
      reached = true;
      outputs.add(new Output.Send(link, OurVersion.of(now, nonce, false)));
    } else if (input instanceof Input.Received received) {
      answered = received.message() instanceof Message.Version;
      stopped = answered;
    } else if (input instanceof Input.ConnectFailed
        || input instanceof Input.ProxyFailed
        || input instanceof Input.Disconnected
        || input instanceof Input.Garbled
        || input instanceof Input.Malformed
        || input instanceof Input.Oversized
        || input instanceof Input.Stop) {
      stopped = true;
    }
    return outputs;
  }
}
