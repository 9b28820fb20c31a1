package org.murmur.lab.probe;

import java.io.IOException;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;

/** Thrown if a node cannot be reached. The message names it. */
public final class UnreachableException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Obstacle obstacle;

  UnreachableException(NodeAddress address, Obstacle obstacle, String why, IOException cause) {
    super(address + ": " + why, cause);
    this.obstacle = obstacle;
  }

  /** Returns the reason: an unknown name, or no connection. */
  public Obstacle obstacle() {
    return obstacle;
  }
}
