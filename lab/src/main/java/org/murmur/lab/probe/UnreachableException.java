package org.murmur.lab.probe;

import java.io.IOException;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.Obstacle;

/** A node that was to be asked cannot be reached. The message names it. */
public final class UnreachableException extends IOException {

  private static final long serialVersionUID = 1L;

  /** What is in the way. */
  private final Obstacle obstacle;

  UnreachableException(PeerAddress address, Obstacle obstacle, String why, IOException cause) {
    super(address + ": " + why, cause);
    this.obstacle = obstacle;
  }

  /**
   * Returns what is in the way.
   *
   * @return an unknown name, or no connection
   */
  public Obstacle obstacle() {
    return obstacle;
  }
}
